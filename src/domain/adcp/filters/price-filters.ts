import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { ProductFilters } from "../tools/product-filters-input.ts"

/** The pricing options that match. The protocol removes the others from the answer. */
export function keptOptions(options: PricingOption[], filters: ProductFilters): PricingOption[] {
  if (filters.is_fixed_price === undefined && filters.pricing_currencies === undefined) return options
  return options.filter((option) => isAskedKind(option, filters) && isAskedCurrency(option, filters))
}

function isAskedKind(option: PricingOption, { is_fixed_price }: ProductFilters): boolean {
  return is_fixed_price === undefined || (option.fixed_price !== undefined) === is_fixed_price
}

function isAskedCurrency(option: PricingOption, { pricing_currencies }: ProductFilters): boolean {
  return pricing_currencies === undefined || pricing_currencies.includes(option.currency)
}

export type PriceFilter = "is_fixed_price" | "pricing_currencies" | "budget_range"

/** A filter on prices that excludes the product, given the other ones. */
export function excludingPrice(product: Product, filters: ProductFilters): PriceFilter | undefined {
  const kept = keptOptions(product.pricing_options, filters)
  if (kept.length === 0) return filters.pricing_currencies === undefined ? "is_fixed_price" : "pricing_currencies"
  if (!mandatorySignalsArePayable(product, filters)) return "pricing_currencies"
  return filters.budget_range && !fitsBudget(kept, filters.budget_range) ? "budget_range" : undefined
}

/** Whether mandatory signals can be paid in the requested currencies. */
function mandatorySignalsArePayable(product: Product, { pricing_currencies }: ProductFilters): boolean {
  if (pricing_currencies === undefined || product.signal_targeting_rules?.selection_mode !== "fixed") return true
  const mandatory = (product.signal_targeting_options ?? []).filter((option) => option.default_selected)
  return mandatory.every(({ pricing_options }) => {
    if (pricing_options === undefined) return true
    return pricing_options.some(({ currency }) => currency !== undefined && pricing_currencies.includes(currency))
  })
}

/** Whether one of the remaining options can be bought with the budget. */
function fitsBudget(options: PricingOption[], budget: NonNullable<ProductFilters["budget_range"]>): boolean {
  const most = budget.max ?? Number.POSITIVE_INFINITY
  return options.some((option) => option.currency === budget.currency && leastSpend(option) <= most)
}

function leastSpend(option: PricingOption): number {
  const wholePrice = option.pricing_model === "flat_rate" ? (option.fixed_price ?? 0) : 0
  return Math.max(option.min_spend_per_package ?? 0, wholePrice)
}
