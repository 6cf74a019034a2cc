import { leastSpend, type PricingOption } from "../schema/pricing-option.ts"
import { productLine } from "../text.ts"
import type { SeenProduct } from "../view/view.ts"
import { type Catalogue, type Demands, type FilterName, type FilterValue, PRODUCT_TESTS } from "./product-tests.ts"

/** The product with the prices that match. Null if a filter leaves it out. */
export function filtered(seen: SeenProduct, demands: Demands, catalogue: Catalogue): SeenProduct | null {
  if (firstExclusion(seen, demands, catalogue) !== null) return null
  const pricing_options = matchingPrices(seen.product.pricing_options, demands)
  if (pricing_options.length === seen.product.pricing_options.length) return seen
  const product = { ...seen.product, pricing_options }
  return { ...seen, product, line: productLine(product, seen.territories) }
}

/** The filters that leave a product out: without them it would stay. Empty if it stays anyway. */
export function excludingFilters(seen: SeenProduct, demands: Demands, catalogue: Catalogue): FilterName[] {
  const name = firstExclusion(seen, demands, catalogue)
  return name === null ? [] : [name, ...excludingFilters(seen, withoutFilter(demands, name), catalogue)]
}

export function withoutFilter(demands: Demands, name: FilterName): Demands {
  const { [name]: _, ...rest } = demands
  return rest
}

/** A filter that leaves the product out. Filters on prices come last and work together. */
export function firstExclusion(seen: SeenProduct, demands: Demands, catalogue: Catalogue): FilterName | null {
  for (const name of Object.keys(demands) as FilterName[]) if (!passes(name, seen, demands, catalogue)) return name
  return excludingPrice(seen.product.pricing_options, demands)
}

function passes<Name extends FilterName>(name: Name, seen: SeenProduct, demands: Demands, catalogue: Catalogue) {
  const test = Object.hasOwn(PRODUCT_TESTS, name) ? PRODUCT_TESTS[name] : undefined
  const value = demands[name]
  return test === undefined || value === undefined || test(seen, value as FilterValue<Name>, catalogue)
}

function matchingPrices(options: PricingOption[], { is_fixed_price, pricing_currencies }: Demands): PricingOption[] {
  return options.filter(({ fixed_price, currency }) => {
    const isOfKind = is_fixed_price === undefined || (fixed_price !== undefined) === is_fixed_price
    return isOfKind && (pricing_currencies?.includes(currency) ?? true)
  })
}

function excludingPrice(options: PricingOption[], demands: Demands): FilterName | null {
  const left = matchingPrices(options, demands)
  if (left.length === 0) return demands.pricing_currencies === undefined ? "is_fixed_price" : "pricing_currencies"
  const { budget_range: budget } = demands
  return budget !== undefined && !left.some((option) => fitsBudget(option, budget)) ? "budget_range" : null
}

const fitsBudget = (option: PricingOption, { currency, max }: FilterValue<"budget_range">): boolean =>
  option.currency === currency && leastSpend(option) <= (max ?? Number.POSITIVE_INFINITY)
