import { eq, type SQL, sql } from "drizzle-orm"
import { isCountryCode } from "../../../domain/countries.ts"
import type { DemandCall } from "../../../domain/demand/demand-tally.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import {
  type CallLogSize,
  PRUNED_FOR_ROOM_MAX,
  PRUNED_ROWS_MAX,
  surplusCalls,
} from "../../../domain/operations/call-log.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { CallFilter, CallResult, LoggedCall, NewCall } from "../../port/call-log.ts"
import type { PageRequest } from "../../port/page-request.ts"
import { contains, searchBackwards } from "../search-backwards.ts"
import { all, exec, first, type LaterSteps, type Step, type Steps, type Tx } from "../step.ts"
import type { Behind } from "./write-behind.ts"

// Each statement finds its rows by an index or in the order of ids: the log may have a million rows.

const FLUSHED_AT = 262_144
// The size of a call without its texts.
const CALL_BYTES = 300
// Where anonymous calls take more than this part of the log, they alone make room: no stranger removes what buyers asked.
const ANONYMOUS_PART = 1 / 4
// The row beside the sizes that notes, in place of bytes, up to when calls with keys had to go.
const CUT = 3
// How many calls one step looks through for anonymous ones, and how often.
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
    size: () =>
      query(function* ({ db, agentCallSize: { rows, bytes }, agentCallSize }): Step<CallLogSize> {
        const [size] = yield* all(db.select({ rows, bytes }).from(agentCallSize).where(eq(agentCallSize.id, 1)))
        return size ?? { rows: 0, bytes: 0 }
      }),
    /** When the latest of the calls with keys was made that had to go for want of room; null: none had to. */
    cutAt: () =>
      query(function* ({ db, agentCallSize: { bytes }, agentCallSize }): Step<Moment | null> {
        return (yield* first(db.select({ bytes }).from(agentCallSize).where(eq(agentCallSize.id, CUT))))?.bytes ?? null
      }),
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

type CalledFor = Readonly<{ id: number; result: CallResult | null; demand: string | null }>

const countriesIn = (demand: string): readonly string[] =>
  /"countries":\[([^\]]*)\],"formats"/.exec(demand)?.[1]?.match(/[A-Z]{2}/g) ?? []

