import { eachInSteps, type Steps } from "../../event-loop.ts"
import { cutText } from "../../text/short-text.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import { countryOfMetro, covers } from "../catalogue/territory.ts"
import { canonicalJson, Line } from "../json.ts"
import { canonicalUrl, type FormatRef } from "../schema/format/format-id.ts"
import type { FormatOption } from "../schema/format/format-option.ts"
import { leastSpend, type PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"
import { alikeBy, type SeenProduct } from "../seen-product.ts"
import { productLine } from "../text.ts"
import type { ProductFilters } from "../tools/get-products-input.ts"
import { namesSameFormat } from "./formats.ts"

interface Catalogue {
  readonly own: OwnFormats
  readonly agentUrl: string
}

export type FilterName = keyof ProductFilters
type Asked<Name extends FilterName> = NonNullable<ProductFilters[Name]>
type Test<Name extends FilterName> = (seen: SeenProduct, value: Asked<Name>, catalogue: Catalogue) => boolean

type PlacementKind =
  | "video_placement_types"
  | "audio_distribution_types"
  | "sponsored_placement_types"
  | "social_placement_surfaces"

const delivering = <Kind extends PlacementKind>(kind: Kind) =>
  (({ product }, value) => delivers(product, kind, value)) as Test<Kind>

// One test per filter. Prices are tested together, below. Products are opened by country, so a place inside a country counts as that.
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
  regions: ({ territories }, value) => value.some((region) => covers(territories, region.slice(0, 2))),
  metros: ({ territories }, value) =>
    value.some(({ system, code }) => coversIfKnown(territories, countryOfMetro(system, code))),
  postal_areas: ({ territories }, value) =>
    value.some(({ country, system }) => coversIfKnown(territories, country ?? countryOfPostalSystem(system))),
  channels: ({ product }, value) => value.some((channel) => product.channels?.includes(channel)),
  video_placement_types: delivering("video_placement_types"),
  audio_distribution_types: delivering("audio_distribution_types"),
  sponsored_placement_types: delivering("sponsored_placement_types"),
  social_placement_surfaces: delivering("social_placement_surfaces"),
  trusted_match: ({ product }, value) => matchesTrusted(product, value),
  signal_targeting: ({ product }, value) => offersSignals(product, value),
  required_performance_standards: ({ product }, value) => promisesAll(product, value),
  required_metrics: ({ product }, value) =>
    value.every((metric) => product.reporting_capabilities.available_metrics.includes(metric)),
  required_vendor_metrics: ({ product }, value) => reportsVendorMetrics(product, value),
  // We support none of these, so nothing matches.
  required_features: (_, value) => !Object.values(value).includes(true),
  required_geo_targeting: () => false,
  required_axe_integrations: () => false,
}

/** Whether the product can deliver only the requested types. A mixed bundle matches only if a placement can be targeted. */
function delivers(product: Product, kind: PlacementKind, value: readonly string[]): boolean {
  const declared: readonly string[] = product[kind] ?? []
  const isPure = declared.length > 0 && declared.every((type) => value.includes(type))
  return (
    isPure ||
    (product.placements ?? []).some((placement) => {
      const types: readonly string[] = placement[kind] ?? []
      return placement.mode === "targetable" && types.some((type) => value.includes(type))
    })
  )
}

// Fixed sizes of the IAB portfolio.
const standardSizes = new Set(
  "300x250 336x280 728x90 970x90 970x250 300x600 160x600 120x600 300x50 320x50 320x100 320x480 300x1050 468x60".split(
    " ",
  ),
)

function takesStandardFormat(product: Product, own: OwnFormats): boolean {
  const byOption = (product.format_options ?? []).some(isStandardOption)
  return byOption || (product.format_ids ?? []).some((ref) => isStandardRef(ref, own))
}

function isStandardOption(option: FormatOption): boolean {
  if (option.format_kind === "video_vast" || option.format_kind === "audio_daast") return true
  const { width, height } = option.params as { width?: number; height?: number }
  return standardSizes.has(`${width}x${height}`)
}

function isStandardRef(ref: FormatRef, own: OwnFormats): boolean {
  const size = ref.width === undefined ? own.get(ref.id)?.renders?.[0]?.dimensions : ref
  return standardSizes.has(`${size?.width}x${size?.height}`)
}

