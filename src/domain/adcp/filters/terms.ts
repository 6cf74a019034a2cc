import { countryOfMetro, covers } from "../catalogue/territory.ts"
import { canonicalJson } from "../json.ts"
import { leastSpend } from "../schema/product/least-spend.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { ProductFilters } from "../tools/get-products-input.ts"

type Standard = NonNullable<ProductFilters["required_performance_standards"]>[number]
type VendorMetric = NonNullable<ProductFilters["required_vendor_metrics"]>[number]
type Signal = NonNullable<ProductFilters["signal_targeting"]>[number]

export function reportsAll(product: Product, metrics: readonly string[]): boolean {
  const reported: readonly string[] = product.reporting_capabilities.available_metrics
  return metrics.every((metric) => reported.includes(metric))
}

export function reportsVendorMetrics(product: Product, asked: readonly VendorMetric[]): boolean {
  const reported = product.reporting_capabilities.vendor_metrics ?? []
  return asked.every(({ vendor, metric_id }) =>
    reported.some(
      (metric) =>
        (vendor === undefined || metric.vendor.domain === vendor.domain) &&
        (metric_id === undefined || metric.metric_id === metric_id),
    ),
  )
}

// For invalid traffic less is better; for everything else more.
const isAtLeastAsGood = (metric: string, promised: number, asked: number) =>
  metric === "ivt" ? promised <= asked : promised >= asked

export function promisesAll(product: Product, asked: readonly Standard[]): boolean {
  const promised = product.performance_standards ?? []
  return asked.every((wanted) =>
    promised.some(
      (standard) =>
        standard.metric === wanted.metric &&
        isAtLeastAsGood(wanted.metric, standard.threshold, wanted.threshold) &&
        standard.vendor.domain === wanted.vendor.domain &&
        (wanted.standard === undefined || standard.standard === wanted.standard),
    ),
  )
}

export function offersSignals(product: Product, asked: readonly Signal[]): boolean {
  if (product.signal_targeting_allowed !== true) return false
  const options = product.signal_targeting_options ?? []
  const most = product.signal_targeting_rules?.max_selected_signals ?? Number.POSITIVE_INFINITY
  return asked.length <= most && asked.every((signal) => options.some((option) => isSignal(option, signal)))
}

type SignalOption = NonNullable<Product["signal_targeting_options"]>[number]

function isSignal(option: SignalOption, { signal_ref, signal_id, targeting_mode = "include" }: Signal): boolean {
  const named = option as SignalOption & { signal_id?: unknown }
  const same = signal_ref
    ? canonicalJson(option.signal_ref) === canonicalJson(signal_ref)
    : canonicalJson(named.signal_id) === canonicalJson(signal_id)
  return same && (option.allowed_targeting_modes ?? ["include"]).includes(targeting_mode)
}

export function enforcesAll(product: Product, policies: readonly string[]): boolean {
  return policies.every((policy) => product.enforced_policies?.includes(policy))
}

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

type PriceFilter = "is_fixed_price" | "pricing_currencies" | "budget_range"

/** A filter on prices that excludes the product, given the other ones. */
export function excludingPrice(product: Product, filters: ProductFilters): PriceFilter | undefined {
  const kept = keptOptions(product.pricing_options, filters)
  if (kept.length === 0) return filters.pricing_currencies === undefined ? "is_fixed_price" : "pricing_currencies"
  if (!mandatorySignalsArePayable(product, filters)) return "pricing_currencies"
  return filters.budget_range && !fitsBudget(kept, filters.budget_range) ? "budget_range" : undefined
}

function mandatorySignalsArePayable(product: Product, { pricing_currencies }: ProductFilters): boolean {
  if (pricing_currencies === undefined || product.signal_targeting_rules?.selection_mode !== "fixed") return true
  const mandatory = (product.signal_targeting_options ?? []).filter((option) => option.default_selected)
  return mandatory.every(({ pricing_options }) => {
    if (pricing_options === undefined) return true
    return pricing_options.some(({ currency }) => currency !== undefined && pricing_currencies.includes(currency))
  })
}

function fitsBudget(options: PricingOption[], budget: NonNullable<ProductFilters["budget_range"]>): boolean {
  const most = budget.max ?? Number.POSITIVE_INFINITY
  return options.some((option) => option.currency === budget.currency && leastSpend(option) <= most)
}

type Territories = readonly string[]
type Postal = NonNullable<ProductFilters["postal_areas"]>[number]

// Products are opened by country, so a place inside a country counts as that country.

export const inCountries = (opened: Territories, asked: readonly string[]) =>
  asked.some((country) => covers(opened, country))

export const inRegions = (opened: Territories, asked: readonly string[]) =>
  asked.some((region) => covers(opened, region.slice(0, 2)))

/** A custom metro system has no known country, and excludes nothing. */
export const inMetros = (opened: Territories, asked: NonNullable<ProductFilters["metros"]>) =>
  asked.some(({ system, code }) => coversIfKnown(opened, countryOfMetro(system, code)))

export const inPostalAreas = (opened: Territories, asked: readonly Postal[]) =>
  asked.some((area) => coversIfKnown(opened, area.country ?? countryOfPostalSystem(area.system)))

const coversIfKnown = (opened: Territories, country: string | undefined) =>
  country === undefined || covers(opened, country)

/** Legacy names of postal systems start with the country: us_zip, de_plz. */
function countryOfPostalSystem(system: string): string | undefined {
  return /^[a-z]{2}_/.test(system) ? system.slice(0, 2).toUpperCase() : undefined
}
