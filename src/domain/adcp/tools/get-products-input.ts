import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"
import { keepJson } from "../json.ts"
import { PerformanceMetric } from "../schema/product/measurement.ts"
import type { Product } from "../schema/product/product.ts"
import * as words from "../schema/vocabulary.ts"
import { AccountInput, ARGUMENT_ENTRIES_MAX, described, FormatIdInput, listOf, Pagination, toolInput } from "./input.ts"

const BudgetRange = s.ruled(
  Type.Object({ currency: s.Currency, ...s.optional({ min: s.Amount, max: s.Amount }) }),
  Type.Union([s.has("min"), s.has("max")]),
)

const TrustedMatchFilter = Type.Object(
  s.optional({
    providers: listOf(
      Type.Object({ agent_url: s.Url, ...s.optional({ context_match: s.Flag, identity_match: s.Flag }) }),
      "Providers, any of which will do.",
    ),
    response_types: listOf(words.ResponseType, "Kinds of answer, any of which will do."),
  }),
)

const GeoTargeting = Type.Object({ level: words.GeoLevel, ...s.optional({ country: s.Country, system: s.Text }) })

// References are only compared with those of the products, so that their shape need not be checked.
const SignalFilter = s.ruled(
  Type.Object(
    s.optional({ signal_ref: s.AnyObject, signal_id: s.AnyObject, targeting_mode: s.choice("include exclude") }),
  ),
  Type.Union([s.has("signal_ref"), s.has("signal_id")]),
)

const PostalArea = Type.Object({
  system: s.Text,
  values: Type.Array(s.Text, { minItems: 1, maxItems: 200 }),
  ...s.optional({ country: s.Country }),
})

const PerformanceStandard = Type.Object({
  metric: PerformanceMetric,
  threshold: s.Fraction,
  vendor: Type.Object({ domain: s.Domain }),
  ...s.optional({ standard: words.ViewabilityStandard }),
})

const VendorMetric = s.ruled(
  Type.Object(s.optional({ vendor: Type.Object({ domain: s.Text }), metric_id: s.Text })),
  Type.Union([s.has("vendor"), s.has("metric_id")]),
)

const UNMIXED = "Only products that deliver nothing else, or of which a placement of such a type can be bought alone."

/** Leaves out what does not match. A filter never makes a call fail. */
export const ProductFilters = Type.Object(
  s.optional({
    delivery_type: described(words.DeliveryType, "Only products of this delivery type."),
    exclusivity: described(
      words.Exclusivity,
      "Only products of this exclusivity; a product that says nothing is none.",
    ),
    is_fixed_price: described(
      s.Flag,
      "true: fixed prices only; false: auction prices only. Other options are left out.",
    ),
    pricing_currencies: listOf(s.Currency, "Only prices in these currencies. Other options are left out."),
    format_ids: listOf(FormatIdInput, "Only products that take one of these formats."),
    standard_formats_only: described(s.Flag, "true: only products that take an IAB standard size, VAST or DAAST."),
    min_exposures: described(
      s.AtLeastOne,
      "Only products whose forecast reaches so many impressions, or that have none.",
    ),
    start_date: described(s.CalendarDate, "First day of the campaign; products that expire before it are left out."),
    end_date: described(s.CalendarDate, "Last day of the campaign."),
    budget_range: described(BudgetRange, "Only products that can be bought with this budget."),
    countries: listOf(s.Country, "Only products opened to you in one of these countries."),
    regions: listOf(
      Type.String({ pattern: "^[A-Z]{2}-[A-Z0-9]+$" }),
      "Only products opened in the country of a region.",
    ),
    metros: listOf(
      Type.Object({ system: words.MetroSystem, code: s.Text }),
      "Only products opened in the country of a metro area.",
    ),
    channels: listOf(words.Channel, "Only products of one of these channels."),
    video_placement_types: listOf(words.VideoPlacementType, UNMIXED),
    audio_distribution_types: listOf(words.AudioDistributionType, UNMIXED),
    sponsored_placement_types: listOf(words.SponsoredPlacementType, UNMIXED),
    social_placement_surfaces: listOf(words.SocialPlacementSurface, UNMIXED),
    required_axe_integrations: listOf(s.Url, "Exchanges; we are connected to none, so nothing matches."),
    trusted_match: described(TrustedMatchFilter, "Only products with this support for Trusted Match."),
    required_features: Type.Object(
      {},
      { additionalProperties: s.Flag, description: "Features that must be supported; those set to true count." },
    ),
    required_geo_targeting: listOf(GeoTargeting, "Targeting at purchase; we offer none, so nothing matches."),
    signal_targeting: listOf(SignalFilter, "Only products that let you choose all of these signals."),
    postal_areas: listOf(PostalArea, "Only products opened in the country of a postal area."),
    geo_proximity: listOf(s.AnyObject, "Points on the map. Our products do not say, so this leaves nothing out."),
    required_performance_standards: listOf(PerformanceStandard, "Only products that promise at least these."),
    required_metrics: listOf(words.AvailableMetric, "Only products that report all of these metrics."),
    required_vendor_metrics: listOf(VendorMetric, "Only products that report all of these vendor metrics."),
    keywords: listOf(
      Type.Object({
        keyword: Type.String({ minLength: 1 }),
        ...s.optional({ match_type: s.choice("broad phrase exact") }),
      }),
      "Search words. Our products do not say, so this leaves nothing out.",
    ),
    ext: described(s.AnyObject, "Extensions by vendor name. We know none."),
  }),
  { description: "Leaves out products that do not match. All filters apply together." },
)
export type ProductFilters = Static<typeof ProductFilters>

