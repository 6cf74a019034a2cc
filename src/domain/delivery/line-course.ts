import type { PacedLine } from "../campaign/pacing.ts"
import type { TimeZone } from "../time/time-zone.ts"
import { type DayTotal, dailyTotals } from "./daily-totals.ts"
import type { DeliveryTotal } from "./delivery.ts"
import { type Forecast, forecastOf } from "./forecast.ts"
import { type SeriesPoint, seriesOf } from "./total-series.ts"

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
  const days = dailyTotals(seriesOf(line, reports, zone, Number.POSITIVE_INFINITY), line.flightStart)
  return { series: seriesOf(line, reports, zone, most), days, forecast: forecastOf(line, days, zone) }
}
