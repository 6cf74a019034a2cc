import { eq, type SQL, sql } from "drizzle-orm"
import { isCountryCode } from "../../../domain/countries.ts"
import type { DemandCall } from "../../../domain/demand/demand-tally.ts"
import type { CallLogSize } from "../../../domain/operations/call-log.ts"
import { PRUNED_FOR_ROOM_MAX, PRUNED_ROWS_MAX, surplusCalls } from "../../../domain/operations/call-log.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { nextTurn } from "../../../next-turn.ts"
import type { CallFilter, CallResult, LoggedCall, NewCall, PageRequest } from "../../port/logs.ts"
import { contains, searchBackwards } from "../search-backwards.ts"
import { all, exec, first, type LaterSteps, type ReadTx, type Step, type Steps, type Tx } from "../step.ts"
import type { Behind } from "./write-behind.ts"

// Each statement finds its rows by an index or in the order of ids: the log may have a million rows.

const FLUSHED_AT = 262_144
// The size of a call without its texts.
const CALL_BYTES = 300
// Calls with keys take at most this part of the log, and anonymous ones what is left: no stranger removes what buyers asked.
const KEYED_PART = 3 / 4
const CALLER = sql`coalesce(agent_key_id, 'anonymous')`
// The row beside the size that notes, in place of bytes, up to when calls with keys had to go.
const CUT = 3
// How many calls one step looks through for those of a caller, and how often.
const LOOKED_THROUGH = 5_000
const LOOKS_MAX = 4
// The smallest size of a stored call, to work out how many may have to be deleted at most.
const CALL_BYTES_MIN = 120
// As many as can be counted while somebody waits for a page.
const COUNTED_MAX = 20_000

/** By their bytes: many small ones or a few large ones are flushed at a time. */
const CALLS: Behind<NewCall> = {
  sizeOf: (call) =>
    CALL_BYTES + (call.arguments === null ? 0 : Buffer.byteLength(call.arguments)) + (call.demand?.length ?? 0),
  room: 16 * FLUSHED_AT,
  flushedAt: FLUSHED_AT,
}

/** What came of a call. The demand is JSON that we wrote: inside a text of it each quote would be escaped. */
const RESULT = sql`CASE WHEN outcome <> 'completed' THEN 'refused' WHEN demand LIKE '%"matched":0,%' THEN 'nothing'
  WHEN demand IS NOT NULL THEN 'found' END`
const LOGGED = sql`SELECT e.id, e.at, e.agent_key_id AS "agentKeyId", k.label AS "agentKey", e.address, e.method, e.tool, e.arguments,
    e.outcome, e.duration_micros AS "durationMicros", e.demand
  FROM agent_call e LEFT JOIN agent_key k ON k.id = e.agent_key_id`

