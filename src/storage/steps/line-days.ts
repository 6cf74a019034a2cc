import { type SQL, sql } from "drizzle-orm"
import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import { correctedDays, dayOfReports, type LineDay } from "../../domain/delivery/line-day.ts"
import { type CalendarDate, daysBefore, type Moment, parseDate } from "../../domain/time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../../domain/time/time-zone.ts"
import { nextTurn } from "../../next-turn.ts"
import type { BulkRows, ReadTx, Step, Steps, Tx } from "./step.ts"
import { all, and, asc, eq, exec, first, gt, inArray, lt } from "./step.ts"

// Each day of a line has one row (delivery_day), which is written with every report. A row is worked out again from the reports of that
// day when one of them is withdrawn or corrected, and when the seller's time zone has changed, since days then begin at other moments.

const DAYS_AT_ONCE = 500
// Days times lines: some milliseconds.
const LOOKS_AT_ONCE = 10_000
const FOUND_FEW = 1_000

/** The days of lines, for pages, charts, files and sums. */
export const lineDays = (steps: Pick<Steps, "query">) => ({
  /** What counts of the last total of each of the latest `most` days of these lines, in the seller's time zone, oldest first. */
  async days(lineIds: readonly number[], most = Number.POSITIVE_INFINITY) {
    const outdated = await steps.query((tx) => outdatedAmong(tx, lineIds))
    const kept = lineIds.filter((lineId) => !outdated.has(lineId))
    const found = await steps.query((tx) => keptDays(tx, kept, most, null))
    for (const [zone, lines] of Map.groupBy(outdated, ([, timeZone]) => timeZone)) {
      const ids = lines.map(([lineId]) => lineId)
      for (const [lineId, days] of await daysOfHistory(steps, ids, zone, most)) found.set(lineId, days)
    }
    const corrected = lineIds.map((lineId) => [lineId, latestOf(correctedDays(found.get(lineId) ?? []), most)] as const)
    return new Map<number, readonly DeliveryTotal[]>(corrected)
  },
})

const latestOf = <Item>(items: readonly Item[], most: number) =>
  items.length <= most ? items : items.slice(items.length - most)

/** Which lines, by the name of the column with their id. */
export type Lines = (lineId: SQL) => SQL

export const theseLines =
  (lineIds: readonly number[]): Lines =>
  (lineId) =>
    inArray(lineId, [...lineIds])

const linesOf =
  (sellerId: number): Lines =>
  (lineId) =>
    sql`${lineId} IN (SELECT id FROM package_line WHERE seller_id = ${sellerId})`

// Kept days

const FEW_LINES = 200
const OTHERS_SHARE_MAX = 0.5

/** One of these lines. Many that lie close together are read as a range, with some others: in a third of the time, or none where nothing is. */
function among(lineIds: readonly number[]) {
  const least = lineIds.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = lineIds.reduce((a, b) => Math.max(a, b), 0)
  const isRange = lineIds.length > FEW_LINES && lineIds.length / (most - least + 1) > OTHERS_SHARE_MAX
  const isAmong = isRange ? sql`line_id BETWEEN ${least} AND ${most}` : inArray(sql`line_id`, [...lineIds])
  return { isRange, isAmong }
}

const KEPT_NAMES = ["lineId", "asOf", "quantity", "low"] as const
const KEPT = sql.raw(
  `SELECT line_id AS "lineId", as_of AS "asOf", quantity, coalesce(low, quantity) AS low FROM delivery_day`,
)

/**
 * The latest `most` days of each line before a day, or of all, oldest first. The latest days of all are looked at first: most lines need no
 * more than these.
 */
