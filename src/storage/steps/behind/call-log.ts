import { type SQL, sql } from "drizzle-orm"
import { isCountryCode } from "../../../domain/countries.ts"
import type { DemandCall } from "../../../domain/demand/demand-tally.ts"
import { CALLS_KEPT_MAX } from "../../../domain/limits.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { CallFilter, CallResult, LoggedCall, NewCall, PageRequest } from "../../port/logs.ts"
import { contains, inTime, searchBackwards } from "../search-backwards.ts"
import { all, and, exec, first, type LaterSteps, type Step, type Steps, type Tx } from "../step.ts"
import type { Behind } from "./write-behind.ts"

// Each statement finds its rows by an index or in the order of ids.

const FLUSHED_AT = 262_144
// The size of a call without its texts.
const CALL_BYTES = 300
// Removing so many takes others a few milliseconds.
const REMOVED_MAX = 1_000
// As many as can be counted while somebody waits for a page.
const COUNTED_MAX = 20_000
const CALLER = sql`coalesce(agent_key_id, 'anonymous')`
// The number of calls.
const COUNT = sql`SELECT rows FROM agent_call_size WHERE id = 1`

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
    size: async () => (await query(({ statement }) => first(statement<Count>(COUNT))))?.rows ?? 0,
    /** Calls with ids above this one that match, oldest first. */
    after(id: number, limit: number, filter: CallFilter = {}) {
      const { matching, time } = searchFor(filter)
      const where = and(sql`e.id > ${id}`, ...inTime(time), ...matching)
      const next = sql`${LOGGED} WHERE ${where} ORDER BY e.id LIMIT ${limit}`
      return query(({ statement }) => all(statement<LoggedCall>(next)))
    },
    /** Deletes some of the calls that are older. Returns how many; 0 when none are left. */
    prune: (before: Moment) => transactBeside((tx) => prune(tx, before)),
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

type Count = Readonly<{ rows: number }>
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
  const count = yield* changeCount(tx, rows.length)
  yield* exec(tx.insertMany("agent_call", { columns: COLUMNS, rows }))
  if (count > rowsMax) yield* makeRoom(tx, Math.min(count - rowsMax, REMOVED_MAX))
}

/**
 * Each step that adds or removes calls begins with this, and so holds the lock of this row until the commit. The ids, which are handed out
 * under it, become visible in order: who has seen a call has seen all calls with smaller ids, and can go on from there.
 */
function* changeCount({ statement }: Tx, by: number): Step<number> {
  const changed = sql`UPDATE agent_call_size SET rows = rows + ${by} WHERE id = 1 RETURNING rows`
  return (yield* first(statement<Count>(changed)))?.rows ?? 0
}

/**
 * A text as PostgreSQL can hold it. Callers choose these, and one that holds U+0000 or half of a surrogate pair would otherwise keep its
 * whole batch from being written.
 */
const storable = <Text extends string | null>(text: Text) =>
  (text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null) as Text

function* prune(tx: Tx, before: Moment): Step<number> {
  yield* changeCount(tx, 0)
  return yield* remove(tx, sql`WHERE at < ${before} ORDER BY at, id`, REMOVED_MAX)
}

/** Of calls that are too many those without a key go first, so that no stranger removes what buyers asked; then the oldest. */
function* makeRoom(tx: Tx, excess: number): Step<void> {
  const strangers = yield* remove(tx, sql`WHERE agent_key_id IS NULL ORDER BY id`, excess)
  if (strangers < excess) yield* remove(tx, sql`ORDER BY id`, excess - strangers)
}

/** The first calls in an order, at most so many. Returns how many there were. */
function* remove(tx: Tx, inOrder: SQL, most: number): Step<number> {
  const some = sql`SELECT id FROM agent_call ${inOrder} LIMIT ${most}`
  const { length } = yield* all(tx.statement(sql`DELETE FROM agent_call WHERE id IN (${some}) RETURNING id`))
  yield* changeCount(tx, -length)
  return length
}
