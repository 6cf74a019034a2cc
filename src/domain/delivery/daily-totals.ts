import { type CalendarDate, MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import type { SeriesPoint } from "./total-series.ts"

/** The last total of a day, and what came since the one before. */
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
  const added = new Map(alone.map((one) => [one.day, Math.max(one.added, 0)]))
  return Array.from({ length: count }, (_, i) => {
    // Noon of each day, so that a change of clocks skips none.
    const day = dayOf(now - (count - 1 - i) * MICROS_PER_DAY, zone)
    return added.get(day) ?? null
  })
}