function* keptDays(tx: ReadTx, lineIds: readonly number[], most: number, before: CalendarDate | null) {
  const byLine = new Map<number, LineDay[]>(lineIds.map((lineId) => [lineId, []]))
  if (lineIds.length === 0) return byLine
  const reported = sql`SELECT line_id AS "lineId" FROM delivery_total WHERE ${among(lineIds).isAmong}`
  const wanted = new Map<number, LineDay[]>()
  for (const { lineId } of yield* all(tx.numbers(reported, ["lineId"]))) {
    const days = byLine.get(lineId)
    if (days !== undefined) wanted.set(lineId, days)
  }
  const days = wanted.size === 0 ? [] : yield* listedDays(tx, before)
  for (let [from, size, isSparse] = [0, most, false]; from < days.length && wanted.size > 0; size *= 2) {
    const { isRange, isAmong } = among([...wanted.keys()])
    const few = Math.ceil(LOOKS_AT_ONCE / wanted.size)
    size = Math.min(size, DAYS_AT_ONCE, isSparse && isRange ? DAYS_AT_ONCE : few)
    // No more rows than those few days can have: where suddenly there are more, all of them are read a few days at a time.
    const limit = (few * wanted.size) / OTHERS_SHARE_MAX + 1
    const isWanted = and(inArray(sql`day`, days.slice(from, from + size)), isAmong)
    const found = yield* all(tx.numbers(sql`${KEPT} WHERE ${isWanted} LIMIT ${limit}`, KEPT_NAMES))
    isSparse = found.length < FOUND_FEW
    if (found.length === limit) continue
    for (const day of found) wanted.get(day.lineId)?.push(day)
    for (const [lineId, kept] of wanted) if (kept.length >= most) wanted.delete(lineId)
    from += size
  }
  for (const kept of byLine.values()) kept.sort((a, b) => a.asOf - b.asOf)
  return byLine
}

/** Days that have a row, the latest first, each found by one look into the index; before a day, or all. */
function listed(before: CalendarDate | null): SQL {
  const latest = before === null ? sql`` : sql`WHERE day < ${before}`
  return sql`WITH RECURSIVE listed(day) AS (SELECT max(day) FROM delivery_day ${latest}
    UNION ALL SELECT (SELECT max(day) FROM delivery_day d WHERE d.day < listed.day) FROM listed WHERE listed.day IS NOT NULL)`
}

/** The days that have a row, the latest first. */
export function* listedDays({ statement }: ReadTx, before: CalendarDate | null = null): Step<CalendarDate[]> {
  const days = statement<{ day: CalendarDate }>(
    sql`${listed(before)} SELECT day FROM listed WHERE day IS NOT NULL ORDER BY day DESC`,
  )
  return (yield* all(days)).map(({ day }) => day)
}

/** What is kept of a day of lines. */
export const keptDaysOn = (tx: ReadTx, day: CalendarDate, lines: Lines) =>
  all(tx.numbers(sql`${KEPT} WHERE ${and(sql`day = ${day}`, lines(sql`line_id`))}`, KEPT_NAMES))

/** The latest days of a line before this one, the last first. */
export function* daysOfLineBefore({ statement }: ReadTx, lineId: number, before: CalendarDate | null, most: number) {
  // A CROSS JOIN, so that SQLite begins with the days.
  const days = statement<{ day: CalendarDate }>(sql`${listed(before)} SELECT listed.day FROM listed
    CROSS JOIN delivery_day d WHERE d.day = listed.day AND d.line_id = ${lineId} ORDER BY listed.day DESC LIMIT ${most}`)
  return (yield* all(days)).flatMap(({ day }) => parseDate(day) ?? [])
}

/** The last total of each of these lines of one seller before a day in its time zone; without those that have none. */
export function* totalsBefore(tx: ReadTx, lineIds: readonly number[], before: CalendarDate, zone: TimeZone) {
  const isOutdated = lineIds.length > 0 && (yield* outdatedAmong(tx, lineIds)).size > 0
  if (isOutdated) return yield* totalsInHistory(tx, lineIds, before, zone)
  const found = new Map<number, DeliveryTotal>()
  for (const [lineId, days] of yield* keptDays(tx, lineIds, 1, before)) {
    const { asOf, quantity } = days.at(-1) ?? {}
    if (asOf !== undefined && quantity !== undefined) found.set(lineId, { asOf, quantity })
  }
  return found
}