export function agentCallLog(steps: Steps, later: LaterSteps) {
  const { query, transactBeside } = steps
  let bytesMax = Number.POSITIVE_INFINITY
  const waiting = later.behind(CALLS, (tx, calls) => addCalls(tx, calls, bytesMax))
  return {
    /** Logs the call with the next commit, when there are many, or by `flushWriteBuffer`. */
    note: (call: NewCall) => waiting.add(call),
    /** From now on old calls are deleted as new ones come in, so that the log stays within this size, give or take one commit. */
    keepWithin(bytes: number) {
      bytesMax = bytes
    },
    size: async (): Promise<CallLogSize> => (await query((tx) => sizeAt(tx, 1))) ?? { rows: 0, bytes: 0 },
    /** When the latest of the calls with keys was made that had to go for want of room; null: none had to. */
    cutAt: async (): Promise<Moment | null> => (await query((tx) => sizeAt(tx, CUT)))?.bytes ?? null,
    /** Calls with ids above this one, oldest first. */
    after: (id: number, limit: number) =>
      query(({ statement }) =>
        all(statement<LoggedCall>(sql`${LOGGED} WHERE e.id > ${id} ORDER BY e.id LIMIT ${limit}`)),
      ),
    /** Deletes some of the calls that are older or beyond that size. Returns how many; 0 when none are left. */
    prune: (before: Moment) => transactBeside((tx) => prune(tx, before, bytesMax)),
    /**
     * The calls of get_products that count as demand, from a moment on and after a call, in the order of their time. What was noted by this
     * process is read too, even if it was not written yet.
     */
    async demand({ at, id }: Pick<DemandCall, "at" | "id">, limit: number): Promise<DemandCall[]> {
      await nextTurn()
      // A page is shown even if nothing can be written.
      await later.flush().catch(() => undefined)
      // Refused calls have nothing of which demand could be understood; nor have some completed ones, which do not count.
      const counting = sql`SELECT id, at, agent_key_id AS "agentKeyId", demand FROM agent_call
        WHERE at >= ${at} AND (at > ${at} OR id > ${id}) AND tool = 'get_products'
          AND (demand IS NOT NULL OR outcome <> 'completed')
        ORDER BY at, id LIMIT ${limit}`
      return query(({ statement }) => all(statement<DemandCall>(counting)))
    },
    /** Calls that match, newest first. `before` is that of the next page; null when the whole log was searched. */
    async search(filter: CallFilter, page: PageRequest) {
      const { rows, before } = await searchBackwards<LoggedCall>(steps, searchFor(filter), page)
      return { calls: rows, before }
    },
    /** What came of each call that matches, and for which countries; `isAll` is false where only the newest ones were looked at. */
    async results(filter: CallFilter) {
      const select = sql`SELECT e.id, ${RESULT} AS result, e.demand FROM agent_call e`
      const newest = { before: null, limit: COUNTED_MAX }
      const { rows, before } = await searchBackwards<CalledFor>(steps, { ...searchFor(filter), select }, newest)
      const calls = rows.map(({ result, demand }) => ({ result, countries: countriesIn(demand ?? "") }))
      return { calls, isAll: before === null }
    },
  }
}

const sizeAt = ({ db, agentCallSize: { id, rows, bytes }, agentCallSize }: ReadTx, row: number) =>
  first(db.select({ rows, bytes }).from(agentCallSize).where(eq(id, row)))

type CalledFor = Readonly<{ id: number; result: CallResult | null; demand: string | null }>

const countriesIn = (demand: string): readonly string[] =>
  /"countries":\[([^\]]*)\],"formats"/.exec(demand)?.[1]?.match(/[A-Z]{2}/g) ?? []

function searchFor({ tool, outcome, caller, result, country, text, ...time }: CallFilter) {
  const matching = [
    tool === undefined ? undefined : sql`e.tool = ${storable(tool)}`,
    outcome === undefined ? undefined : sql`e.outcome = ${outcome}`,
    caller === undefined ? undefined : sql`${CALLER} = ${caller}`,
    result === undefined ? undefined : sql`${RESULT} = ${result}`,
    country === undefined ? undefined : askedFor(country),
    text === undefined ? undefined : contains(sql`e.arguments`, storable(text)),
  ]
  return { table: "agent_call", select: LOGGED, matching, time, bytes: sql`octet_length(e.arguments)` } as const
}

