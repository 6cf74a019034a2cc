import type { PricingOption } from "./pricing-option.ts"

/** The price of one unit: fixed, or the floor of an auction. A stored option has one of them. */
export function amountOf(option: PricingOption): number {
  return option.fixed_price ?? ("floor_price" in option ? option.floor_price : undefined) ?? 0
}

/** The least that can be spent: the minimum, or the price where less than one of it cannot be had. 0 where neither is. */
export function leastSpend(option: PricingOption): number {
  return Math.max(option.min_spend_per_package ?? 0, amountOf(option) * leastUnits(option))
}

function leastUnits(option: PricingOption): number {
  if (option.pricing_model === "flat_rate") return 1
  if (option.pricing_model === "time") return option.parameters.min_duration ?? 1
  return option.pricing_model === "cpp" ? (option.parameters.min_points ?? 0) : 0
}
