import { expectedAt, type PacedLine } from "../campaign/line-state.ts"
import { memoize } from "../memoize.ts"
import { type CalendarDate, daysBefore, daysBetween, type Moment } from "../time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"

export interface SeriesPoint {
  readonly asOf: Moment
  /** The day in the seller's time zone. A closing total, in a day's last microsecond, belongs to that day. */
  readonly day: CalendarDate
  /** The total; null where only the plan is known, at the end of a flight. */
  readonly quantity: number | null
  /** The planned total at that moment, in whole units; null without a plan. */
  readonly expected: number | null
}

/**
 * A line's delivery over time, from the start of the flight to its end where there is a plan. Charts, sparklines, tables and files
 * are made from it. If there are more than `most` points, only the last of each day; if these are still too many, an even sample.
 *
 * `reports` are sorted by time, the latest arrival of each moment last, as the store returns them.
 */
export function seriesOf(line: PacedLine, reports: readonly DeliveryTotal[], zone: TimeZone, most: number) {
  const measured = correctedTotals(reports, zone)
  const points = thinned(measured.length > most ? closingOnly(measured) : measured, most)
  const taken = new Set(points.map(({ asOf }) => asOf))
  const ends = flightEnds(line, measured[0], zone).filter(({ asOf }) => !taken.has(asOf))
  // A total measured at that very moment, but left out above, is better than the plan.
  return [...points, ...ends.map((end) => measured.find(({ asOf }) => asOf === end.asOf) ?? end)]
    .sort((a, b) => a.asOf - b.asOf)
    .map((point) => ({ ...point, expected: plannedAt(line, point.asOf, zone) }))
}

/**
 * What stands of totals that are sorted by time: a total so far cannot fall, so a later, smaller one corrects all those before it that
 * were higher. Every chart, day, sum and file is of these; only the history shows what was reported. Read for tens of thousands at once.
 */
function correctedTotals(reports: readonly DeliveryTotal[], zone: TimeZone): Total[] {
  const measured: Total[] = []
  let least = Number.POSITIVE_INFINITY
  for (let i = reports.length - 1; i >= 0; i--) {
    const { asOf, quantity } = reports[i] as DeliveryTotal
    // Of one moment the last arrival counts.
    if (asOf === reports[i + 1]?.asOf) continue
    least = Math.min(least, quantity)
    measured.push({ asOf, day: dayOf(asOf, zone), quantity: least })
  }
  return measured.reverse()
}

type Measured = Omit<SeriesPoint, "expected">
type Total = Measured & DeliveryTotal

/** Zero at the start of the flight, unless it was moved past the first total; at its end, only the plan is known. */
function flightEnds(line: PacedLine, first: DeliveryTotal | undefined, zone: TimeZone): Measured[] {
  const start = { asOf: startOfDay(line.flightStart, zone), day: line.flightStart, quantity: 0 }
  const starts = first !== undefined && first.asOf < start.asOf ? [] : [start]
  if (line.flightEnd === null || line.booked === null) return starts
  return [...starts, { asOf: endOfDay(line.flightEnd, zone), day: line.flightEnd, quantity: null }]
}

const closingOnly = <Point extends Measured>(points: readonly Point[]): Point[] =>
  points.filter(({ day }, i) => day !== points[i + 1]?.day)

function plannedAt(line: PacedLine, at: Moment, zone: TimeZone): number | null {
  const expected = expectedAt(line, at, zone)
  return expected === null ? null : Math.round(expected)
}

/** An even sample of at most `most` items, including the first and the last. */
function thinned<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  const step = (items.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => items[Math.round(i * step)]).filter((item) => item !== undefined)
}

/** What a day brought, or several of which only the total at their end is known. */
export interface AddedOnDay {
  /** The last of them. */
  readonly day: CalendarDate
  readonly asOf: Moment
  readonly total: number
  readonly added: number
  /** How many days `added` covers: more than one where the days before were not measured. Which of them brought what is unknown. */
  readonly covers: number
}

export interface DayTotal extends AddedOnDay {
  readonly expected: number | null
}

export const firstDayOf = ({ day, covers }: Pick<DayTotal, "day" | "covers">): CalendarDate =>
  covers === 1 ? day : daysBefore(day, covers - 1)

/** What each day with a total brought, in order. Together they are the total. `reports` as for `seriesOf`. */
export function addedByDay(line: PacedLine, reports: readonly DeliveryTotal[], zone: TimeZone): AddedOnDay[] {
  const days: AddedOnDay[] = []
  let [total, last] = [0, dayNumber(line.flightStart) - 1]
  for (const { day, asOf, quantity } of closingOnly(correctedTotals(reports, zone))) {
    const number = dayNumber(day)
    // At least one, where the flight was moved past the first total.
    days.push({ day, asOf, total: quantity, added: quantity - total, covers: Math.max(number - last, 1) })
    total = quantity
    last = number
  }
  return days
}

/** The same, with the plan. */
export const dayTotals = (line: PacedLine, reports: readonly DeliveryTotal[], zone: TimeZone): DayTotal[] =>
  addedByDay(line, reports, zone).map((day) => ({ ...day, expected: plannedAt(line, day.asOf, zone) }))

// Thousands of lines have totals of the same few days.
const DAYS_REMEMBERED_MAX = 1_000
const dayNumber = memoize(DAYS_REMEMBERED_MAX, (day: CalendarDate) => daysBetween("1970-01-01", day))

/** The last `count` days, today included. */
export const lastDays = (today: CalendarDate, count: number): CalendarDate[] =>
  Array.from({ length: count }, (_, i) => daysBefore(today, count - 1 - i))

/** Of how many days a sparkline and Today show what came. */
export const RECENT_DAYS = 14

/** What came on each of the last `count` days; null where nothing was measured for that day alone. */
export function recentDays(days: readonly AddedOnDay[], today: CalendarDate, count: number): (number | null)[] {
  const added = new Map(days.flatMap(({ day, covers, added }) => (covers === 1 ? [[day, added] as const] : [])))
  return lastDays(today, count).map((day) => added.get(day) ?? null)
}
