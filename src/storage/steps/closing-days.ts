import { sql } from "drizzle-orm"
import type { ClosingTotal, OpenDay } from "../../domain/delivery/closing-day.ts"
import { correctedDays, dayEndOf, daysOfHistory, isMade } from "../../domain/delivery/closing-day.ts"
import type { CurrentTotal } from "../../domain/delivery/current-total.ts"
import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import { isAllAfter, isSameTotal, type LinkedReport } from "../../domain/delivery/withdrawal.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { nextTurn } from "../../next-turn.ts"
import { arrivals, latestArrivals } from "./delivery-history.ts"
import { settingOf } from "./operations.ts"
import type { BulkRows, ReadTx, Step, Steps, Tx } from "./step.ts"
import { all, and, asc, eq, exec, gt, inArray, isNotNull } from "./step.ts"

const DAYS_AT_ONCE = 500
// Days times lines: some milliseconds.
const LOOKS_AT_ONCE = 10_000
const FOUND_FEW = 1_000
// Each time servers forget the current totals that they remember, so a few lines are made together. Whoever reports for them waits, on
// SQLite everybody: some milliseconds for this many rows that are added or deleted.
const ROWS_AT_ONCE = 1_000
const LINES_AT_ONCE = 50
const RENEWED_AT_ONCE = 10
// Their histories lie side by side, where they were reported together.
const LINES_READ_TOGETHER = 4

/** The last totals of the days of lines. Those that are not kept yet are found in the whole history. */
export function closingDays(steps: Steps) {
  const { query, transactBeside } = steps
  return {
    /**
     * What counts of the last total of each of the latest `most` days of these lines, in the seller's time zone, oldest first. The current
     * total is the last one.
     */
    async days(lineIds: readonly number[], most = Number.POSITIVE_INFINITY) {
      const { days, unmade } = await madeDays(steps, lineIds, most)
      for (const some of inParts(unmade, LINES_READ_TOGETHER)) {
        const [states, latest] = await query(function* (tx) {
          return [yield* statesOf(tx, some), yield* latestArrivals(tx, some)] as const
        })
        for (const state of states) {
          const { history } = await daysFrom(steps, state, most, latest.get(state.lineId))
          days.set(state.lineId, latestOf(correctedDays(history.inOrder()), most))
        }
        // This takes some milliseconds: others are served in between.
        await nextTurn()
      }
      return days as ReadonlyMap<number, readonly DeliveryTotal[]>
    },
    /** The same of those lines whose days are made; and which are not, because of an upgrade, a withdrawal or another time zone. */
    daysMade: (lineIds: readonly number[], most: number) => madeDays(steps, lineIds, most),
    /**
     * Makes the closing totals of the days of some lines that have none: after an upgrade, a withdrawal or a change of the seller's time
     * zone. False when there is no such line.
     */
    async makeDays(stopping?: AbortSignal) {
      const states = await query(({ statement }) => all(statement<State>(UNMADE)))
      if (states.length === 0) return (await query(renewedThrough)) !== null && transactBeside(forgetNext)
      const made: Made[] = []
      let rows = 0
      for (const state of states) {
        const outdated = await query((tx) => closedDays(tx, ofLine(state.lineId)))
        const line = { ...(await daysFrom(steps, state)), outdated }
        made.push(line)
        rows += line.history.inOrder().length + outdated.length
        await nextTurn()
        if (rows >= ROWS_AT_ONCE || stopping?.aborted) break
      }
      if (made.length > 0) await transactBeside((tx) => keepDays(tx, made))
      return made.length > 0
    },
  }
}

/** All that a report or a withdrawal changes of a line. */
type State = Omit<CurrentTotal, "dayLow"> & {
  readonly lineId: number
  readonly timeZone: TimeZone
  readonly withdrawn: number
}

const STATES = sql.raw(`SELECT t.line_id AS "lineId", t.as_of AS "asOf", t.quantity, t.last_as_of AS "lastAsOf",
    t.last_quantity AS "lastQuantity", t.day_end AS "dayEnd", o.time_zone AS "timeZone",
    (SELECT count(*) FROM withdrawn_report w WHERE w.line_id = t.line_id) AS withdrawn
  FROM delivery_total t JOIN package_line l ON l.id = t.line_id JOIN organization o ON o.id = l.seller_id`)

