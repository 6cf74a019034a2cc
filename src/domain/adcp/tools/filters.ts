import { canonicalOf, type OwnFormats, ownFormat } from "../catalogue/format-options.ts"
import { countryOfMetro, covers } from "../catalogue/territory.ts"
import { type FormatRef, namesSameFormat } from "../schema/creative-format.ts"
import { leastSpend, type PricingOption } from "../schema/product.ts"
import { cutText } from "../text.ts"
import type { ProductView, SeenProduct } from "../view.ts"
import type { ProductFilters } from "./products-input.ts"

/** Everything that leaves products out. */
export type Demands = ProductFilters & { required_policies?: readonly string[] }
type FilterName = keyof Demands
type FilterValue<Name extends FilterName> = NonNullable<Demands[Name]>

type Catalogue = Pick<ProductView, "own" | "agentUrl">
type Test<Name extends FilterName> = (seen: SeenProduct, value: FilterValue<Name>, catalogue: Catalogue) => boolean

const never = () => false

/** One test for each filter except the price filters. A filter without a test leaves nothing out. */
const PRODUCT_TESTS: { readonly [Name in FilterName]?: Test<Name> } = {
  delivery_type: ({ product }, value) => product.delivery_type === value,
  exclusivity: ({ product }, value) => (product.exclusivity ?? "none") === value,
  format_ids: ({ product }, value, { agentUrl }) =>
    product.format_ids.some((ref) => value.some((each) => namesSameFormat(ref, each, agentUrl))),
  standard_formats_only: (seen, value, { own }) => !value || seen.stored.format_ids.some((ref) => isStandard(ref, own)),
  min_exposures: (seen, value) => !hasForecast(seen) || forecastImpressions(seen) >= value,
  start_date: ({ product }, value) =>
    product.expires_at === undefined || Date.parse(product.expires_at) >= Date.parse(`${value}T00:00:00Z`),
  countries: ({ territories }, value) => value.some((country) => covers(territories, country)),
  regions: ({ territories }, value) => value.some((region) => covers(territories, region.slice(0, 2))),
  metros: (seen, value) => value.some(({ system, code }) => isAvailable(seen, countryOfMetro(system, code))),
  postal_areas: (seen, value) => value.some((area) => isAvailable(seen, countryOfPostalArea(area))),
  channels: ({ product }, value) => value.some((channel) => product.channels?.includes(channel)),
  required_metrics: ({ product }, value) =>
    value.every((metric) => product.reporting_capabilities.available_metrics.includes(metric)),
  required_features: (_, value) => !Object.values(value).includes(true),
  // No product here can have any of these, so nothing matches.
  video_placement_types: never,
  audio_distribution_types: never,
  sponsored_placement_types: never,
  social_placement_surfaces: never,
  required_performance_standards: never,
  required_vendor_metrics: never,
  required_policies: never,
  required_geo_targeting: never,
  signal_targeting: never,
  trusted_match: never,
  required_axe_integrations: never,
}

/** A place whose country isn't known leaves nothing out. */
const isAvailable = ({ territories }: SeenProduct, country: string | null): boolean =>
  country === null || covers(territories, country)

/** Older names of postal systems begin with the country: us_zip, de_plz. */
export function countryOfPostalArea({ country, system }: FilterValue<"postal_areas">[number]): string | null {
  if (country !== undefined) return country
  return /^[a-z]{2}_/.test(system) ? system.slice(0, 2).toUpperCase() : null
}

// Fixed sizes of the IAB portfolio.
const STANDARD_SIZES =
  "300x250 336x280 728x90 970x90 970x250 300x600 160x600 120x600 300x50 320x50 320x100 320x480 300x1050 468x60"
const STANDARD_SIZE_SET = new Set(STANDARD_SIZES.split(" "))

function isStandard(ref: FormatRef, own: OwnFormats): boolean {
  const format = ownFormat(ref, own)
  const kind = format === undefined ? null : canonicalOf(format).kind
  if (kind === "video_vast" || kind === "audio_daast") return true
  const { width, height } = ref.width === undefined ? (format?.renders?.[0]?.dimensions ?? {}) : ref
  return STANDARD_SIZE_SET.has(`${width}x${height}`)
}

