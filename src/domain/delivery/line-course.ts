import type { PacedLine } from "../campaign/line-state.ts"
import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"
import { type DayTotal, dayTotals, type SeriesPoint, seriesOf } from "./total-series.ts"

/** The days whose average is continued to the end of the flight. */
export const FORECAST_DAYS = 7
/** Of how many of the latest days the last totals tell the forecast: the first of these is at least seven days older than the last. */
export const FORECAST_CLOSINGS = FORECAST_DAYS + 2

export interface Forecast {
  readonly perDay: number
  /** The total at the end of the flight if it goes on like that. */
  readonly atEnd: number
  /** What each remaining day has to bring to reach what is booked; null without a booked quantity, or once it is reached. */
  readonly neededPerDay: number | null
}

/** Continues the average of the last seven days to the end of the flight. Null once it has ended, and before the first total. */
function forecastOf(line: PacedLine, days: readonly DayTotal[], zone: TimeZone): Forecast | null {
  // The current total: what arrived last may have been measured before it.
  const last = line.total === null ? undefined : { asOf: line.total.asOf, total: line.total.quantity }
  if (last === undefined || line.flightEnd === null || line.pricingBasis === "flat_rate") return null
  const end = endOfDay(line.flightEnd, zone)
  const daysLeft = (end - last.asOf) / MICROS_PER_DAY
  if (daysLeft <= 0) return null
  const start = startOf(line, days, last.asOf, zone)
  const passed = (last.asOf - start.asOf) / MICROS_PER_DAY
  if (passed <= 0) return null
  const perDay = Math.max((last.total - start.total) / passed, 0)
  const missing = line.booked === null ? 0 : line.booked - last.total
  return {
    perDay: Math.round(perDay),
    atEnd: Math.round(last.total + perDay * daysLeft),
    neededPerDay: missing > 0 ? Math.ceil(missing / Math.max(daysLeft, 1)) : null,
  }
}

/** The last total that is at least seven days older, or the start of the flight. */
function startOf(line: PacedLine, days: readonly DayTotal[], asOf: Moment, zone: TimeZone) {
  const before = days.findLast((day) => day.asOf <= asOf - FORECAST_DAYS * MICROS_PER_DAY)
  return before ?? { asOf: startOfDay(line.flightStart, zone), total: 0 }
}

/** A line's delivery over its flight: every point, one for each day, and how it goes on. */
export interface LineCourse {
  readonly series: readonly SeriesPoint[]
  readonly days: readonly DayTotal[]
  readonly forecast: Forecast | null
}

const NOTHING: LineCourse = { series: [], days: [], forecast: null }

/** Empty for a line without a report, and for one that is delivered or not. `most` is the number of points. */
export function courseOf(line: PacedLine, reports: readonly DeliveryTotal[], zone: TimeZone, most: number): LineCourse {
  if (line.pricingBasis === "flat_rate" || reports.length === 0) return NOTHING
  // Of every day, however few points a chart has room for.
  const days = dayTotals(line, reports, zone)
  return { series: seriesOf(line, reports, zone, most), days, forecast: forecastOf(line, days, zone) }
}