const ask = Type.Optional(Type.String({ minLength: 1, description: "A wish in your own words." }))

const RefineEntry = Type.Union([
  Type.Object({ scope: Type.Literal("request"), ask: Type.String({ minLength: 1 }) }),
  Type.Object({
    scope: Type.Literal("product"),
    product_id: Type.String({ minLength: 1 }),
    action: Type.Optional(s.choice("include omit more_like_this")),
    ask,
  }),
  Type.Object({
    scope: Type.Literal("proposal"),
    proposal_id: Type.String({ minLength: 1 }),
    action: Type.Optional(s.choice("include omit finalize")),
    ask,
  }),
])
export type RefineEntry = Static<typeof RefineEntry>

const Brand = Type.Object({ domain: s.Domain, ...s.optional({ brand_id: s.Text, industries: Type.Array(s.Text) }) })
const Catalog = Type.Object({ type: words.CatalogType })
const PropertyList = Type.Object({
  agent_url: s.Url,
  list_id: Type.String({ minLength: 1 }),
  ...s.optional({ auth_token: s.Text }),
})
const TimeBudget = Type.Object({ interval: s.AtLeastOne, unit: s.choice("seconds minutes hours days campaign") })

export const GetProductsInput = toolInput({
  buying_mode: described(
    s.choice("brief wholesale refine"),
    "brief: ranked by your brief; wholesale: everything in a stable order; refine: changes to an earlier answer. Left out: brief.",
  ),
  brief: Type.String({
    description: "What the campaign is about, in plain words. For buying_mode brief.",
    examples: ["Podcast sponsorship for a new running shoe, Germany and Austria, spring"],
  }),
  refine: Type.Array(Type.Union([RefineEntry, Type.Null()]), {
    minItems: 1,
    maxItems: 100,
    description: "What to change. For buying_mode refine.",
  }),
  brand: described(Brand, "The brand that advertises. It does not change the answer."),
  catalog: described(Catalog, "A catalogue of the brand's goods; needs brand. It does not change the answer."),
  account: AccountInput,
  preferred_delivery_types: Type.Array(words.DeliveryType, {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: "Delivery types in your order of preference. Moves them up, leaves nothing out.",
  }),
  filters: ProductFilters,
  property_list: described(PropertyList, "A list of properties. We do not fetch it, so it is not applied."),
  fields: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: 100,
    description:
      "Only these fields of each product, such as channels, placements, forecast, creative_policy, expires_at or " +
      "brief_relevance, beside those that a product always has. Unknown names are ignored.",
  }),
  time_budget: described(TimeBudget, "How long you can wait. We answer at once."),
  push_notification_config: Type.Object(
    { url: s.Url },
    { description: "Where to report later. We answer at once, so it is not used." },
  ),
  pagination: Pagination,
  if_wholesale_feed_version: Type.String({
    description: "The wholesale_feed_version that you have. If it is still current, the answer is just unchanged.",
  }),
  if_pricing_version: Type.String({
    description: "Prices have no version of their own; needs if_wholesale_feed_version.",
  }),
  required_policies: Type.Array(s.Text, {
    maxItems: ARGUMENT_ENTRIES_MAX,
    description: "Only products that enforce all of these registry policies.",
  }),
})
export type GetProductsInput = Static<typeof GetProductsInput>

// Fields that a valid product needs; ext has the opened territories.
const always = [
  "product_id name description publisher_properties format_ids format_options delivery_type",
  "pricing_options reporting_capabilities signal_targeting_allowed ext",
].flatMap((names) => names.split(" "))

type Fields = GetProductsInput["fields"]

/** The last selection of each product: a buyer who asks for fields asks for the same ones each time. */
const latest = new WeakMap<Product, { readonly wanted: string; readonly selected: Product }>()

/** The product with the requested fields and those it always has, its JSON kept. */
export function selectFields(product: Product, fields: Fields): Product {
  if (fields === undefined) return keepJson(product)
  const wanted = fields.join(" ")
  const existing = latest.get(product)
  if (existing?.wanted === wanted) return existing.selected
  const names = new Set<string>([...always, ...fields])
  const selected = Object.fromEntries(Object.entries(product).filter(([name]) => names.has(name))) as Product
  latest.set(product, { wanted, selected: keepJson(selected) })
  return selected
}

export const wantsReasons = (fields: Fields) => fields === undefined || fields.includes("brief_relevance")
