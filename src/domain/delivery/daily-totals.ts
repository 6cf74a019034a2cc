import { type CalendarDate, MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import type { SeriesPoint } from "./total-series.ts"

/** The last total of a day, and what came since the one before. */
export interface DayTotal {
  readonly day: CalendarDate
  readonly asOf: Moment
  readonly total: number
  readonly added: number
  /** The day of the total before, or null for the first one: `added` covers everything since the end of that day. */
  readonly since: CalendarDate | null
  readonly expected: number | null
}

/** One total for each day that has one, in order. A day's closing total belongs to that day. */
export function dailyTotals(series: readonly SeriesPoint[]): DayTotal[] {
  const days: DayTotal[] = []
  const [start, ...others] = series
  // The flight starts at nothing: that is no report.
  const measured = start !== undefined && start.quantity === 0 ? others : series
  let before = { total: 0, since: null as CalendarDate | null }
  for (const [i, { day, asOf, quantity, expected }] of measured.entries()) {
    if (quantity === null || measured[i + 1]?.day === day) continue
    days.push({ day, asOf, total: quantity, added: quantity - before.total, since: before.since, expected })
    before = { total: quantity, since: day }
  }
  return days
}

/** What came on each of the last `count` days; null where nothing was reported for that day alone. */
export function recentDays(days: readonly DayTotal[], now: Moment, zone: TimeZone, count: number): (number | null)[] {
  const added = new Map(days.map((one) => [one.day, Math.max(one.added, 0)]))
  return Array.from({ length: count }, (_, i) => {
    // Noon of each day, so that a change of clocks skips none.
    const day = dayOf(now - (count - 1 - i) * MICROS_PER_DAY, zone)
    return added.get(day) ?? null
  })
}
