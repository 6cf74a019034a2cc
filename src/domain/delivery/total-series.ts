import { expectedAt, type PacedLine } from "../campaign/line-state.ts"
import { type CalendarDate, MICROS_PER_DAY, type Moment } from "../time/moment.ts"
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
export function seriesOf(
  line: PacedLine,
  reports: readonly DeliveryTotal[],
  zone: TimeZone,
  most: number,
): readonly SeriesPoint[] {
  const measured = lastArrivals(line.total, reports).map(({ asOf, quantity }) => ({
    asOf,
    quantity,
    day: dayOf(asOf, zone),
  }))
  const points = thinned(measured.length > most ? closingOnly(measured) : measured, most)
  const taken = new Set(points.map(({ asOf }) => asOf))
  const ends = flightEnds(line, zone).filter(({ asOf }) => !taken.has(asOf))
  // A total measured at that very moment, but left out above, is better than the plan.
  return [...points, ...ends.map((end) => measured.find(({ asOf }) => asOf === end.asOf) ?? end)]
    .sort((a, b) => a.asOf - b.asOf)
    .map((point) => ({ ...point, expected: plannedAt(line, point.asOf, zone) }))
}

type Measured = Omit<SeriesPoint, "expected">

/** Zero at the start of the flight; at its end, only the plan is known. */
function flightEnds(line: PacedLine, zone: TimeZone): Measured[] {
  const start = { asOf: startOfDay(line.flightStart, zone), day: line.flightStart, quantity: 0 }
  if (line.flightEnd === null || line.booked === null) return [start]
  return [start, { asOf: endOfDay(line.flightEnd, zone), day: line.flightEnd, quantity: null }]
}

/** One total per moment: the current total, or else the last arrival. */
function lastArrivals(current: DeliveryTotal | null, reports: readonly DeliveryTotal[]): DeliveryTotal[] {
  const latest = reports.filter(({ asOf }, i) => asOf !== reports[i + 1]?.asOf)
  // A correction back to an earlier figure of the same moment is not in the history again, but is current.
  return latest.map((total) => (current !== null && total.asOf === current.asOf ? current : total))
}

function closingOnly(points: readonly Measured[]): Measured[] {
  return points.filter(({ day }, i) => day !== points[i + 1]?.day)
}

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

export interface DayTotal {
  readonly day: CalendarDate
  readonly asOf: Moment
  readonly total: number
  readonly added: number
  /** How many days `added` covers: more than one where days before it have no total of their own. */
  readonly covers: number
  readonly expected: number | null
}

/** One total for each day that has one, in order. A day's closing total belongs to that day. */
export function dailyTotals(series: readonly SeriesPoint[], flightStart: CalendarDate): DayTotal[] {
  const days: DayTotal[] = []
  const [start, ...others] = series
  // The flight starts at nothing: that is no report.
  const measured = start !== undefined && start.quantity === 0 ? others : series
  let before = { total: 0, next: flightStart }
  for (const [i, { day, asOf, quantity, expected }] of measured.entries()) {
    if (quantity === null || measured[i + 1]?.day === day) continue
    days.push({
      day,
      asOf,
      total: quantity,
      added: quantity - before.total,
      covers: daysFrom(before.next, day),
      expected,
    })
    before = { total: quantity, next: dayAfter(day) }
  }
  return days
}

const DAY_MS = 86_400_000

const dayAfter = (day: CalendarDate): CalendarDate => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** Both days included. */
const daysFrom = (first: CalendarDate, last: CalendarDate) =>
  Math.max(Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1, 1)

/** What came on each of the last `count` days; null where nothing was reported for that day alone. */
export function recentDays(days: readonly DayTotal[], now: Moment, zone: TimeZone, count: number): (number | null)[] {
  const alone = days.filter(({ covers }) => covers === 1)
  const added = new Map(alone.map((day) => [day.day, Math.max(day.added, 0)]))
  return Array.from({ length: count }, (_, i) => {
    // Noon of each day, so that a change of clocks skips none.
    const day = dayOf(now - (count - 1 - i) * MICROS_PER_DAY, zone)
    return added.get(day) ?? null
  })
}

// The last total of each day of a line is kept, so that a year is read as quickly whether it has a report a day or one a minute. The day
// of the current total is still open: it is not among them.

/** The last total of a day in the seller's time zone. */
export interface ClosingTotal extends DeliveryTotal {
  readonly day: CalendarDate
}

/** The current total of a line, and the end of its day. Null: the closing totals of the line are not made yet. */
export interface OpenDay extends DeliveryTotal {
  readonly dayEnd: Moment | null
}

export function dayEndOf({ asOf }: DeliveryTotal, zone: TimeZone): Moment {
  return endOfDay(dayOf(asOf, zone), zone)
}

/** A replica of an earlier version knows nothing of days: it may have left the end of an earlier one. */
export const isMade = ({ asOf, dayEnd }: OpenDay): boolean => dayEnd !== null && asOf <= dayEnd

/** Whether a later total is of the same day, or nothing is known of days: then none is closed. Asked for every item of a feed. */
export const staysOpen = ({ dayEnd }: OpenDay, asOf: Moment): boolean => dayEnd === null || asOf <= dayEnd

interface Closed {
  readonly dayEnd: Moment | null
  /** Kept unless the day has a later total already. */
  readonly closing: ClosingTotal | null
}

/** Which total a report that is new in the history makes the last of its day, and when the day of the current total ends then. */
export function closedBy(total: DeliveryTotal, before: OpenDay | undefined, zoneOf: () => TimeZone): Closed {
  if (before === undefined) return { dayEnd: dayEndOf(total, zoneOf()), closing: null }
  const dayEnd = isMade(before) ? before.dayEnd : null
  if (dayEnd === null || (total.asOf >= before.asOf && total.asOf <= dayEnd)) return { dayEnd, closing: null }
  const zone = zoneOf()
  if (total.asOf > dayEnd) return { dayEnd: dayEndOf(total, zone), closing: closingOf(before, zone) }
  return { dayEnd, closing: dayEndOf(total, zone) === dayEnd ? null : closingOf(total, zone) }
}

const closingOf = ({ asOf, quantity }: DeliveryTotal, zone: TimeZone): ClosingTotal => ({
  day: dayOf(asOf, zone),
  asOf,
  quantity,
})

/** The closing totals of a whole history, sorted by time and of one moment the latest arrival last. The last one is of the open day. */
export function closingTotals(reports: readonly DeliveryTotal[], zone: TimeZone): ClosingTotal[] {
  const all = reports.map((report) => closingOf(report, zone))
  return all.filter(({ day }, i) => day !== all[i + 1]?.day)
}
