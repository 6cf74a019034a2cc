import { cutText } from "../../text/short-text.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import { countryOfMetro, covers } from "../catalogue/territory.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import type { FormatRef } from "../schema/format/format-id.ts"
import type { placementTypes } from "../schema/product/inventory.ts"
import { leastSpend, type PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"
import { alikeBy, type SeenProduct } from "../seen-product.ts"
import { productLine } from "../text.ts"
import type { GetProductsInput, ProductFilters } from "../tools/get-products-input.ts"
import { namesSameFormat } from "./formats.ts"

type Catalogue = Readonly<{ own: OwnFormats; agentUrl: string }>

/** All that leaves products out. */
export type Demands = ProductFilters & Pick<GetProductsInput, "required_policies">
export type FilterName = keyof Demands
type FilterValue<Name extends FilterName> = NonNullable<Demands[Name]>
type Test<Name extends FilterName> = (seen: SeenProduct, value: FilterValue<Name>, catalogue: Catalogue) => boolean

/** Whether the product can deliver only the requested types. A mixed bundle matches only if a placement can be targeted. */
const delivering =
  (kind: keyof typeof placementTypes) =>
  ({ product }: SeenProduct, value: readonly string[]) => {
    const { [kind]: declared = [], placements = [] } = product
    const isPure = declared.length > 0 && declared.every((type) => value.includes(type))
    const isAsked = ({ mode, [kind]: types = [] }: (typeof placements)[number]) =>
      mode === "targetable" && types.some((type) => value.includes(type))
    return isPure || placements.some(isAsked)
  }

/** Legacy names of postal systems start with the country: us_zip, de_plz. */
const countryOfPostalSystem = (system: string): string | undefined =>
  /^[a-z]{2}_/.test(system) ? system.slice(0, 2).toUpperCase() : undefined

/** Products are opened by country, so a place inside a country counts as that; undefined where its name does not tell. */
const countryOf: {
  [Name in "regions" | "metros" | "postal_areas"]: (place: FilterValue<Name>[number]) => string | undefined
} = {
  regions: (region) => region.slice(0, 2),
  metros: ({ system, code }) => countryOfMetro(system, code),
  postal_areas: ({ country, system }) => country ?? countryOfPostalSystem(system),
}
type PlaceFilter = keyof typeof countryOf

const countriesOf = <Name extends PlaceFilter>(name: Name, value: FilterValue<Name>) =>
  value.map((place) => countryOf[name](place as FilterValue<Name>[number]))

/** A place whose country is unknown excludes nothing. */
const byCountry =
  <Name extends PlaceFilter>(name: Name): Test<Name> =>
  ({ territories }, value) =>
    countriesOf(name, value).some((country) => country === undefined || covers(territories, country))

// One test per filter. Prices are tested together, below.
const tests: { [Name in FilterName]?: Test<Name> } = {
  delivery_type: ({ product }, value) => product.delivery_type === value,
  exclusivity: ({ product }, value) => (product.exclusivity ?? "none") === value,
  format_ids: ({ product: { format_ids = [] } }, value, { agentUrl }) =>
    format_ids.some((ref) => value.some((each) => namesSameFormat(ref, each, agentUrl))),
  standard_formats_only: ({ product }, value, { own }) => !value || takesStandardFormat(product, own),
  min_exposures: ({ product }, value) => reaches(product, value),
  start_date: ({ product: { expires_at } }, value) =>
    expires_at === undefined || Date.parse(expires_at) >= Date.parse(`${value}T00:00:00Z`),
  countries: ({ territories }, value) => value.some((country) => covers(territories, country)),
  regions: byCountry("regions"),
  metros: byCountry("metros"),
  postal_areas: byCountry("postal_areas"),
  channels: ({ product }, value) => value.some((channel) => product.channels?.includes(channel)),
  video_placement_types: delivering("video_placement_types"),
  audio_distribution_types: delivering("audio_distribution_types"),
  sponsored_placement_types: delivering("sponsored_placement_types"),
  social_placement_surfaces: delivering("social_placement_surfaces"),
  required_performance_standards: ({ product }, value) => promisesAll(product, value),
  required_metrics: ({ product }, value) =>
    value.every((metric) => product.reporting_capabilities.available_metrics.includes(metric)),
  required_vendor_metrics: ({ product }, value) => reportsVendorMetrics(product, value),
  required_policies: ({ product }, value) => value.every((policy) => product.enforced_policies?.includes(policy)),
  // We support none of these, so nothing matches.
  required_features: (_, value) => !Object.values(value).includes(true),
  required_geo_targeting: () => false,
  signal_targeting: () => false,
  trusted_match: () => false,
  required_axe_integrations: () => false,
}

// Fixed sizes of the IAB portfolio.
const standardSizes = new Set(
  "300x250 336x280 728x90 970x90 970x250 300x600 160x600 120x600 300x50 320x50 320x100 320x480 300x1050 468x60".split(
    " ",
  ),
)

const isStandardSize = (size: object = {}) =>
  "width" in size && "height" in size && standardSizes.has(`${size.width}x${size.height}`)

function takesStandardFormat({ format_ids = [] }: Product, own: OwnFormats): boolean {
  const sizeOf = (ref: FormatRef) => (ref.width === undefined ? own.get(ref.id)?.renders?.[0]?.dimensions : ref)
  return format_ids.some((ref) => isStandardTag(own.get(ref.id)) || isStandardSize(sizeOf(ref)))
}

const isStandardTag = (format: CreativeFormat | undefined) =>
  format?.assets?.some((asset) => "asset_type" in asset && /^(?:vast|daast)$/.test(asset.asset_type)) ?? false

/** Whether the forecast reaches this many impressions; a product without a forecast is not excluded. */
function reaches(product: Product, exposures: number): boolean {
  const ranges = (product.forecast?.points ?? []).flatMap(({ metrics }) => metrics["impressions"] ?? [])
  return ranges.length === 0 || ranges.reduce((sum, { mid = 0, high = mid }) => sum + high, 0) >= exposures
}

const isIfAsked = <Value>(value: Value, asked: Value | undefined) => asked === undefined || value === asked

function reportsVendorMetrics(product: Product, value: FilterValue<"required_vendor_metrics">): boolean {
  const reported = product.reporting_capabilities.vendor_metrics ?? []
  return value.every((wanted) =>
    reported.some(
      ({ vendor, metric_id }) =>
        isIfAsked(vendor.domain, wanted.vendor?.domain) && isIfAsked(metric_id, wanted.metric_id),
    ),
  )
}

// For invalid traffic less is better; for everything else more.
const isAtLeastAsGood = (metric: string, promised: number, value: number) =>
  metric === "ivt" ? promised <= value : promised >= value

function promisesAll(
  { performance_standards = [] }: Product,
  value: FilterValue<"required_performance_standards">,
): boolean {
  return value.every((wanted) =>
    performance_standards.some(
      ({ metric, threshold, vendor, standard }) =>
        metric === wanted.metric &&
        isAtLeastAsGood(metric, threshold, wanted.threshold) &&
        vendor.domain === wanted.vendor.domain &&
        isIfAsked<unknown>(standard, wanted.standard),
    ),
  )
}

/** Filters that our products cannot answer. They exclude nothing, and the diagnostics say so. */
const unansweredFilters: readonly FilterName[] = ["geo_proximity", "keywords"]

/** The product with the remaining pricing options, or undefined when it is excluded. */
export function applyFilters(seen: SeenProduct, demands: Demands, catalogue: Catalogue) {
  if (firstExclusion(seen, demands, catalogue) !== undefined) return undefined
  const { territories } = seen
  const pricing_options = keptOptions(seen.product.pricing_options, demands)
  if (pricing_options.length === seen.product.pricing_options.length) return seen
  const product = { ...seen.product, pricing_options }
  return { ...seen, product, alike: alikeBy(product, territories), line: productLine(product, territories) }
}

/** The filters that exclude a product: without them it would stay. Empty when it stays anyway. */
export function excludedBy(seen: SeenProduct, demands: Demands, catalogue: Catalogue): FilterName[] {
  const name = firstExclusion(seen, demands, catalogue)
  return name === undefined ? [] : [name, ...excludedBy(seen, without(demands, name), catalogue)]
}

/** A filter that excludes the product. Of price filters that only together leave nothing, the narrower one is named. */
function firstExclusion(seen: SeenProduct, demands: Demands, catalogue: Catalogue): FilterName | undefined {
  for (const name in demands) if (!passes(name as FilterName, seen, demands, catalogue)) return name as FilterName
  return excludingPrice(seen.product, demands)
}

function passes<Name extends FilterName>(name: Name, seen: SeenProduct, demands: Demands, catalogue: Catalogue) {
  const value = demands[name]
  const test: Test<Name> | undefined = Object.hasOwn(tests, name) ? tests[name] : undefined
  return test === undefined || value === undefined || test(seen, value, catalogue)
}

/** The pricing options that match. The protocol removes the others from the answer. */
function keptOptions(options: PricingOption[], { is_fixed_price: isFixed, pricing_currencies }: ProductFilters) {
  if (isFixed === undefined && pricing_currencies === undefined) return options
  return options.filter(
    ({ fixed_price, currency }) =>
      isIfAsked(fixed_price !== undefined, isFixed) && (pricing_currencies?.includes(currency) ?? true),
  )
}

/** A filter on prices that excludes the product, given the other ones. */
function excludingPrice(product: Product, filters: ProductFilters): FilterName | undefined {
  const remaining = keptOptions(product.pricing_options, filters)
  if (remaining.length === 0) return filters.pricing_currencies === undefined ? "is_fixed_price" : "pricing_currencies"
  return filters.budget_range && !fitsBudget(remaining, filters.budget_range) ? "budget_range" : undefined
}

function fitsBudget(options: PricingOption[], budget: FilterValue<"budget_range">): boolean {
  const most = budget.max ?? Number.POSITIVE_INFINITY
  return options.some((option) => option.currency === budget.currency && leastSpend(option) <= most)
}

type Shelf = Catalogue & { readonly products: readonly SeenProduct[] }

/**
 * How many of the caller's products each filter excluded. Counts products that only this filter excluded; if nothing is left and no
 * single filter is the cause, counts what each would exclude by itself, so that an empty answer is explained.
 */
export function diagnose(view: Shelf, remaining: number, demands: Demands, unknown: readonly string[]) {
  const { products: seen } = view
  const names = Object.keys(demands) as FilterName[]
  const left = (applied: Demands) => seen.filter((each) => firstExclusion(each, applied, view) === undefined).length
  const excluded = (countOf: (name: FilterName) => number) =>
    names.map((name) => [name, { count: countOf(name) }] as const).filter(([, { count }]) => count > 0)
  const alone = excluded((name) => left(without(demands, name)) - remaining)
  const explains = remaining > 0 || alone.length > 0
  const counts = explains ? alone : excluded((name) => seen.length - left({ [name]: demands[name] }))
  const countOf = new Map(counts)
  const places = names
    .filter(isPlaceFilter)
    .map((name) => [name, { count: 0, ...countOf.get(name), notes: placesNote(name, demands[name] ?? []) }] as const)
  const notApplied = [
    ...names.filter((name) => unansweredFilters.includes(name)).map((name) => [name, "the products do not say"]),
    ...unknown.slice(0, UNKNOWN_MAX).map((name) => [cutText(name, 60), "this agent does not know this filter"]),
  ].map(([name, why]) => [name, { count: 0, notes: `Not applied: ${why}.` }])
  return {
    semantics: explains ? "only" : "any",
    total_candidates: seen.length,
    excluded_by: Object.fromEntries([...notApplied, ...places, ...counts.filter(([name]) => !isPlaceFilter(name))]),
  }
}

const UNKNOWN_MAX = 10

const isPlaceFilter = (name: FilterName): name is PlaceFilter => Object.hasOwn(countryOf, name)

const placesNote = <Name extends PlaceFilter>(name: Name, value: FilterValue<Name>): string =>
  countriesOf(name, value).includes(undefined)
    ? "Not applied: the country of a place is not known."
    : "Applied by country: products are shown to whole countries."

function without(demands: Demands, name: FilterName): Demands {
  const { [name]: _, ...rest } = demands
  return rest
}