/** A text that is no code would be read as a pattern, and found in either case by one of the engines only: no call has it. */
const askedFor = (country: string): SQL =>
  isCountryCode(country) ? sql`e.demand LIKE ${`%"countries":[%"${country}"%],"formats":[%`}` : sql`1 = 0`

const COLUMNS = {
  at: "number",
  agent_key_id: "text",
  address: "text",
  method: "text",
  tool: "text",
  arguments: "text",
  outcome: "text",
  duration_micros: "number",
  demand: "text",
} as const

/**
 * Whoever adds or removes calls changes the row of the size first, and so holds its lock until the commit. The ids, which are handed out
 * under it, become visible in order: who has seen a call has seen all calls with smaller ids, and can go on from there.
 */
function* addCalls(tx: Tx, calls: readonly NewCall[], bytesMax: number): Step<void> {
  const rows = calls.map(({ agentKeyId, durationMicros, demand = null, ...call }) => ({
    ...call,
    ...{ agent_key_id: agentKeyId, address: storable(call.address), method: storable(call.method) },
    ...{ tool: storable(call.tool), arguments: storable(call.arguments), duration_micros: durationMicros, demand },
  }))
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET rows = rows + ${rows.length} WHERE id = 1`))
  yield* exec(tx.insertMany("agent_call", { columns: COLUMNS, rows }))
  const added = sql`(SELECT id, bytes, ${CALLER} AS caller FROM agent_call ORDER BY id DESC LIMIT ${rows.length}) AS added`
  const bytes = sql`(SELECT coalesce(sum(bytes), 0) FROM ${added})`
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET bytes = bytes + ${bytes} WHERE id = 1`))
  const shares = sql`INSERT INTO agent_call_share (caller, after_id, bytes)
    SELECT caller, min(id) - 1, sum(bytes) FROM ${added} GROUP BY caller
    ON CONFLICT (caller) DO UPDATE SET bytes = agent_call_share.bytes + excluded.bytes`
  yield* exec(tx.statement(shares))
  yield* removeBeyond(tx, bytesMax, PRUNED_FOR_ROOM_MAX)
}

/**
 * A text as PostgreSQL can hold it. Callers choose these, and one that holds U+0000 or half of a surrogate pair would otherwise keep its
 * whole batch from being written.
 */
const storable = <Text extends string | null>(text: Text) =>
  (text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null) as Text

