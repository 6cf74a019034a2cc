import { eq, type SQL, sql } from "drizzle-orm"
import { isCountryCode } from "../../../domain/countries.ts"
import type { DemandCall } from "../../../domain/demand/demand-tally.ts"
import { CALLS_KEPT_MAX } from "../../../domain/limits.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { CallFilter, CallResult, LoggedCall, NewCall, PageRequest } from "../../port/logs.ts"
import { contains, searchBackwards } from "../search-backwards.ts"
import { all, exec, first, type LaterSteps, type ReadTx, type Step, type Steps, type Tx } from "../step.ts"
import type { Behind } from "./write-behind.ts"

// Each statement finds its rows by an index or in the order of ids.

const FLUSHED_AT = 262_144
// The size of a call without its texts.
const CALL_BYTES = 300
// Removing so many takes others a few milliseconds.
const REMOVED_MAX = 1_000
// How many calls one statement looks through for those without a key.
const LOOKED_THROUGH = 5_000
// And how often before others are served: the next step goes on.
const LOOKS_MAX = 4
// As many as can be counted while somebody waits for a page.
const COUNTED_MAX = 20_000
const CALLER = sql`coalesce(agent_key_id, 'anonymous')`
// Rows of agent_call_size: the number of calls; in `bytes`, the id up to which no call without a key is left.
const [COUNT, STRANGERS] = [1, 2]

/** By their bytes: many small ones or a few large ones are flushed at a time. */
const CALLS: Behind<NewCall> = {
  sizeOf: (call) =>
    CALL_BYTES + (call.arguments === null ? 0 : Buffer.byteLength(call.arguments)) + (call.demand?.length ?? 0),
  room: 16 * FLUSHED_AT,
  flushedAt: FLUSHED_AT,
}

const RESULT = sql`CASE WHEN outcome <> 'completed' THEN 'refused' WHEN matched = 0 THEN 'nothing'
  WHEN matched > 0 THEN 'found' END`
const LOGGED = sql`SELECT e.id, e.at, e.agent_key_id AS "agentKeyId", k.label AS "agentKey", e.address, e.method, e.tool, e.arguments,
    e.outcome, e.duration_micros AS "durationMicros", e.demand
  FROM agent_call e LEFT JOIN agent_key k ON k.id = e.agent_key_id`

export function agentCallLog(steps: Steps, later: LaterSteps) {
  const { query, transactBeside } = steps
  let rowsMax = CALLS_KEPT_MAX
  const waiting = later.behind(CALLS, (tx, calls) => addCalls(tx, calls, rowsMax))
  return {
    /** Logs the call with the next commit, when there are many, or by `flushWriteBuffer`. */
    note: (call: NewCall) => waiting.add(call),
    /** From now on the log has at most so many calls. Those without a key go first, then the oldest. */
    keepWithin(rows: number) {
      rowsMax = rows
    },
    /** How many calls there are. */
    size: (): Promise<number> => query(countOf),
    /** Calls with ids above this one, oldest first. */
    after: (id: number, limit: number) =>
      query(({ statement }) =>
        all(statement<LoggedCall>(sql`${LOGGED} WHERE e.id > ${id} ORDER BY e.id LIMIT ${limit}`)),
      ),
    /** Deletes some of the calls that are older, or too many. Returns how many; 0 when none are left. */
    prune: (before: Moment) => transactBeside((tx) => prune(tx, before, rowsMax)),
    /**
     * The calls of get_products that count as demand, from a moment on and after a call, in the order of their time. What was noted by this
     * process is read too, even if it was not written yet.
     */
    async demand({ at, id }: Pick<DemandCall, "at" | "id">, limit: number): Promise<DemandCall[]> {
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
      const select = sql`SELECT e.id, ${RESULT} AS result, e.countries FROM agent_call e`
      const newest = { before: null, limit: COUNTED_MAX }
      const { rows, before } = await searchBackwards<CalledFor>(steps, { ...searchFor(filter), select }, newest)
      const calls = rows.map(({ result, countries }) => ({ result, countries: countries?.trim().split(" ") ?? [] }))
      return { calls, isAll: before === null }
    },
  }
}

type CalledFor = Readonly<{ id: number; result: CallResult | null; countries: string | null }>

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

/** A text that is no code would be read as a pattern: no call has it. */
const askedFor = (country: string): SQL =>
  isCountryCode(country) ? sql`e.countries LIKE ${`% ${country} %`}` : sql`1 = 0`

/** Countries as they are stored, each with a space on both sides; null where none was asked for. */
export const countriesText = (countries: readonly string[]): string | null =>
  countries.length === 0 ? null : ` ${countries.join(" ")} `

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
  matched: "number",
  countries: "text",
} as const

