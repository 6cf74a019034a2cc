import { cutText } from "../../text/short-text.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import { Line } from "../json.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { SeenProduct } from "../seen-product.ts"
import { productLine } from "../text.ts"
import type { ProductFilters } from "../tools/get-products-input.ts"
import {
  delivers,
  isAvailableFrom,
  matchesTrusted,
  type PlacementKind,
  reaches,
  takesFormat,
  takesStandardFormat,
} from "./supply.ts"
import {
  enforcesAll,
  excludingPrice,
  inCountries,
  inMetros,
  inPostalAreas,
  inRegions,
  keptOptions,
  offersSignals,
  promisesAll,
  reportsAll,
  reportsVendorMetrics,
} from "./terms.ts"

interface Catalogue {
  readonly own: OwnFormats
  readonly agentUrl: string
}

export type FilterName = keyof ProductFilters

type Test<Name extends FilterName> = (
  seen: SeenProduct,
  asked: NonNullable<ProductFilters[Name]>,
  catalogue: Catalogue,
) => boolean

const delivering = <Kind extends PlacementKind>(kind: Kind) =>
  (({ product }, asked) => delivers(product, kind, asked)) as Test<Kind>

// One test per filter. Prices are tested together, below.
const tests: { [Name in FilterName]?: Test<Name> } = {
  delivery_type: ({ product }, asked) => product.delivery_type === asked,
  exclusivity: ({ product }, asked) => (product.exclusivity ?? "none") === asked,
  format_ids: ({ product }, asked, { agentUrl }) => takesFormat(product, asked, agentUrl),
  standard_formats_only: ({ product }, asked, { own }) => !asked || takesStandardFormat(product, own),
  min_exposures: ({ product }, asked) => reaches(product, asked),
  start_date: ({ product }, asked) => isAvailableFrom(product, asked),
  countries: ({ territories }, asked) => inCountries(territories, asked),
  regions: ({ territories }, asked) => inRegions(territories, asked),
  metros: ({ territories }, asked) => inMetros(territories, asked),
  postal_areas: ({ territories }, asked) => inPostalAreas(territories, asked),
  channels: ({ product }, asked) => asked.some((channel) => product.channels?.includes(channel)),
  video_placement_types: delivering("video_placement_types"),
  audio_distribution_types: delivering("audio_distribution_types"),
  sponsored_placement_types: delivering("sponsored_placement_types"),
  social_placement_surfaces: delivering("social_placement_surfaces"),
  trusted_match: ({ product }, asked) => matchesTrusted(product, asked),
  signal_targeting: ({ product }, asked) => offersSignals(product, asked),
  required_performance_standards: ({ product }, asked) => promisesAll(product, asked),
  required_metrics: ({ product }, asked) => reportsAll(product, asked),
  required_vendor_metrics: ({ product }, asked) => reportsVendorMetrics(product, asked),
  // We support none of these, so nothing matches.
  required_features: (_, asked) => !Object.values(asked).includes(true),
  required_geo_targeting: () => false,
  required_axe_integrations: () => false,
}

/** Filters that our products cannot answer. They exclude nothing, and the diagnostics say so. */
const unansweredFilters: readonly FilterName[] = ["geo_proximity", "keywords"]

/** The product with the remaining pricing options, or undefined when it is excluded. */
export function applyFilters(
  seen: SeenProduct,
  filters: ProductFilters,
  catalogue: Catalogue,
): SeenProduct | undefined {
  if (firstExclusion(seen, filters, catalogue) !== undefined) return undefined
  const all = seen.product.pricing_options
  const kept = keptOptions(all, filters)
  return kept.length === all.length ? seen : withOptions(seen, kept)
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

function passes<Name extends FilterName>(
  name: Name,
  seen: SeenProduct,
  filters: ProductFilters,
  catalogue: Catalogue,
): boolean {
  const asked = filters[name]
  const test: Test<Name> | undefined = Object.hasOwn(tests, name) ? tests[name] : undefined
  return test === undefined || asked === undefined || test(seen, asked, catalogue)
}

function withOptions(seen: SeenProduct, pricing_options: PricingOption[]): SeenProduct {
  const product = { ...seen.product, pricing_options }
  return { ...seen, product, line: new Line(productLine(product, seen.territories)) }
}

interface Exclusion {
  count: number
  notes?: string
}

interface Narrowed {
  readonly filters: ProductFilters
  readonly policies?: readonly string[]
}

interface FilterDiagnostics {
  semantics: "only" | "any"
  total_candidates: number
  excluded_by: Record<string, Exclusion>
}

/**
 * How many of the caller's products each filter excluded. Counts products that only this filter excluded; if nothing is left and no
 * single filter is the cause, counts what each would exclude by itself, so that an empty answer is explained.
 */
export function diagnose(
  seen: readonly SeenProduct[],
  kept: number,
  { filters, policies = [] }: Narrowed,
  catalogue: Catalogue,
  unknown: readonly string[] = [],
): FilterDiagnostics {
  const names = Object.keys(filters) as FilterName[]
  const matches = (with_: ProductFilters, demanded: readonly string[]) => {
    const fits = (each: SeenProduct) => applyFilters(each, with_, catalogue) !== undefined
    return seen.filter((each) => fits(each) && enforcesAll(each.product, demanded)).length
  }
  const alone = new Map<string, number>([
    ...names.map((name) => [name, matches(without(filters, name), policies) - kept] as const),
    ["required_policies", matches(filters, []) - kept],
  ])
  const explains = kept > 0 || [...alone.values()].some((count) => count > 0)
  const counts = explains
    ? alone
    : new Map<string, number>([
        ...names.map((name) => [name, seen.length - matches({ [name]: filters[name] }, [])] as const),
        ["required_policies", seen.length - matches({}, policies)],
      ])
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