/** Whether the forecast reaches this many impressions; a product without a forecast is not excluded. */
function reaches(product: Product, exposures: number): boolean {
  const counts = (product.forecast?.points ?? []).flatMap(({ metrics }) => {
    const impressions = metrics["impressions"]
    return impressions === undefined ? [] : [impressions.high ?? impressions.mid ?? 0]
  })
  return counts.length === 0 || counts.reduce((sum, count) => sum + count, 0) >= exposures
}

function matchesTrusted(product: Product, value: Asked<"trusted_match">): boolean {
  const offered = product.trusted_match
  if (offered === undefined) return false
  const answers = value.response_types ?? []
  const given: readonly string[] = offered.response_types ?? ["activation"]
  if (answers.length > 0 && !answers.some((type) => given.includes(type))) return false
  return (
    value.providers === undefined || value.providers.some((wanted) => providerMatches(offered.providers ?? [], wanted))
  )
}

interface Provider {
  agent_url: string
  context_match?: boolean
  identity_match?: boolean
}

function providerMatches(offered: readonly Provider[], wanted: Provider): boolean {
  return offered.some(
    (provider) =>
      canonicalUrl(provider.agent_url) === canonicalUrl(wanted.agent_url) &&
      (!wanted.context_match || provider.context_match === true) &&
      (!wanted.identity_match || provider.identity_match === true),
  )
}

function reportsVendorMetrics(product: Product, value: Asked<"required_vendor_metrics">): boolean {
  const reported = product.reporting_capabilities.vendor_metrics ?? []
  return value.every(({ vendor, metric_id }) =>
    reported.some(
      (metric) =>
        (vendor === undefined || metric.vendor.domain === vendor.domain) &&
        (metric_id === undefined || metric.metric_id === metric_id),
    ),
  )
}

// For invalid traffic less is better; for everything else more.
const isAtLeastAsGood = (metric: string, promised: number, value: number) =>
  metric === "ivt" ? promised <= value : promised >= value

function promisesAll(product: Product, value: Asked<"required_performance_standards">): boolean {
  const promised = product.performance_standards ?? []
  return value.every((wanted) =>
    promised.some(
      (standard) =>
        standard.metric === wanted.metric &&
        isAtLeastAsGood(wanted.metric, standard.threshold, wanted.threshold) &&
        standard.vendor.domain === wanted.vendor.domain &&
        (wanted.standard === undefined || standard.standard === wanted.standard),
    ),
  )
}

function offersSignals(product: Product, value: readonly Signal[]): boolean {
  if (product.signal_targeting_allowed !== true) return false
  const options = product.signal_targeting_options ?? []
  const most = product.signal_targeting_rules?.max_selected_signals ?? Number.POSITIVE_INFINITY
  return value.length <= most && value.every((signal) => options.some((option) => isSignal(option, signal)))
}

type Signal = Asked<"signal_targeting">[number]
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

/** A place of which nobody knows the country excludes nothing. */
const coversIfKnown = (opened: readonly string[], country: string | undefined) =>
  country === undefined || covers(opened, country)

/** Legacy names of postal systems start with the country: us_zip, de_plz. */
function countryOfPostalSystem(system: string): string | undefined {
  return /^[a-z]{2}_/.test(system) ? system.slice(0, 2).toUpperCase() : undefined
}

/** Filters that our products cannot answer. They exclude nothing, and the diagnostics say so. */
const unansweredFilters: readonly FilterName[] = ["geo_proximity", "keywords"]

/** The product with the remaining pricing options, or undefined when it is excluded. */
export function applyFilters(seen: SeenProduct, filters: ProductFilters, catalogue: Catalogue) {
  if (firstExclusion(seen, filters, catalogue) !== undefined) return undefined
  const all = seen.product.pricing_options
  const remaining = keptOptions(all, filters)
  return remaining.length === all.length ? seen : withOptions(seen, remaining)
}

/** The filters that exclude a product: without them it would stay. Empty when it stays anyway. */
export function excludedBy(seen: SeenProduct, filters: ProductFilters, catalogue: Catalogue): FilterName[] {
  const name = firstExclusion(seen, filters, catalogue)
  if (name === undefined) return []
  const { [name]: _, ...rest } = filters
  return [name, ...excludedBy(seen, rest, catalogue)]
}

/** A filter that excludes the product. Of price filters that only together leave nothing, the narrower one is named. */
function firstExclusion(seen: SeenProduct, filters: ProductFilters, catalogue: Catalogue): FilterName | undefined {
  for (const name in filters) if (!passes(name as FilterName, seen, filters, catalogue)) return name as FilterName
  return excludingPrice(seen.product, filters)
}