/** The same from the reports, a day at a time. */
function* totalsInHistory(tx: ReadTx, lineIds: readonly number[], before: CalendarDate, zone: TimeZone) {
  const found = new Map<number, DeliveryTotal>()
  const wanted = new Set(lineIds)
  for (let day = yield* dayMeasuredBefore(tx, before, zone); day !== null && wanted.size > 0; ) {
    for (const [lineId, { asOf, quantity }] of yield* daysFromReports(tx, day, zone, theseLines([...wanted]))) {
      found.set(lineId, { asOf, quantity })
      wanted.delete(lineId)
    }
    day = yield* dayMeasuredBefore(tx, day, zone)
  }
  return found
}

// Days from their reports

const REPORT_NAMES = ["lineId", "asOf", "quantity", "receivedAt", "sourceId"] as const
export type StoredReport = Readonly<Record<(typeof REPORT_NAMES)[number], number>>

/** The reports of lines that were measured between two moments. */
export function reportsBetween({ numbers }: ReadTx, from: Moment, to: Moment, which: SQL | undefined) {
  const measured = and(sql`r.as_of BETWEEN ${from} AND ${to}`, which)
  const reports = sql`SELECT r.line_id AS "lineId", r.as_of AS "asOf", r.quantity, r.received_at AS "receivedAt",
    r.source_id AS "sourceId" FROM delivery_report r WHERE ${measured}`
  return all(numbers(reports, REPORT_NAMES))
}

export const reportsOfDay = (tx: ReadTx, day: CalendarDate, zone: TimeZone, lines: Lines) =>
  reportsBetween(tx, startOfDay(day, zone), endOfDay(day, zone), lines(sql`r.line_id`))

/** The latest day before this one, or of all, on which anything was measured; null where there is none. */
export function* dayMeasuredBefore({ statement }: ReadTx, before: CalendarDate | null, zone: TimeZone) {
  const until = before === null ? sql`` : sql`WHERE as_of <= ${endOfDay(daysBefore(before, 1), zone)}`
  const latest = statement<{ asOf: number | null }>(sql`SELECT max(as_of) AS "asOf" FROM delivery_report ${until}`)
  const asOf = (yield* first(latest))?.asOf ?? null
  if (asOf === null) return null
  const day = dayOf(asOf, zone)
  if (before === null || day < before) return day
  // Where clocks go back over midnight, the end of a day is after the beginning of the next. No day is before the first of all.
  const dayBefore = daysBefore(before, 1)
  return dayBefore < before ? dayBefore : null
}

/** What these reports make of a day, by line. */
export function daysOfReports(day: CalendarDate, zone: TimeZone, reports: readonly StoredReport[]) {
  const days = new Map<number, LineDay>()
  for (const [lineId, own] of Map.groupBy(reports, (report) => report.lineId)) {
    const made = dayOfReports(day, zone, own)
    if (made !== undefined) days.set(lineId, made)
  }
  return days
}

/** A day of lines, from the reports that are there. */
function* daysFromReports(tx: ReadTx, day: CalendarDate, zone: TimeZone, lines: Lines): Step<Map<number, LineDay>> {
  return daysOfReports(day, zone, yield* reportsOfDay(tx, day, zone, lines))
}

const DAY_COLUMNS = { day: "text", line_id: "number", as_of: "number", quantity: "number", low: "number" } as const

const dayRow = (day: CalendarDate, lineId: number, { asOf, quantity, low }: LineDay): BulkRows["rows"][number] => ({
  day,
  line_id: lineId,
  as_of: asOf,
  quantity,
  low,
})

/** Replaces what is kept of a day of lines. */
export function* replaceDay(tx: Tx, day: CalendarDate, lines: Lines, days: ReadonlyMap<number, LineDay>): Step<void> {
  const { db, deliveryDay } = tx
  yield* exec(db.delete(deliveryDay).where(and(eq(deliveryDay.day, day), lines(sql`line_id`))))
  const rows = [...days].map(([lineId, made]) => dayRow(day, lineId, made))
  yield* exec(tx.insertMany("delivery_day", { columns: DAY_COLUMNS, rows }))
}

