import { type DeliveryTotal, FLAT_RATE_DELIVERED } from "../delivery/delivery.ts"
import type { PricingBasis } from "./package-line.ts"

export interface PricedLine {
  readonly pricingBasis: PricingBasis
  readonly booked: number | null
  readonly rate: number | null
  readonly total: DeliveryTotal | null
}

// Impressions and downloads are sold by the thousand.
const PRICED_QUANTITY = 1_000

/** A sum has to be the sum of what is shown. */
const toCents = (amount: number) => Math.round(amount * 100) / 100

/** What was delivered is worth, at most what was booked: what comes beyond that is not paid. Null without a price. */
export function lineValue({ pricingBasis, booked, rate, total }: PricedLine): number | null {
  if (rate === null) return null
  if (pricingBasis === "flat_rate") return total?.quantity === FLAT_RATE_DELIVERED ? rate : 0
  return toCents((Math.min(total?.quantity ?? 0, booked ?? Number.POSITIVE_INFINITY) / PRICED_QUANTITY) * rate)
}

/** What the line is worth once everything booked is delivered. Null without a price or a booked quantity. */
export function bookedValue({ pricingBasis, booked, rate }: PricedLine): number | null {
  if (rate === null) return null
  if (pricingBasis === "flat_rate") return rate
  return booked === null ? null : toCents((booked / PRICED_QUANTITY) * rate)
}