function passes<Name extends FilterName>(name: Name, seen: SeenProduct, filters: ProductFilters, catalogue: Catalogue) {
  const value = filters[name]
  const test: Test<Name> | undefined = Object.hasOwn(tests, name) ? tests[name] : undefined
  return test === undefined || value === undefined || test(seen, value, catalogue)
}

function withOptions(seen: SeenProduct, pricing_options: PricingOption[]): SeenProduct {
  const product = { ...seen.product, pricing_options }
  const { territories } = seen
  return { ...seen, product, alike: alikeBy(product, territories), line: new Line(productLine(product, territories)) }
}

/** The pricing options that match. The protocol removes the others from the answer. */
function keptOptions(options: PricingOption[], filters: ProductFilters): PricingOption[] {
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
function excludingPrice(product: Product, filters: ProductFilters): PriceFilter | undefined {
  const remaining = keptOptions(product.pricing_options, filters)
  if (remaining.length === 0) return filters.pricing_currencies === undefined ? "is_fixed_price" : "pricing_currencies"
  if (!mandatorySignalsArePayable(product, filters)) return "pricing_currencies"
  return filters.budget_range && !fitsBudget(remaining, filters.budget_range) ? "budget_range" : undefined
}

function mandatorySignalsArePayable(product: Product, { pricing_currencies }: ProductFilters): boolean {
  if (pricing_currencies === undefined || product.signal_targeting_rules?.selection_mode !== "fixed") return true
  const mandatory = (product.signal_targeting_options ?? []).filter((option) => option.default_selected)
  return mandatory.every(({ pricing_options }) => {
    if (pricing_options === undefined) return true
    return pricing_options.some(({ currency }) => currency !== undefined && pricing_currencies.includes(currency))
  })
}

function fitsBudget(options: PricingOption[], budget: Asked<"budget_range">): boolean {
  const most = budget.max ?? Number.POSITIVE_INFINITY
  return options.some((option) => option.currency === budget.currency && leastSpend(option) <= most)
}

interface Exclusion {
  count: number
  notes?: string
}

/**
 * How many of the caller's products each filter excluded. Counts products that only this filter excluded; if nothing is left and no
 * single filter is the cause, counts what each would exclude by itself, so that an empty answer is explained.
 */
export function* diagnosing(
  seen: readonly SeenProduct[],
  remaining: number,
  { filters, policies = [] }: { readonly filters: ProductFilters; readonly policies?: readonly string[] },
  catalogue: Catalogue,
  unknown: readonly string[] = [],
) {
  const names = Object.keys(filters) as FilterName[]
  function* left(applied: ProductFilters, demanded: readonly string[]): Steps<number> {
    let count = 0
    yield* eachInSteps(seen, (each) => {
      if (applyFilters(each, applied, catalogue) !== undefined && enforcesAll(each.product, demanded)) count++
    })
    return count
  }
  const alone = new Map<string, number>()
  for (const name of names) alone.set(name, (yield* left(without(filters, name), policies)) - remaining)
  alone.set("required_policies", (yield* left(filters, [])) - remaining)
  const explains = remaining > 0 || [...alone.values()].some((count) => count > 0)
  const any = new Map<string, number>()
  for (const name of explains ? [] : names) any.set(name, seen.length - (yield* left({ [name]: filters[name] }, [])))
  if (!explains) any.set("required_policies", seen.length - (yield* left({}, policies)))
  const counts = explains ? alone : any
  return {
    semantics: explains ? "only" : "any",
    total_candidates: seen.length,
    excluded_by: Object.fromEntries([...excluded(counts), ...notApplied(names), ...notKnown(unknown)]),
  }
}

function without(filters: ProductFilters, name: FilterName): ProductFilters {
  const { [name]: _, ...rest } = filters
  return rest
}

const excluded = (counts: ReadonlyMap<string, number>): [string, Exclusion][] =>
  [...counts].filter(([, count]) => count > 0).map(([name, count]) => [name, { count }])

const notApplied = (names: readonly FilterName[]): [string, Exclusion][] =>
  names
    .filter((name) => unansweredFilters.includes(name))
    .map((name) => [name, { count: 0, notes: "Not applied: the products do not say." }])

const UNKNOWN_MAX = 10

const notKnown = (names: readonly string[]): [string, Exclusion][] =>
  names
    .slice(0, UNKNOWN_MAX)
    .map((name) => [cutText(name, 60), { count: 0, notes: "Not applied: this agent does not know this filter." }])