/** Works out a day of lines anew, because one of its reports was corrected. */
export function* workOutDay(tx: Tx, day: CalendarDate, zone: TimeZone, lineIds: readonly number[]): Step<void> {
  const lines = theseLines(lineIds)
  yield* replaceDay(tx, day, lines, yield* daysFromReports(tx, day, zone, lines))
}

// Outdated days: while a seller is in outdated_days, all that reads days works them out from the reports. Upkeep replaces the rows a day at
// a time, from the last one back, and then takes the seller out.

/** All days of a seller's lines begin and end at other moments from now on. */
export function* outdateDays({ db, outdatedDays }: Tx, organizationId: number): Step<void> {
  const set = { before: null }
  const rows = db.insert(outdatedDays).values({ organizationId, ...set })
  yield* exec(rows.onConflictDoUpdate({ target: outdatedDays.organizationId, set }))
}

/** Those of these lines whose days are outdated, with the time zone of their seller. */
function* outdatedAmong(tx: ReadTx, lineIds: readonly number[]): Step<Map<number, TimeZone>> {
  const { db, outdatedDays, organization, packageLine } = tx
  const sellers = db.select({ id: organization.id, zone: organization.timeZone }).from(outdatedDays)
  const outdated = new Map<number, TimeZone>()
  const wanted = new Set(lineIds)
  for (const { id, zone } of yield* all(
    sellers.innerJoin(organization, eq(organization.id, outdatedDays.organizationId)),
  )) {
    const lines = db.select({ id: packageLine.id }).from(packageLine).where(eq(packageLine.sellerId, id))
    for (const line of yield* all(lines)) if (wanted.has(line.id)) outdated.set(line.id, zone)
  }
  return outdated
}

/** The latest `most` days of each line from its reports, oldest first: a day at a time, from the last one back. */
async function daysOfHistory(
  { query }: Pick<Steps, "query">,
  lineIds: readonly number[],
  zone: TimeZone,
  most: number,
) {
  const byLine = new Map<number, LineDay[]>(lineIds.map((lineId) => [lineId, []]))
  const wanted = new Map(byLine)
  for (let before: CalendarDate | null = null; wanted.size > 0; await nextTurn()) {
    const upTo: CalendarDate | null = before
    const day: CalendarDate | null = await query((tx) => dayMeasuredBefore(tx, upTo, zone))
    if (day === null) break
    const made = await query((tx) => daysFromReports(tx, day, zone, theseLines([...wanted.keys()])))
    for (const [lineId, one] of made) if (wanted.get(lineId)?.unshift(one) === most) wanted.delete(lineId)
    before = day
  }
  return byLine
}

/**
 * Works out the next day of the next organization whose days are outdated, from the last day back, so that what most pages show is right
 * first. False when there is no such organization.
 */
export function* renewNextDay(tx: Tx): Step<boolean> {
  const { db, outdatedDays, organization, deliveryDay } = tx
  const { organizationId: id, before } = outdatedDays
  const outdated = db.select({ id, before, zone: organization.timeZone }).from(outdatedDays)
  const ofOrganization = outdated.leftJoin(organization, eq(organization.id, id)).orderBy(asc(id))
  const next = yield* first(ofOrganization.limit(1))
  if (next === undefined) return false
  const day = next.zone === null ? null : yield* dayMeasuredBefore(tx, next.before, next.zone)
  const lines = linesOf(next.id)
  const isOutdated = and(day === null ? undefined : gt(deliveryDay.day, day), lines(sql`line_id`))
  yield* exec(
    db.delete(deliveryDay).where(and(next.before === null ? undefined : lt(deliveryDay.day, next.before), isOutdated)),
  )
  const isIt = eq(id, next.id)
  if (day === null || next.zone === null) yield* exec(db.delete(outdatedDays).where(isIt))
  else {
    yield* replaceDay(tx, day, lines, yield* daysFromReports(tx, day, next.zone, lines))
    yield* exec(db.update(outdatedDays).set({ before: day }).where(isIt))
  }
  return true
}
