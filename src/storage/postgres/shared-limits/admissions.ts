import type { Admission, RateWindow } from "../../../domain/callers/rate-limit.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import type { ActiveIngestKey, Admissions, Admitted } from "../../port/admissions.ts"
import { numberArray, textArray } from "../engine/arrays.ts"
import type { Connection } from "../engine/connection.ts"
import { DEADLINE_MS, DeadlineError, inRequestTime } from "../engine/deadline.ts"
import { cannotWrite } from "../engine/postgres-errors.ts"
import { storableText, type Value } from "../engine/session.ts"
import { inFlight, writeGroups } from "../engine/write-groups.ts"
import { ADMIT, ADMIT_UNCOUNTED, type AdmitRow, SWEEP } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"

/** Keys and rate windows from the tables, so that all replicas together admit as many as one would. `now` is the clock's business. */
export function admissions(connection: Connection, clock: GivenClock): Admissions & Disposable {
  const ask = admissionQueue(connection, clock)
  // What cannot be deleted now can be the next time; whoever comes while one is at it finds its lock taken.
  const sweeper = setInterval(() => void sweepWindows(connection, clock).catch(() => undefined), SWEPT_EVERY_MS).unref()
  return {
    ingest: (fingerprint, window) => ask("ingest", fingerprint, window),
    async agent(fingerprint, window) {
      const admitted = await ask("agent", fingerprint, window)
      return admitted && { key: { id: admitted.key.id }, admission: admitted.admission }
    },
    async caller(window, caller, _, answerBy) {
      const admitted = await ask("caller", caller, window, answerBy)
      if (admitted === null) throw new Error("a caller without a key was not counted")
      return admitted.admission
    },
    [Symbol.dispose]: () => clearInterval(sweeper),
  }
}

const IN_FLIGHT_MAX = 2
// Many more than the requests that are let in at a time. Beyond this, they fail before memory runs out.
const WAITING_MAX = 20_000
// How long a database that took no write is not asked to count.
const TRIES_AGAIN_MS = 1_000

const BOUNDS = {
  rowsAtATime: 500,
  // A statement of 64 windows costs the database half as much for each of them as one of 16. So while one is under way, others wait for
  // it, or until they are as many.
  rowsWorthAnother: 64,
  // After all requests that have arrived by now were read, so that they share the statement.
  soon: setImmediate,
}

type Kind = "ingest" | "agent" | "caller"
/** Only an ingest key has an organization, and who is counted without a key has neither. */
type Answer = Admitted<ActiveIngestKey> | null

interface Waiting {
  readonly kind: Kind
  readonly who: string
  readonly window: RateWindow
  /** By `performance.now()`. */
  readonly answerBy: number
  readonly rows: 1
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

/** The requests of one caller for one window: they go in one row of a statement, and are admitted in their order. */
type Together = [Waiting, ...Waiting[]]

/**
 * Everybody who waits goes in one statement; while as many as allowed are under way, the next one collects. Each request waits no longer
 * than its deadline. While the database takes no writes (its disk is full, it is read-only), keys are still looked up in it. The answer is
 * null when there is no such key.
 */
function admissionQueue({ read, caches }: Connection, clock: GivenClock) {
  const groups = writeGroups<Waiting>(admitAll, { ...BOUNDS, inFlight: inFlight(IN_FLIGHT_MAX) })
  let cannotCountUntil = Number.NEGATIVE_INFINITY

  async function admitAll(group: readonly Waiting[]): Promise<void> {
    const byWindow = Map.groupBy(group, ({ kind, who, window }) => `${kind} ${window.name}\n${who}`)
    await admit([...byWindow.values()] as Together[]).catch((cause) => {
      for (const { reject } of group) reject(cause)
    })
  }

  async function admit(batch: readonly Together[]): Promise<void> {
    const withinMs = Math.min(...batch.map(([{ answerBy }]) => answerBy)) - performance.now()
    if (withinMs <= 0) throw new DeadlineError(`The database did not answer within ${DEADLINE_MS / 1000} s`)
    const columns = columnsOf(batch)
    const asked = (statement: string, values: readonly Value[]) =>
      read(({ rows }) => rows<AdmitRow>(statement, values), { withinMs })
    const uncounted = () => asked(ADMIT_UNCOUNTED, columns)
    const counted = () =>
      asked(ADMIT, [...columns, clock?.() ?? null]).catch((cause) => {
        if (!cannotWrite(cause)) throw cause
        cannotCountUntil = performance.now() + TRIES_AGAIN_MS
        return uncounted()
      })
    const [row] = await (performance.now() < cannotCountUntil ? uncounted() : counted())
    if (row === undefined) throw new Error("the database did not say who is admitted")
    caches.saw(row.terms, row.catalogue)
    answerAll(batch, row)
  }

  function add(kind: Kind, subject: string, window: RateWindow, answerBy: number): Promise<Answer> {
    if (groups.size() >= WAITING_MAX) return Promise.reject(new Error("too many requests wait for the database"))
    return new Promise((resolve, reject) =>
      groups.add({ kind, who: storableText(subject), window, answerBy, rows: 1, resolve, reject }),
    )
  }

  return (kind: Kind, subject: string, window: RateWindow, answerBy?: number): Promise<Answer> =>
    answerBy === undefined
      ? inRequestTime((ms) => add(kind, subject, window, performance.now() + ms))
      : add(kind, subject, window, answerBy)
}

/** What the statement is given of a batch: its first five values. */
function columnsOf(batch: readonly Together[]): Value[] {
  return [
    textArray(batch.map(([{ kind }]) => kind)),
    textArray(batch.map(([{ who }]) => who)),
    textArray(batch.map(([{ window }]) => window.name)),
    numberArray(batch.map(([{ window }]) => window.limit)),
    numberArray(batch.map(({ length, 0: { window } }) => Math.min(length, window.limit))),
  ]
}

function answerAll(batch: readonly Together[], row: AdmitRow): void {
  for (let i = 0; i < row.places.length; i++) {
    const admitted = row.admitted[i] ?? null
    const before = row.before[i] ?? 0
    const seconds = Math.max(1, Math.ceil((row.leftMicros[i] ?? 0) / MICROS_PER_SECOND))
    const key = { id: row.keyIds[i], organizationId: row.organizationIds[i] } as ActiveIngestKey
    for (const [place, { window, resolve }] of batch[(row.places[i] ?? 0) - 1]?.entries() ?? []) {
      const remaining = Math.max(0, window.limit - before - place - 1)
      const isAllowed = place < (admitted ?? 0)
      const admission: Admission = isAllowed
        ? { allowed: true, remaining, resetSeconds: seconds }
        : { allowed: false, retryAfterSeconds: seconds }
      resolve(admitted === null ? null : { key, admission })
    }
  }
}

const SWEPT_EVERY_MS = 10_000
const AT_A_TIME = 5_000
// Twice as many as new callers can come in that time.
const ROUNDS_MAX = 100

/** Deletes windows that are over, so that a flood of addresses is gone a minute after it ended. Returns how many. */
export async function sweepWindows({ read }: Pick<Connection, "read">, clock: GivenClock): Promise<number> {
  let deleted = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const rows = await read((session) => session.rows(SWEEP, [AT_A_TIME, clock?.() ?? null]))
    deleted += rows.length
    if (rows.length < AT_A_TIME) break
  }
  return deleted
}
