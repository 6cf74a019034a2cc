import type { DayTotal } from "../delivery/day.ts"
import { MICROS_PER_DAY } from "../time/moment.ts"
import { endOfDay, startOfDay } from "../time/time-zone.ts"
import type { PacedLine } from "./line-state.ts"

/** The forecast continues the average of this many days to the end of the flight. */
export const FORECAST_DAYS = 7

export interface Forecast {
  readonly perDay: number
  /** The total at the end of the flight at the current pace. */
  readonly atEnd: number
  /**
   * The quantity that each remaining day needs to reach the booked quantity. Null if nothing is booked, or all of it is
   * delivered.
   */
  readonly neededPerDay: number | null
}

/**
 * The forecast for a running line, from the totals of its measured days. Null after the flight, and without a total.
 */
export function forecastOf(line: PacedLine, totals: readonly DayTotal[]): Forecast | null {
  const { total, flightEnd, booked, pricingBasis } = line
  if (total === null || flightEnd === null || pricingBasis === "flat_rate") return null
  const daysLeft = (endOfDay(flightEnd, line.timeZone) - total.asOf) / MICROS_PER_DAY
  const before = totals.findLast(({ asOf }) => asOf <= total.asOf - FORECAST_DAYS * MICROS_PER_DAY)
  const first = before ?? { asOf: startOfDay(line.flightStart, line.timeZone), quantity: 0 }
  const daysPassed = (total.asOf - first.asOf) / MICROS_PER_DAY
  if (daysLeft <= 0 || daysPassed <= 0) return null
  const perDay = Math.max((total.quantity - first.quantity) / daysPassed, 0)
  const missing = booked === null ? 0 : booked - total.quantity
  return {
    perDay: Math.round(perDay),
    atEnd: Math.round(total.quantity + perDay * daysLeft),
    neededPerDay: missing > 0 ? Math.ceil(missing / Math.max(daysLeft, 1)) : null,
  }
}
