import type { SummedLine } from "../../../src/domain/campaign/campaign-summary.ts"
import { at } from "../../clock.ts"

/** 300,000 impressions at 10 a thousand in November, half of it delivered at noon of the 15th. */
export const givenLine = (given: Partial<SummedLine> = {}): SummedLine => ({
  pricingBasis: "impressions",
  flightStart: "2026-11-01",
  flightEnd: "2026-11-30",
  booked: 300_000,
  rate: 10,
  currency: "EUR",
  total: { quantity: 150_000, asOf: at("2026-11-15T11:00:00Z") },
  seller: { timeZone: "UTC" },
  ...given,
})