/**
 * A step that adds or removes calls changes the row of their number first, and so holds its lock until the commit. The ids, which are handed
 * out under it, become visible in order: who has seen a call has seen all calls with smaller ids, and can go on from there.
 */
function* addCalls(tx: Tx, calls: readonly NewCall[], rowsMax: number): Step<void> {
  const rows = calls.map((call) => ({
    at: call.at,
    agent_key_id: call.agentKeyId,
    address: storable(call.address),
    method: storable(call.method),
    tool: storable(call.tool),
    arguments: storable(call.arguments),
    outcome: call.outcome,
    duration_micros: call.durationMicros,
    demand: call.demand ?? null,
    matched: call.matched ?? null,
    countries: countriesText(call.countries ?? []),
  }))
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET rows = rows + ${rows.length} WHERE id = ${COUNT}`))
  yield* exec(tx.insertMany("agent_call", { columns: COLUMNS, rows }))
  yield* removeBeyond(tx, rowsMax)
}

/**
 * A text as PostgreSQL can hold it. Callers choose these, and one that holds U+0000 or half of a surrogate pair would otherwise keep its
 * whole batch from being written.
 */
const storable = <Text extends string | null>(text: Text) =>
  (text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null) as Text

function* countOf({ db, agentCallSize: { id, rows }, agentCallSize }: ReadTx): Step<number> {
  return (yield* first(db.select({ rows }).from(agentCallSize).where(eq(id, COUNT))))?.rows ?? 0
}

type Found = Readonly<{ id: number; at: Moment }>

function* prune(tx: Tx, before: Moment, rowsMax: number): Step<number> {
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET rows = rows WHERE id = ${COUNT}`))
  const old = sql`SELECT at, id FROM agent_call WHERE at < ${before} ORDER BY at, id LIMIT ${REMOVED_MAX}`
  const found = yield* all(tx.statement<Found>(old))
  const last = found.at(-1)
  if (last === undefined) return yield* removeBeyond(tx, rowsMax)
  return yield* remove(tx, sql`(at, id) <= (${last.at}, ${last.id})`, found.length)
}

/** Of calls that are too many those without a key go first, so that no stranger removes what buyers asked; then the oldest. */
function* removeBeyond(tx: Tx, rowsMax: number, looks = LOOKS_MAX): Step<number> {
  const excess = Math.min((yield* countOf(tx)) - rowsMax, REMOVED_MAX)
  if (excess <= 0) return 0
  const bound = sql`SELECT coalesce(max(bytes), 0) AS id FROM agent_call_size WHERE id = ${STRANGERS}`
  const after = (yield* first(tx.statement<{ id: number }>(bound)))?.id ?? 0
  const span = sql`SELECT min(id) AS first, (SELECT max(id) FROM agent_call) AS last FROM agent_call WHERE id > ${after}`
  const { first: from, last: newest } = (yield* first(tx.statement<Span>(span))) ?? { first: null, last: null }
  if (from === null || newest === null) return yield* removeFirst(tx, sql`id > 0`, excess)
  const through = Math.min(from + LOOKED_THROUGH, newest)
  const strangers = sql`agent_key_id IS NULL AND id > ${after} AND id <= ${through}`
  const removed = yield* removeFirst(tx, strangers, excess)
  // The rest of what was looked through has a key; otherwise the next look begins where this one did.
  if (removed < excess)
    yield* exec(
      tx.statement(sql`INSERT INTO agent_call_size (id, rows, bytes) VALUES (${STRANGERS}, 0, ${through})
        ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes`),
    )
  return removed === 0 && looks > 1 ? yield* removeBeyond(tx, rowsMax, looks - 1) : removed
}

type Span = Readonly<{ first: number | null; last: number | null }>

function* removeFirst(tx: Tx, which: SQL, count: number): Step<number> {
  const found = yield* all(
    tx.statement<Pick<Found, "id">>(sql`SELECT id FROM agent_call WHERE ${which} ORDER BY id LIMIT ${count}`),
  )
  const last = found.at(-1)
  return last === undefined ? 0 : yield* remove(tx, sql`${which} AND id <= ${last.id}`, found.length)
}

function* remove(tx: Tx, which: SQL, count: number): Step<number> {
  yield* exec(tx.statement(sql`DELETE FROM agent_call WHERE ${which}`))
  const rows = sql`CASE WHEN rows > ${count} THEN rows - ${count} ELSE 0 END`
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET rows = ${rows} WHERE id = ${COUNT}`))
  return count
}
