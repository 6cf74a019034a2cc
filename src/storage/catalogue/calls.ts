import { and, desc, eq, gt, gte, isNotNull, isNull, lt, ne } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import { contains, firstOf } from "../sql-text.ts"
import type { Row } from "../tables/tables.ts"

/** A call of the sales agent. */
export type StoredCall = Row<"agentCall">

export interface CallSearch {
  /** Only calls before the one with this ID. */
  readonly before?: number
  /** Only calls after the one with this ID. */
  readonly after?: number
  readonly since?: Moment
  /** The ID of a buyer key. Null for callers without a key. */
  readonly buyerKeyId?: string | null | undefined
  readonly tool?: string | undefined
  /** Only calls whose brief has this text. */
  readonly text?: string
  /** "found" and "nothing" say what `get_products` found, and "refused" is any error. Anything else is the outcome itself. */
  readonly outcome?: string | undefined
  readonly count: number
}

/** The newest calls that match, newest first. Call `later.flush` first. */
export async function findCalls(read: ReadTx, search: CallSearch): Promise<StoredCall[]> {
  const { agentCall } = read
  const { before, after, since, buyerKeyId, tool, text = "", outcome, count } = search
  const where = and(
    before === undefined ? undefined : lt(agentCall.id, before),
    after === undefined ? undefined : gt(agentCall.id, after),
    since === undefined ? undefined : gte(agentCall.at, since),
    buyerKeyId === undefined ? undefined : isByCaller(read, buyerKeyId),
    tool === undefined ? undefined : eq(agentCall.tool, tool),
    text === "" ? undefined : contains(agentCall.brief, text),
    outcome === undefined ? undefined : hasOutcome(read, outcome),
  )
  return read.db.select().from(agentCall).where(where).orderBy(desc(agentCall.id)).limit(count)
}

const isByCaller = ({ agentCall }: ReadTx, buyerKeyId: string | null) =>
  buyerKeyId === null ? isNull(agentCall.buyerKeyId) : eq(agentCall.buyerKeyId, buyerKeyId)

function hasOutcome({ agentCall }: ReadTx, outcome: string) {
  if (outcome === "found") return gt(agentCall.matched, 0)
  if (outcome === "nothing") return eq(agentCall.matched, 0)
  return outcome === "refused" ? ne(agentCall.outcome, "completed") : eq(agentCall.outcome, outcome)
}

export const callById = ({ db, agentCall }: ReadTx, id: number): Promise<StoredCall | null> =>
  firstOf(db.select().from(agentCall).where(eq(agentCall.id, id)))

/** The calls of `get_products` since a moment, oldest first, for statistics. */
export async function productCallsSince(read: ReadTx, since: Moment): Promise<StoredCall[]> {
  const { agentCall } = read
  const isAsked = and(gte(agentCall.at, since), isNotNull(agentCall.matched))
  return read.db.select().from(agentCall).where(isAsked).orderBy(agentCall.id)
}

/** The most calls that are kept. */
const CALLS_MAX = 100_000

const ROWS_AT_ONCE = 1_000

/**
 * Deletes up to 1,000 calls that are too old or too many, and says how many. If there are too many, calls without a key
 * are deleted first, so that strangers can't push out what buyers asked.
 */
export async function deleteOldCalls(tx: Tx, before: Moment, max = CALLS_MAX): Promise<number> {
  const old = await deleteCalls(tx, `SELECT id FROM agent_call WHERE at < $1 ORDER BY id LIMIT $2`, [
    before,
    ROWS_AT_ONCE,
  ])
  if (old > 0) return old
  const [counted] = await tx.rows("SELECT count(*) AS count FROM agent_call", [], { count: Number })
  const extra = Math.min((counted?.count ?? 0) - max, ROWS_AT_ONCE)
  if (extra <= 0) return 0
  const ofStrangers = "SELECT id FROM agent_call WHERE buyer_key_id IS NULL ORDER BY id LIMIT $1"
  const deleted = await deleteCalls(tx, ofStrangers, [extra])
  return deleted > 0 ? deleted : deleteCalls(tx, "SELECT id FROM agent_call ORDER BY id LIMIT $1", [extra])
}

async function deleteCalls(tx: Tx, ids: string, values: readonly number[]): Promise<number> {
  const query = `DELETE FROM agent_call WHERE id IN (${ids}) RETURNING id`
  return (await tx.rows(query, values, { id: Number })).length
}
