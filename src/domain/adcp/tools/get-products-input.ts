import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"
import { territorySentence } from "../catalogue/territory.ts"
import { keepJson } from "../json.ts"
import { PerformanceMetric, ReportingCapabilities } from "../schema/product/measurement.ts"
import type { Product } from "../schema/product/product.ts"
import * as words from "../schema/vocabulary.ts"
import type { SeenProduct } from "../seen-product.ts"
import { AccountInput, ARGUMENT_ENTRIES_MAX, described, FormatIdInput, listOf, Pagination, toolInput } from "./input.ts"

const BudgetRange = s.ruled(
  s.object({ currency: s.Currency, ...s.fields(s.Amount, "min? max?") }),
  Type.Union([s.has("min"), s.has("max")]),
)

const GeoTargeting = s.object({ level: words.GeoLevel, "country?": s.Country, "system?": s.Text })

const PostalArea = s.object({
  system: s.Text,
  values: Type.Array(s.Text, { minItems: 1, maxItems: 200 }),
  "country?": s.Country,
})

const PerformanceStandard = s.object({
  metric: PerformanceMetric,
  threshold: s.Fraction,
  vendor: Type.Object({ domain: s.Domain }),
  "standard?": words.ViewabilityStandard,
})

const VendorMetric = s.ruled(
  s.partial({ vendor: Type.Object({ domain: s.Text }), metric_id: s.Text }),
  Type.Union([s.has("vendor"), s.has("metric_id")]),
)

const Region = Type.String({ pattern: "^[A-Z]{2}-[A-Z0-9]+$" })
const Metro = Type.Object({ system: words.MetroSystem, code: s.Text })
const Keyword = s.object({ keyword: s.NonEmpty, "match_type?": "broad phrase exact" })

const UNMIXED = "Only products limited to these types, or with such a placement that can be bought on its own."

/** Leaves out what does not match. A filter never makes a call fail. */
export const ProductFilters = s.partial(
  {
    delivery_type: described(words.DeliveryType, "Only products of this delivery type."),
    exclusivity: described(
      words.Exclusivity,
      "Only products with this exclusivity. A product that doesn't state one has none.",
    ),
    is_fixed_price: described(s.Flag, "true keeps fixed prices only, false auction prices only."),
    pricing_currencies: listOf(s.Currency, "Only prices in these currencies."),
    format_ids: listOf(FormatIdInput, "Only products that accept one of these formats."),
    standard_formats_only: described(
      s.Flag,
      "true keeps only products that accept an IAB standard size, VAST or DAAST.",
    ),
    min_exposures: described(
      s.AtLeastOne,
      "The fewest impressions a product must forecast. Products without a forecast are kept.",
    ),
    start_date: described(s.CalendarDate, "First day of the campaign. Leaves out products that expire before it."),
    end_date: described(s.CalendarDate, "Last day of the campaign."),
    budget_range: described(BudgetRange, "Only products that fit this budget."),
    countries: listOf(s.Country, "Only products available to you in one of these countries."),
    regions: listOf(Region, "Only products available in the country of one of these regions."),
    metros: listOf(Metro, "Only products available in the country of one of these metro areas."),
    channels: listOf(words.Channel, "Only products in one of these channels."),
    video_placement_types: listOf(words.VideoPlacementType, UNMIXED),
    audio_distribution_types: listOf(words.AudioDistributionType, UNMIXED),
    sponsored_placement_types: listOf(words.SponsoredPlacementType, UNMIXED),
    social_placement_surfaces: listOf(words.SocialPlacementSurface, UNMIXED),
    required_axe_integrations: listOf(s.Url, "Ad exchanges. This agent connects to none, so nothing matches."),
    trusted_match: described(s.AnyObject, "Trusted Match. This agent supports none, so nothing matches."),
    required_features: Type.Object(
      {},
      { additionalProperties: s.Flag, description: "Features that a product must support: those set to true." },
    ),
    required_geo_targeting: listOf(
      GeoTargeting,
      "Targeting chosen at purchase. This agent offers none, so nothing matches.",
    ),
    signal_targeting: listOf(s.AnyObject, "Signals chosen at purchase. This agent offers none, so nothing matches."),
    postal_areas: listOf(PostalArea, "Only products available in the country of one of these postal areas."),
    geo_proximity: listOf(
      s.AnyObject,
      "Points on a map. Products here have no locations, so this filter has no effect.",
    ),
    required_performance_standards: listOf(
      PerformanceStandard,
      "Only products that guarantee at least these standards.",
    ),
    required_metrics: listOf(words.AvailableMetric, "Only products that report all of these metrics."),
    required_vendor_metrics: listOf(VendorMetric, "Only products that report all of these vendor metrics."),
    keywords: listOf(Keyword, "Search keywords. Products here have none, so this filter has no effect."),
    ext: described(s.AnyObject, "Vendor extensions. None are used."),
  },
  { description: "Products must match every filter." },
)
export type ProductFilters = Static<typeof ProductFilters>

const ask = Type.String({ minLength: 1, description: "What you want, in your own words." })

const RefineEntry = Type.Union([
  s.object({ scope: "request", ask: s.NonEmpty }),
  s.object({ scope: "product", product_id: s.NonEmpty, "action?": "include omit more_like_this", "ask?": ask }),
  s.object({ scope: "proposal", proposal_id: s.NonEmpty, "action?": "include omit finalize", "ask?": ask }),
])
export type RefineEntry = Static<typeof RefineEntry>