const rangesIn = ({ product }: SeenProduct) =>
  (product.forecast?.points ?? []).flatMap(({ metrics }) => metrics.impressions ?? [])

export const hasForecast = (seen: SeenProduct): boolean => rangesIn(seen).length > 0

const forecastImpressions = (seen: SeenProduct): number =>
  rangesIn(seen).reduce((sum, { mid = 0, high = mid }) => sum + high, 0)

/** The product with the prices that match. Null if a filter leaves it out. */
export function filtered(seen: SeenProduct, demands: Demands, catalogue: Catalogue): SeenProduct | null {
  if (firstExclusion(seen, demands, catalogue) !== null) return null
  const pricing_options = matchingPrices(seen.product.pricing_options, demands)
  if (pricing_options.length === seen.product.pricing_options.length) return seen
  return { ...seen, product: { ...seen.product, pricing_options } }
}

function withoutFilter(demands: Demands, name: FilterName): Demands {
  const { [name]: _, ...rest } = demands
  return rest
}

/** A filter that leaves the product out. Filters on prices come last and work together. */
function firstExclusion(seen: SeenProduct, demands: Demands, catalogue: Catalogue): FilterName | null {
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

const UNKNOWN_MAX = 10
const UNANSWERED: readonly FilterName[] = ["geo_proximity", "keywords", "end_date"]
const NOT_STATED = "Not applied: the products don't say."
const NOT_KNOWN = "Not applied: this agent doesn't know this filter."
const BY_COUNTRY = "Applied by country: products are shown in whole countries."
const NO_COUNTRY = "Not applied: the country of a place isn't known."

interface Exclusion {
  readonly count: number
  readonly notes?: string
}

/**
 * Counts the products that each filter alone left out. If no product is left and no filter alone is the cause, it
 * counts what each filter would leave out by itself.
 */
export function diagnose(view: ProductView, remaining: number, demands: Demands, unknown: readonly string[]) {
  const names = Object.keys(demands) as FilterName[]
  const left = (some: Demands) => view.products.filter((seen) => firstExclusion(seen, some, view) === null).length
  const alone = new Map(names.map((name) => [name, left(withoutFilter(demands, name)) - remaining]))
  const explains = remaining > 0 || alone.values().some((count) => count > 0)
  const countOf = (name: FilterName) =>
    (explains ? alone.get(name) : view.products.length - left({ [name]: demands[name] })) ?? 0
  const excluded = names.flatMap((name): [string, Exclusion][] => {
    const count = countOf(name)
    const notes = noteOn(name, demands, view)
    return count === 0 && notes === null ? [] : [[name, { count, ...(notes !== null && { notes }) }]]
  })
  const ignored = unknown.slice(0, UNKNOWN_MAX).map((name): [string, Exclusion] => {
    return [cutText(name, 60), { count: 0, notes: NOT_KNOWN }]
  })
  return {
    semantics: explains ? "only" : "any",
    total_candidates: view.products.length,
    excluded_by: Object.fromEntries([...excluded, ...ignored]),
  }
}

/** A note about what the filter doesn't check. */
function noteOn(name: FilterName, demands: Demands, { products }: ProductView): string | null {
  if (UNANSWERED.includes(name)) return NOT_STATED
  switch (name) {
    case "regions":
      return BY_COUNTRY
    case "metros":
      return placeNote((demands.metros ?? []).map(({ system, code }) => countryOfMetro(system, code)))
    case "postal_areas":
      return placeNote((demands.postal_areas ?? []).map(countryOfPostalArea))
    case "min_exposures": {
      const silent = products.filter((seen) => !hasForecast(seen)).length
      return silent === 0 ? null : `Not applied to ${silent} of ${products.length} products: they have no forecast.`
    }
    default:
      return null
  }
}

const placeNote = (countries: readonly (string | null)[]): string =>
  countries.includes(null) ? NO_COUNTRY : BY_COUNTRY