function searchFor({ tool, outcome, caller, result, country, text, ...time }: CallFilter) {
  const matching = [
    tool === undefined ? undefined : sql`e.tool = ${storable(tool)}`,
    outcome === undefined ? undefined : sql`e.outcome = ${outcome}`,
    caller === undefined ? undefined : sql`coalesce(e.agent_key_id, 'anonymous') = ${caller}`,
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
  // A log from before anonymous calls were counted: those that are in it are not.
  yield* exec(
    tx.statement(sql`INSERT INTO agent_call_size (id, rows, bytes)
      SELECT 2, coalesce(max(id), 0), 0 FROM agent_call WHERE 1 = 1 ON CONFLICT (id) DO NOTHING`),
  )
  yield* exec(tx.insertMany("agent_call", { columns: COLUMNS, rows }))
  const added = sql`(SELECT bytes, agent_key_id FROM agent_call ORDER BY id DESC LIMIT ${rows.length}) AS added`
  const grow = (id: number, which: SQL) => sql`UPDATE agent_call_size
    SET bytes = bytes + (SELECT coalesce(sum(bytes), 0) FROM ${added} WHERE ${which}) WHERE id = ${id}`
  yield* exec(tx.statement(grow(1, sql`1 = 1`)))
  yield* exec(tx.statement(grow(2, sql`agent_key_id IS NULL`)))
  yield* removeBeyond(tx, bytesMax, PRUNED_FOR_ROOM_MAX)
}

/**
 * A text as PostgreSQL can hold it. Callers choose these, and one that holds U+0000 or half of a surrogate pair would otherwise keep its
 * whole batch from being written.
 */
function storable<Text extends string | null>(text: Text): Text {
  return (text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null) as Text
}

function* prune(tx: Tx, before: Moment, bytesMax: number): Step<number> {
  yield* exec(tx.statement(sql`UPDATE agent_call_size SET rows = rows WHERE id = 1`))
  const { from } = yield* anonymousCalls(tx)
  const old = sql`SELECT at, id, bytes, ${anonymousBytes(from)} FROM agent_call WHERE at < ${before}
    ORDER BY at, id LIMIT ${PRUNED_ROWS_MAX}`
  const removed = yield* remove(tx, old, Number.POSITIVE_INFINITY, ({ at, id }) => sql`(at, id) <= (${at}, ${id})`)
  return removed || (yield* removeBeyond(tx, bytesMax, PRUNED_ROWS_MAX))
}

/** The bytes of anonymous calls with ids above `from`. Older ones were removed, or come from a time when nobody counted them. */
function* anonymousCalls(tx: Tx): Step<Readonly<{ from: number; bytes: number }>> {
  const counted = sql`SELECT rows AS "from", bytes FROM agent_call_size WHERE id = 2`
  return (yield* first(tx.statement<{ from: number; bytes: number }>(counted))) ?? { from: 0, bytes: 0 }
}

const anonymousBytes = (from: number) =>
  sql`CASE WHEN agent_key_id IS NULL AND id > ${from} THEN bytes ELSE 0 END AS anonymous`

function* removeBeyond(tx: Tx, bytesMax: number, rowsMax: number): Step<number> {
  const size = yield* first(tx.statement<{ bytes: number }>(sql`SELECT bytes FROM agent_call_size WHERE id = 1`))
  const excess = (size?.bytes ?? 0) - bytesMax
  if (excess <= 0) return 0
  const needed = Math.min(Math.ceil(excess / CALL_BYTES_MIN), rowsMax)
  const { from, bytes } = yield* anonymousCalls(tx)
  const theirs = Math.min(excess, Math.max(0, bytes - bytesMax * ANONYMOUS_PART))
  const removed = theirs > 0 ? yield* removeAnonymous(tx, theirs, from, needed) : 0
  if (theirs === excess) return removed
  const oldest = sql`SELECT at, id, bytes, ${anonymousBytes(from)}, agent_key_id AS key FROM agent_call
    ORDER BY id LIMIT ${needed}`
  let cutAt: Moment | undefined
  const more = yield* remove(tx, oldest, excess - theirs, ({ id }, all) => {
    cutAt = all.findLast(({ key }) => key)?.at
    return sql`id <= ${id}`
  })
  if (cutAt !== undefined)
    yield* exec(
      tx.statement(sql`INSERT INTO agent_call_size (id, rows, bytes) VALUES (${CUT}, 0, ${cutAt})
        ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes`),
    )
  return removed + more
}

/** Goes on where the last step ended: what lies between two anonymous calls is looked through once. */
function* removeAnonymous(tx: Tx, excess: number, from: number, rowsMax: number): Step<number> {
  const lookFrom = (id: number | SQL) => exec(tx.statement(sql`UPDATE agent_call_size SET rows = ${id} WHERE id = 2`))
  let start = from
  for (let look = 0; look < LOOKS_MAX; look++) {
    const earliest = sql`SELECT min(id) - 1 AS id FROM agent_call WHERE id > ${start}`
    start = (yield* first(tx.statement<{ id: number | null }>(earliest)))?.id ?? start
    const through = start + LOOKED_THROUGH
    const among = sql`agent_key_id IS NULL AND id > ${start}`
    const oldest = sql`SELECT at, id, bytes, bytes AS anonymous FROM agent_call WHERE ${among} AND id <= ${through}
      ORDER BY id LIMIT ${rowsMax}`
    let last = start
    const removed = yield* remove(tx, oldest, excess, ({ id }) => {
      last = id
      return sql`${among} AND id <= ${id}`
    })
    yield* lookFrom(
      removed > 0 ? last : sql`(SELECT coalesce(max(id), ${start}) FROM agent_call WHERE id <= ${through})`,
    )
    if (removed > 0) return removed
    start = through
  }
  return 0
}

interface Oldest {
  readonly at: Moment
  readonly id: number
  readonly bytes: number
  /** The bytes, where they are counted among those of anonymous calls. */
  readonly anonymous: number
  /** Whose it was, where that is asked for. */
  readonly key?: string | null
}

/** Deletes the first of these calls, as many as are too many, and tells how many. */
function* remove(
  tx: Tx,
  calls: SQL,
  excess: number,
  upTo: (last: Oldest, all: readonly Oldest[]) => SQL,
): Step<number> {
  const oldest = yield* all(tx.statement<Oldest>(calls))
  const { rows, bytes } = surplusCalls(
    excess,
    oldest.map((call) => call.bytes),
  )
  const removed = oldest.slice(0, rows)
  const last = removed.at(-1)
  if (last === undefined) return 0
  const anonymous = removed.reduce((sum, call) => sum + call.anonymous, 0)
  yield* exec(tx.statement(sql`DELETE FROM agent_call WHERE ${upTo(last, removed)}`))
  const less = (column: string, by: number) => sql.raw(`CASE WHEN ${column} > ${by} THEN ${column} - ${by} ELSE 0 END`)
  yield* exec(
    tx.statement(
      sql`UPDATE agent_call_size SET rows = ${less("rows", rows)}, bytes = ${less("bytes", bytes)} WHERE id = 1`,
    ),
  )
  if (anonymous > 0)
    yield* exec(tx.statement(sql`UPDATE agent_call_size SET bytes = ${less("bytes", anonymous)} WHERE id = 2`))
  return rows
}