const Brand = s.object({ domain: s.Domain, "brand_id?": s.Text, "industries?": Type.Array(s.Text) })
const Catalog = Type.Object({ type: words.CatalogType })
const PropertyList = s.object({ agent_url: s.Url, list_id: s.NonEmpty, "auth_token?": s.Text })
const TimeBudget = s.object({ interval: s.AtLeastOne, unit: "seconds minutes hours days campaign" })

export const GetProductsInput = toolInput({
  buying_mode: described(
    s.choice("brief wholesale refine"),
    "brief ranks products by your brief, wholesale lists everything in a stable order, refine changes an earlier answer. Default: brief.",
  ),
  brief: Type.String({
    description: "What the campaign is about, in plain words. Used with buying_mode brief.",
    examples: ["Podcast sponsorship for a new running shoe, Germany and Austria, spring"],
  }),
  refine: Type.Array(Type.Union([RefineEntry, Type.Null()]), {
    minItems: 1,
    maxItems: 100,
    description: "What to change. Used with buying_mode refine.",
  }),
  brand: described(Brand, "The advertised brand. It doesn't affect the answer."),
  catalog: described(Catalog, "The brand's product catalogue. Requires brand. It doesn't affect the answer."),
  account: AccountInput,
  preferred_delivery_types: Type.Array(words.DeliveryType, {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: "Delivery types in order of preference. Ranks matching products higher and leaves nothing out.",
  }),
  filters: ProductFilters,
  property_list: described(PropertyList, "A list of properties. This agent doesn't fetch or apply it."),
  fields: Type.Array(s.Text, {
    minItems: 1,
    maxItems: 100,
    description:
      "Only these fields of each product, such as channels, placements, forecast, creative_policy, " +
      "expires_at or brief_relevance. Required fields are always included. Unknown names are ignored.",
  }),
  time_budget: described(TimeBudget, "How long you can wait. Answers are immediate."),
  push_notification_config: Type.Object(
    { url: s.NonEmpty },
    { description: "Where to send later updates. Not used, because answers are immediate." },
  ),
  pagination: Pagination,
  if_wholesale_feed_version: Type.String({
    description: "The wholesale_feed_version you already have. If it is current, the answer only says so.",
  }),
  if_pricing_version: Type.String({
    description: "Prices aren't versioned separately. Requires if_wholesale_feed_version.",
  }),
  required_policies: Type.Array(s.Text, {
    maxItems: ARGUMENT_ENTRIES_MAX,
    description: "Only products that enforce all of these registry policies.",
  }),
})
export type GetProductsInput = Static<typeof GetProductsInput>

// Fields that the schema requires of a product, and the formats in both ways: clients read one of them. `ext` is written with each answer.
const always = [
  "product_id name description publisher_properties format_ids format_options delivery_type",
  "pricing_options reporting_capabilities signal_targeting_allowed",
].flatMap((names) => names.split(" "))

type Fields = GetProductsInput["fields"]

type Shown = SeenProduct["product"]

/** The last selection of each product: a buyer who asks for fields asks for the same ones each time. */
const latest = new WeakMap<object, { readonly wanted: string; readonly selected: Shown }>()

/** Gives a product with the requested fields and those that the schema requires, its JSON kept. Its last field is `ext`, for the order link. */
export function fieldSelector(fields: Fields): (seen: SeenProduct) => Shown {
  if (fields === undefined) return ({ product }) => keepJson(product)
  const wanted = JSON.stringify(fields)
  return ({ product, territories }) => {
    const existing = latest.get(product)
    if (existing?.wanted === wanted) return existing.selected
    const { ext, ...whole } = product
    const own = { ext: fields.includes("ext") ? ext : { adbooth: {} } }
    const selected = keepJson({ ...pick(whole, fields, territories), ...own } as Shown)
    latest.set(product, { wanted, selected })
    return selected
  }
}

type Whole = Omit<Product, "ext">

function pick(product: Whole, fields: readonly string[], territories: readonly string[]): object {
  const required = new Set(always)
  const least: Readonly<Record<string, unknown>> = leastOf(product, territories)
  return Object.fromEntries(
    Object.entries(product).flatMap(([name, value]) => {
      if (fields.includes(name)) return [[name, value]]
      return required.has(name) ? [[name, least[name] ?? value]] : []
    }),
  )
}

/**
 * What is told of fields that nobody asked for: as little as the schema takes and is still true. A price without its amount would be that
 * of an auction, one without its minimum could be had for less.
 */
const leastOf = ({ reporting_capabilities, pricing_options }: Whole, territories: readonly string[]) => ({
  description: territorySentence(territories),
  reporting_capabilities: keepNames(reporting_capabilities, (name) => REPORTING.has(name)),
  pricing_options: pricing_options.map((option) => keepNames(option, (name) => !PRICE_DETAILS.has(name))),
})

const REPORTING = new Set<string>(ReportingCapabilities.required)
const PRICE_DETAILS = new Set(["price_breakdown", "price_guidance", "eligible_adjustments"])

const keepNames = (value: object, isKept: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name)))

export const wantsReasons = (fields: Fields) => fields === undefined || fields.includes("brief_relevance")