const statesOf = ({ statement }: ReadTx, lineIds: readonly number[]) =>
  all(statement<State>(sql`${STATES} WHERE ${inArray(sql`t.line_id`, [...lineIds])}`))

const UNMADE = sql`${STATES} WHERE t.line_id IN
  (SELECT line_id FROM delivery_total WHERE day_end IS NULL LIMIT ${LINES_AT_ONCE})`

type Closing = Omit<ClosingTotal, "day">

/** The days of those lines whose days are made, and the other lines that have totals. */
async function madeDays(steps: Pick<Steps, "query">, lineIds: readonly number[], most: number) {
  const days = new Map<number, readonly DeliveryTotal[]>(lineIds.map((lineId) => [lineId, []]))
  const made = new Map<number, Closing[]>()
  const unmade: number[] = []
  for (const total of await steps.query((tx) => openDays(tx, lineIds))) {
    if (!days.has(total.lineId)) continue
    if (isMade(total)) made.set(total.lineId, [{ asOf: total.asOf, quantity: total.quantity, low: total.dayLow }])
    else unmade.push(total.lineId)
  }
  await addKeptDays(steps, made, most)
  for (const [lineId, totals] of made) days.set(lineId, latestOf(correctedDays(totals), most))
  return { days, unmade }
}

const latestOf = <Item>(items: readonly Item[], most: number) =>
  items.length <= most ? items : items.slice(items.length - most)

function* openDays({ statement }: ReadTx, lineIds: readonly number[]) {
  if (lineIds.length === 0) return []
  const open = sql`SELECT line_id AS "lineId", as_of AS "asOf", quantity, day_end AS "dayEnd",
    coalesce(day_low, quantity) AS "dayLow" FROM delivery_total WHERE ${among(lineIds).isAmong}`
  return yield* all(statement<OpenDay & { readonly lineId: number }>(open))
}

const FEW_LINES = 200
const OTHERS_SHARE_MAX = 0.5

/** One of these lines. Many that lie close together are read as a range, with some others: in a third of the time, or none where nothing is. */
function among(lineIds: readonly number[]) {
  const first = lineIds.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const last = lineIds.reduce((a, b) => Math.max(a, b), 0)
  const isRange = lineIds.length > FEW_LINES && lineIds.length / (last - first + 1) > OTHERS_SHARE_MAX
  const isAmong = isRange ? sql`line_id BETWEEN ${first} AND ${last}` : inArray(sql`line_id`, [...lineIds])
  return { isRange, isAmong }
}

/**
 * Adds the closing totals of the days before to the current totals of lines, until each has the latest `most`. The latest days first: most
 * lines need no more than these.
 */
async function addKeptDays({ query }: Pick<Steps, "query">, byLine: ReadonlyMap<number, Closing[]>, most: number) {
  const days = byLine.size === 0 || most <= 1 ? [] : await query(closedDays)
  const wanted = new Map(byLine)
  for (let [from, size, isSparse] = [0, most - 1, false]; from < days.length && wanted.size > 0; size *= 2) {
    // A line that is new, or whose flight was long ago, is looked for on all days: others are served in between.
    if (from > 0) await nextTurn()
    const { isRange, isAmong } = among([...wanted.keys()])
    const few = Math.ceil(LOOKS_AT_ONCE / wanted.size)
    size = Math.min(size, DAYS_AT_ONCE, isSparse && isRange ? DAYS_AT_ONCE : few)
    // No more rows than those few days can have: where suddenly there are more, all of them are read a few days at a time.
    const limit = (few * wanted.size) / OTHERS_SHARE_MAX + 1
    const isWanted = and(inArray(sql`day`, days.slice(from, from + size)), isAmong)
    const found = await query((tx) => all(tx.numbers(sql`${KEPT} WHERE ${isWanted} LIMIT ${limit}`, KEPT_NAMES)))
    isSparse = found.length < FOUND_FEW
    if (found.length === limit) continue
    for (const kept of found) {
      const totals = wanted.get(kept.lineId)
      // Without a day that was closed since the current total was read.
      if (totals?.[0] && kept.asOf < totals[0].asOf) totals.push(kept)
    }
    for (const [id, totals] of wanted) if (totals.length >= most) wanted.delete(id)
    from += size
  }
  for (const totals of byLine.values()) totals.sort((a, b) => a.asOf - b.asOf)
}