function* prune(tx: Tx, before: Moment, bytesMax: number): Step<number> {
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET rows = rows WHERE id = 1`))
  const old = sql`SELECT at, id, bytes FROM agent_call WHERE at < ${before} ORDER BY at, id LIMIT ${PRUNED_ROWS_MAX}`
  const removed = yield* remove(tx, old, Number.POSITIVE_INFINITY, ({ at, id }) => sql`(at, id) <= (${at}, ${id})`)
  return removed.length || (yield* removeBeyond(tx, bytesMax, PRUNED_ROWS_MAX))
}

/** Of calls with keys those of the key that takes most make room, and no other key's. */
function* removeBeyond(tx: Tx, bytesMax: number, rowsMax: number): Step<number> {
  const bytes = (yield* first(tx.statement<Sum>(sql`SELECT bytes FROM agent_call_size WHERE id = 1`)))?.bytes ?? 0
  const keyedMax = bytesMax * KEYED_PART
  if (bytes <= keyedMax) return 0
  const withKeys = sql`SELECT CAST(coalesce(sum(bytes), 0) AS bigint) AS bytes FROM agent_call_share
    WHERE caller <> 'anonymous'`
  const keyed = (yield* first(tx.statement<Sum>(withKeys)))?.bytes ?? 0
  const ofKey = keyed > keyedMax ? yield* removeOldest(tx, sql`caller <> 'anonymous'`, keyed - keyedMax, rowsMax) : []
  const excess = bytes - bytesOf(ofKey) - bytesMax
  // One step does not remove everything: while keys take too much, the next one goes on with theirs, and nobody else makes room for them.
  if (excess <= 0 || keyed - bytesOf(ofKey) > keyedMax) return ofKey.length
  const strangers = sql`caller = 'anonymous' AND bytes > ${Math.floor(bytesMax - keyedMax)}`
  return ofKey.length + (yield* removeOldest(tx, strangers, excess, rowsMax)).length
}

type Sum = Pick<CallLogSize, "bytes">

interface Share {
  /** Null: whoever made them. Calls that no share counts come from a time when nobody counted them. */
  readonly caller: string | null
  readonly after: number
}

/**
 * Removes calls of the largest of these shares, from the log's oldest on where there is none. Goes on where the last step ended: what lies
 * between two calls of a caller is looked through once.
 */
function* removeOldest(tx: Tx, shares: SQL, excess: number, rowsMax: number): Step<readonly Oldest[]> {
  const largest = sql`SELECT caller, after_id AS "after" FROM agent_call_share WHERE ${shares} ORDER BY bytes DESC LIMIT 1`
  const { caller, after } = (yield* first(tx.statement<Share>(largest))) ?? { caller: null, after: 0 }
  const limit = Math.min(Math.ceil(excess / CALL_BYTES_MIN), rowsMax)
  let start = after
  let removed: readonly Oldest[] = []
  for (let look = 0; look < LOOKS_MAX && removed.length === 0; look++) {
    const next = sql`SELECT min(id) AS id FROM agent_call WHERE id > ${look === 0 ? start : start + LOOKED_THROUGH}`
    const id = (yield* first(tx.statement<{ id: number | null }>(next)))?.id ?? null
    // There are none, whatever was counted.
    if (id === null) return yield* forget(tx, sql`caller = ${caller}`)
    start = id - 1
    const among = sql`${caller === null ? sql`1 = 1` : sql`${CALLER} = ${caller}`} AND id > ${start}`
    const oldest = sql`SELECT at, id, bytes, agent_key_id AS key FROM agent_call
      WHERE ${among} AND id <= ${start + LOOKED_THROUGH} ORDER BY id LIMIT ${limit}`
    removed = yield* remove(tx, oldest, excess, (last) => sql`${among} AND id <= ${last.id}`)
  }
  const looked = removed.at(-1)?.id ?? start
  yield* exec(tx.statement(sql`UPDATE agent_call_share SET after_id = ${looked} WHERE caller = ${caller}`))
  const cutAt = removed.findLast(({ key }) => key)?.at
  if (cutAt !== undefined)
    yield* exec(
      tx.statement(sql`INSERT INTO agent_call_size (id, rows, bytes) VALUES (${CUT}, 0, ${cutAt})
        ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes WHERE excluded.bytes > agent_call_size.bytes`),
    )
  return removed
}

function* forget(tx: Tx, shares: SQL): Step<readonly Oldest[]> {
  yield* exec(tx.statement(sql`DELETE FROM agent_call_share WHERE ${shares}`))
  return []
}

interface Oldest {
  readonly at: Moment
  readonly id: number
  readonly bytes: number
  /** Whose it was, where that is asked for. */
  readonly key?: string | null
}

const bytesOf = (calls: readonly Oldest[]) => calls.reduce((sum, { bytes }) => sum + bytes, 0)

/** Deletes the first of these calls, as many as are too many, and tells which. */
function* remove(tx: Tx, calls: SQL, excess: number, upTo: (last: Oldest) => SQL): Step<readonly Oldest[]> {
  const removed = surplusCalls(excess, yield* all(tx.statement<Oldest>(calls)))
  const last = removed.at(-1)
  if (last === undefined) return []
  const which = upTo(last)
  const gone = sql`SELECT caller, sum(agent_call.bytes) AS bytes FROM agent_call
    JOIN agent_call_share ON caller = ${CALLER} AND id > after_id WHERE ${which} GROUP BY caller`
  const shares = sql`UPDATE agent_call_share SET bytes = agent_call_share.bytes - gone.bytes
    FROM (${gone}) AS gone WHERE gone.caller = agent_call_share.caller`
  yield* exec(tx.statement(shares))
  yield* forget(tx, sql`bytes <= 0`)
  yield* exec(tx.statement(sql`DELETE FROM agent_call WHERE ${which}`))
  const less = (column: string, by: number) => sql.raw(`CASE WHEN ${column} > ${by} THEN ${column} - ${by} ELSE 0 END`)
  const [rows, bytes] = [less("rows", removed.length), less("bytes", bytesOf(removed))]
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET rows = ${rows}, bytes = ${bytes} WHERE id = 1`))
  return removed
}
