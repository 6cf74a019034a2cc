import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import {
  AccountInput,
  ARGUMENT_ENTRIES_MAX,
  described,
  FormatIdInput,
  listOf,
  Pagination,
  toolInput,
} from "../input.ts"
import * as words from "../schema/vocabulary.ts"

const BudgetRange = s.object({ currency: s.Currency, ...s.fields(s.Amount, "min? max?") })

const PostalArea = s.object({
  system: s.Text,
  values: Type.Array(s.Text, { minItems: 1, maxItems: 200 }),
  "country?": s.Country,
})

const Region = Type.String({ title: "a region code such as DE-BY", pattern: "^[A-Z]{2}-[A-Z0-9]+$" })
const Metro = Type.Object({ system: words.MetroSystem, code: s.Text })
const Keyword = s.object({ keyword: s.NonEmpty, "match_type?": "broad phrase exact" })

/** An argument that no product here can match. */
const unanswered = (what: string) => listOf(Type.Unknown(), `${what}. No product here states them, so none matches.`)

/** A product that doesn't match is left out. A filter never makes a call fail. */
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
    start_date: described(s.DateText, "First day of the campaign. Leaves out products that expire before it."),
    end_date: described(s.DateText, "Last day of the campaign. Products here have no last day, so it leaves none out."),
    budget_range: described(BudgetRange, "Only products that fit this budget. Needs min or max."),
    countries: listOf(s.Country, "Only products available to you in one of these countries."),
    regions: listOf(Region, "Only products available in the country of one of these regions."),
    metros: listOf(Metro, "Only products available in the country of one of these metro areas."),
    channels: listOf(words.Channel, "Only products in one of these channels."),
    video_placement_types: unanswered("Video placements"),
    audio_distribution_types: unanswered("Kinds of audio"),
    sponsored_placement_types: unanswered("Sponsored placements"),
    social_placement_surfaces: unanswered("Social surfaces"),
    required_axe_integrations: unanswered("Ad exchanges"),
    trusted_match: described(s.AnyObject, "Trusted Match. This agent supports none, so nothing matches."),
    required_features: Type.Object(
      {},
      { additionalProperties: s.Flag, description: "Features that a product must support: those set to true." },
    ),
    required_geo_targeting: unanswered("Targeting chosen at purchase"),
    signal_targeting: unanswered("Signals chosen at purchase"),
    postal_areas: listOf(PostalArea, "Only products available in the country of one of these postal areas."),
    geo_proximity: listOf(
      s.AnyObject,
      "Points on a map. Products here have no locations, so this filter has no effect.",
    ),
    required_performance_standards: unanswered("Guaranteed standards"),
    required_metrics: listOf(words.AvailableMetric, "Only products that report all of these metrics."),
    required_vendor_metrics: unanswered("Metrics of vendors"),
    keywords: listOf(Keyword, "Search keywords. Products here have none, so this filter has no effect."),
    ext: described(s.AnyObject, "Vendor extensions. None are used."),
  },
  { description: "Products must match every filter." },
)
export type ProductFilters = Static<typeof ProductFilters>

const Ask = Type.String({ minLength: 1, description: "What you want, in your own words." })

const RefineEntry = Type.Union([
  s.object({ scope: "request", ask: s.NonEmpty }),
  s.object({ scope: "product", product_id: s.NonEmpty, "action?": "include omit more_like_this", "ask?": Ask }),
  s.object({ scope: "proposal", proposal_id: s.NonEmpty, "action?": "include omit finalize", "ask?": Ask }),
])
export type RefineEntry = Static<typeof RefineEntry>

const Brand = s.object({ domain: s.Domain, "brand_id?": s.Text, "industries?": Type.Array(s.Text) })
const Catalog = Type.Object({ type: words.CatalogType })
const PropertyList = s.object({ agent_url: s.Url, list_id: s.NonEmpty, "auth_token?": s.Text })
const TimeBudget = s.object({ interval: s.AtLeastOne, unit: "seconds minutes hours days campaign" })

export const GetProductsInput = toolInput({
  buying_mode: described(
    s.choice("brief wholesale refine"),
    "brief ranks products by your brief, wholesale lists everything in a stable order, refine changes an earlier " +
      "answer. Default: brief.",
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
  catalog: described(Catalog, "The brand's product catalog. Requires brand. It doesn't affect the answer."),
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
      "Returns only these fields of each product, such as channels, exclusivity, forecast or expires_at. " +
      "Required fields are always included. Unknown names are ignored.",
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
