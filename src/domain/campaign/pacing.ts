import { type DeliveryTotal, FLAT_RATE_DELIVERED } from "../delivery/delivery.ts"
import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { PricingBasis } from "./package-line.ts"

export interface PacedLine {
  readonly pricingBasis: PricingBasis
  readonly flightStart: string
  readonly flightEnd: string | null
  readonly booked: number | null
  readonly total: DeliveryTotal | null
}

export type LineStatus = "upcoming" | "running" | "delivered" | "ended"

export function statusOf(line: PacedLine, now: Moment, zone: TimeZone): LineStatus {
  if (isDelivered(line)) return "delivered"
  const today = dayOf(now, zone)
  if (today < line.flightStart) return "upcoming"
  return line.flightEnd !== null && today > line.flightEnd ? "ended" : "running"
}

function isDelivered({ pricingBasis, booked, total }: PacedLine): boolean {
  if (total === null) return false
  if (pricingBasis === "flat_rate") return total.quantity === FLAT_RATE_DELIVERED
  return booked !== null && booked > 0 && total.quantity >= booked
}

/** How much should be delivered at a moment if the booked quantity is spread evenly over the flight. Null without a plan. */
export function expectedAt(line: PacedLine, at: Moment, zone: TimeZone): number | null {
  if (line.booked === null || line.flightEnd === null || line.pricingBasis === "flat_rate") return null
  const start = startOfDay(line.flightStart, zone)
  const end = endOfDay(line.flightEnd, zone)
  const share = Math.min(Math.max((at - start) / (end - start), 0), 1)
  return line.booked * share
}

export type Pace = "behind" | "on_pace" | "ahead"

// Traffic varies from day to day; within a tenth of the plan no action is needed.
const PACE_SLACK = 0.1

/** Compares the total with the plan at the time it was measured, not now: an old figure is not behind just because it is old. */
export function paceOf(line: PacedLine, zone: TimeZone): Pace | null {
  return line.total === null ? null : paceAgainst(line.total, expectedAt(line, line.total.asOf, zone))
}

/** The same for a total whose plan is known. */
export function paceAgainst(total: DeliveryTotal | null, expected: number | null): Pace | null {
  if (total === null || expected === null || expected === 0) return null
  const ratio = total.quantity / expected
  if (ratio < 1 - PACE_SLACK) return "behind"
  return ratio > 1 + PACE_SLACK ? "ahead" : "on_pace"
}

const FRESH_DAYS = 2

/** Whether a running line has had no figure for two days. */
export function lacksRecentFigures(
  line: PacedLine,
  now: Moment,
  zone: TimeZone,
  status = statusOf(line, now, zone),
): boolean {
  if (status !== "running" || line.pricingBasis === "flat_rate") return false
  const since = line.total?.asOf ?? startOfDay(line.flightStart, zone)
  return now - since > FRESH_DAYS * MICROS_PER_DAY
}

/** The status of a campaign: that of its most active line. */
export function campaignStatus(statuses: readonly LineStatus[]): LineStatus | "empty" {
  if (statuses.length === 0) return "empty"
  for (const status of ["running", "upcoming", "ended"] as const) if (statuses.includes(status)) return status
  return "delivered"
}

/** The pace of a campaign: that of its worst line. */
export function campaignPace(paces: readonly (Pace | null)[]): Pace | null {
  for (const pace of ["behind", "ahead", "on_pace"] as const) if (paces.includes(pace)) return pace
  return null
}