const KEPT_NAMES = ["lineId", "asOf", "quantity", "low"] as const
const KEPT = sql.raw(
  `SELECT line_id AS "lineId", as_of AS "asOf", quantity, coalesce(low, quantity) AS low FROM delivery_day`,
)

// Each is found by one look into the index.
const CLOSED = sql.raw(`WITH RECURSIVE closed(day) AS (SELECT max(day) FROM delivery_day
    UNION ALL SELECT (SELECT max(day) FROM delivery_day d WHERE d.day < closed.day) FROM closed WHERE closed.day IS NOT NULL)`)

const ANY_LINE = sql`WHERE day IS NOT NULL`
// A CROSS JOIN, so that SQLite begins with the days.
const ofLine = (id: number) => sql`CROSS JOIN delivery_day d WHERE d.day = closed.day AND d.line_id = ${id}`

/** The days that have a closing total, the latest first. */
function* closedDays({ statement }: ReadTx, which = ANY_LINE): Step<string[]> {
  const closed = statement<{ day: string }>(sql`${CLOSED} SELECT closed.day FROM closed ${which}`)
  return (yield* all(closed)).map(({ day }) => day)
}

/**
 * From the history, some of it at a time: all of it, or as much as tells the latest `most` days. Begun anew when the report to go on with
 * was withdrawn meanwhile.
 */
async function daysFrom(
  steps: Pick<Steps, "query">,
  state: State,
  most = Number.POSITIVE_INFINITY,
  latest?: readonly LinkedReport[],
): Promise<Omit<Made, "outdated">> {
  const arrivedBy = (from: DeliveryTotal | null): Promise<readonly LinkedReport[]> =>
    steps.query((tx) => arrivals(tx, state.lineId, from))
  const newest = latest ?? (await arrivedBy(null))
  const history = daysOfHistory(state.timeZone)
  const { lastAsOf, lastQuantity } = state
  // A correction back to an earlier figure of the same moment is not in the history again, but is current.
  if (newest[0] && isSameTotal(newest[0], { asOf: lastAsOf, quantity: lastQuantity })) history.add([state])
  for (let reports = newest; ; await nextTurn()) {
    history.add(reports)
    const last = reports.at(-1)
    const first = Number.isFinite(most) ? history.inOrder().at(-most) : undefined
    const isAll = first !== undefined && last !== undefined && isAllAfter(first.asOf, last)
    if (isAll || !last?.previous) return { state, last: newest[0], history }
    reports = await arrivedBy(last.previous)
    if (reports.length === 0) return daysFrom(steps, state, most)
  }
}

/** The days of a line as it was. */
interface Made {
  readonly state: State
  /** The last report that they know of. */
  readonly last: LinkedReport | undefined
  readonly history: ReturnType<typeof daysOfHistory>
  /** The days that have a closing total from before. Only whoever makes the line's days changes them. */
  readonly outdated: readonly string[]
}

const DAY_COLUMNS = { day: "text", line_id: "number", as_of: "number", quantity: "number", low: "number" } as const

function* keepDays(tx: Tx, made: readonly Made[]): Step<void> {
  const { db, deliveryTotal } = tx
  const lineIds = made.map(({ state }) => state.lineId)
  yield* exec(tx.lockTotals(lineIds))
  const states = new Map((yield* statesOf(tx, lineIds)).map((state) => [state.lineId, state]))
  const rows: BulkRows["rows"][number][] = []
  for (const { state, last, history, outdated } of made) {
    const { lineId, timeZone, withdrawn } = state
    const now = states.get(lineId)
    // Made by another server meanwhile, or tried again.
    if (now?.dayEnd !== null || now.withdrawn !== withdrawn || now.timeZone !== timeZone) continue
    const arrived = yield* arrivedAfter(tx, now, last)
    // What corrects a moment that was read already is tried again, too.
    const isCorrected = arrived?.some(({ asOf }) => history.at(asOf) !== undefined)
    if (arrived === undefined || isCorrected || (history.at(now.asOf) ?? now.quantity) !== now.quantity) continue
    history.add(arrived)
    yield* deleteOn(tx, [lineId], outdated)
    const dayEnd = dayEndOf(now, timeZone)
    const days = history.inOrder()
    const dayLow = days.at(-1)?.low ?? now.quantity
    yield* exec(db.update(deliveryTotal).set({ dayEnd, dayLow }).where(eq(deliveryTotal.lineId, lineId)))
    for (const { day, asOf, quantity, low } of days.slice(0, -1))
      rows.push({ day, line_id: lineId, as_of: asOf, quantity, low })
  }
  yield* exec(tx.insertMany("delivery_day", { columns: DAY_COLUMNS, rows }))
}

