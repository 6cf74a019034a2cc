import type { DeliveryTotal } from "../delivery/delivery.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { PricingBasis } from "./package-line.ts"

export interface PacedLine {
  readonly pricingBasis: PricingBasis
  readonly flightStart: CalendarDate
  readonly flightEnd: CalendarDate | null
  readonly booked: number | null
  readonly total: DeliveryTotal | null
}

/** How much should be delivered at a moment if the booked quantity is spread evenly over the flight. Null without a plan. */
export function expectedAt(line: PacedLine, at: Moment, zone: TimeZone): number | null {
  if (line.booked === null || line.flightEnd === null || line.pricingBasis === "flat_rate") return null
  const start = startOfDay(line.flightStart, zone)
  const end = endOfDay(line.flightEnd, zone)
  const share = Math.min(Math.max((at - start) / (end - start), 0), 1)
  return line.booked * share
}

/** How far from the plan, as a share of it: -0.17 is 17% behind. Null without a plan or a total. */
export function offPlan(line: PacedLine, zone: TimeZone): number | null {
  const { total } = line
  // At the time of the total: an old figure is not behind just because it is old.
  const planned = total === null ? null : expectedAt(line, total.asOf, zone)
  return total === null || planned === null || planned === 0 ? null : total.quantity / planned - 1
}
