// Promise: an old primary that returns after a failover is never used.
// Held by test/storage/postgres/failover.test.ts.
import type { SQL } from "bun"
import type { Address, Host } from "../../../domain/operations/database-url.ts"
import { isAway, sqlState } from "./postgres-errors.ts"

// How long other hosts have to say that theirs is the newer primary, once one has answered.
const OTHERS_WITHIN_MS = 1_000

export interface ServerState {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  /** Which database it is a copy of, and how many times a standby of it was promoted. Null where the server does not tell. */
  readonly system: string | null
  readonly timeline: number | null
}

export interface Candidate extends ServerState {
  readonly host: Host
  readonly client: SQL
}

const STATE = `SELECT pg_is_in_recovery() AS "isStandby",
  pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly"`
// Not that of the last checkpoint, which a server that was just promoted has yet to make. A standby has no log of its own.
const TIMELINE = `(SELECT system_identifier::text FROM pg_control_system()) AS system, CASE WHEN NOT pg_is_in_recovery()
  THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer END AS timeline`

export async function stateOf(client: SQL): Promise<ServerState> {
  try {
    const [state] = await client.unsafe<ServerState[]>(`${STATE}, ${TIMELINE}`)
    if (state !== undefined) return state
  } catch (cause) {
    // Some services do not let anybody see these.
    if (sqlState(cause) === null || isAway(cause)) throw cause
  }
  const [state] = await client.unsafe<ServerState[]>(`${STATE}, NULL AS system, NULL AS timeline`)
  if (state === undefined) throw new Error("the server did not say whether it takes writes")
  return state
}

/** What the hosts say; a late one is not waited for when another one has answered. */
export async function inTime(candidates: readonly Promise<Candidate>[]): Promise<Candidate[]> {
  const answers: Candidate[] = []
  const isLate = Promise.withResolvers<void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const asked = candidates.map(async (answer) => {
    const candidate = await answer.catch(() => null)
    if (candidate === null) return
    answers.push(candidate)
    if (!candidate.isReadOnly) timer ??= setTimeout(isLate.resolve, OTHERS_WITHIN_MS)
  })
  await Promise.race([Promise.all(asked), isLate.promise])
  clearTimeout(timer)
  return answers
}

type Timelines = ReturnType<typeof highestTimelines>

/**
 * The highest timeline seen of each database. An old primary that returns after a standby was promoted has a lower one: what was
 * changed since is unknown to it, and what it is told is lost.
 */
export function highestTimelines() {
  const highest = new Map<string, number>()
  const of = (system: string | null) => (system === null ? 0 : (highest.get(system) ?? 0))
  return {
    isOld: ({ system, timeline }: ServerState) => timeline !== null && timeline < of(system),
    saw({ system, timeline }: ServerState) {
      if (system !== null) highest.set(system, Math.max(timeline ?? 0, of(system)))
    },
  }
}

/** The primary of the highest timeline; of several the first that takes writes, in the order of the URL. */
export function choosePrimary(
  { hosts }: Address,
  candidates: readonly Candidate[],
  timelines: Timelines,
): Candidate | undefined {
  for (const candidate of candidates) if (!candidate.isStandby) timelines.saw(candidate)
  const inOrder = candidates
    .filter((candidate) => !timelines.isOld(candidate))
    .toSorted((a, b) => hosts.indexOf(a.host) - hosts.indexOf(b.host))
  // An address with one host means this one.
  if (hosts.length === 1) return inOrder[0]
  const primaries = inOrder.filter(({ isStandby }) => !isStandby)
  return primaries.find(({ isReadOnly }) => !isReadOnly) ?? primaries[0]
}