/** What was reported for a line after this report, latest arrival first; undefined where that is not found. */
function* arrivedAfter(tx: ReadTx, now: State, last: LinkedReport | undefined): Step<LinkedReport[] | undefined> {
  const { lineId, lastAsOf, lastQuantity } = now
  if (last === undefined || isSameTotal(last, { asOf: lastAsOf, quantity: lastQuantity })) return []
  const latest = (yield* latestArrivals(tx, [lineId], last.receivedAt)).get(lineId) ?? []
  const index = latest.findIndex((report) => isSameTotal(report, last))
  return index < 0 ? undefined : latest.slice(0, index)
}

const TOTAL_COLUMNS = { line_id: "number", as_of: "number", quantity: "number" } as const
const LAST_COLUMNS = { last_as_of: "number", last_quantity: "number" } as const
type TotalRow = Readonly<Record<keyof typeof TOTAL_COLUMNS | keyof typeof LAST_COLUMNS, number>>
const REPLACED = `(line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity,
  last_as_of = excluded.last_as_of, last_quantity = excluded.last_quantity, day_end = NULL`

/** Sets the totals of lines that have one. Without the end of their day: the closing totals are made anew. */
export const setTotals = (tx: Tx, rows: readonly TotalRow[]) =>
  exec(tx.insertMany("delivery_total", { columns: { ...TOTAL_COLUMNS, ...LAST_COLUMNS }, rows }, REPLACED))

/** Deletes the closing totals of lines. */
export function* deleteDays(tx: Tx, lineIds: readonly number[]): Step<void> {
  yield* deleteOn(tx, lineIds, yield* closedDays(tx))
}

function* deleteOn(tx: Tx, lineIds: readonly number[], days: readonly string[]): Step<void> {
  const { db, deliveryDay } = tx
  for (const some of inParts(days, DAYS_AT_ONCE)) {
    const isOneOf = and(inArray(deliveryDay.lineId, [...lineIds]), inArray(deliveryDay.day, some))
    yield* exec(db.delete(deliveryDay).where(isOneOf))
  }
}

const RENEWED = "days_renewed_through"

const renewedThrough = (tx: ReadTx) => settingOf(tx, RENEWED)

/**
 * After an upgrade that made the days outdated: forgets those of the next lines, so that they are made anew. Few at a time: the others are
 * shown as they were made before, and no page has to find many in the history. False when all were forgotten once.
 */
function* forgetNext(tx: Tx): Step<boolean> {
  const { db, setting, deliveryTotal: total } = tx
  const isNext = gt(total.lineId, Number(yield* renewedThrough(tx)))
  const next = db.select({ id: total.lineId }).from(total).where(isNext).orderBy(asc(total.lineId))
  const ids = (yield* all(next.limit(RENEWED_AT_ONCE))).map(({ id }) => id)
  const isNote = eq(setting.name, RENEWED)
  if (ids.length === 0) yield* exec(db.delete(setting).where(isNote))
  else {
    const value = String(ids.at(-1))
    yield* exec(db.update(total).set({ dayEnd: null }).where(inArray(total.lineId, ids)))
    yield* exec(db.update(setting).set({ value }).where(isNote))
  }
  return ids.length > 0
}

/** For when the time zone of a seller changes: all days begin and end at other moments, and are made anew. */
export function* forgetDays({ db, deliveryTotal, packageLine }: Tx, sellerId: number): Step<void> {
  const lines = db.select({ id: packageLine.id }).from(packageLine).where(eq(packageLine.sellerId, sellerId))
  const areMade = and(isNotNull(deliveryTotal.dayEnd), inArray(deliveryTotal.lineId, lines))
  yield* exec(db.update(deliveryTotal).set({ dayEnd: null }).where(areMade))
}
