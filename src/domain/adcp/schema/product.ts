import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/build.ts"
import { Domain, object } from "../../schema/build.ts"
import { FormatRef, ProductFormatRef } from "./creative-format.ts"
import { PricingOption } from "./pricing-option.ts"
import * as words from "./vocabulary.ts"
import { AvailableMetric, ReportingFrequency, ViewabilityStandard } from "./vocabulary.ts"

/** A company, by its domain. */
const BrandRef = object({ domain: Domain, "brand_id?": Type.String({ pattern: "^[a-z0-9_]+$" }) })

const Region = Type.String({ title: "a region code such as DE-BY", pattern: "^[A-Z]{2}-[A-Z0-9]{1,3}$" })

const Place = s.ruled(
  s.object({
    kind: "geo",
    geo_level: "country region metro",
    ...s.fields(v.Text, "geo_code system? geo_name?"),
  }),
  s.when(s.is("geo_level", "country"), s.ruled(s.partial({ geo_code: v.Country }), s.hasNone("system"))),
  s.when(s.is("geo_level", "region"), s.ruled(s.partial({ geo_code: Region }), s.hasNone("system"))),
  s.when(s.is("geo_level", "metro"), Type.Object({ system: words.MetroSystem })),
)

const Range = s.ruled(s.partial(s.fields(v.Amount, "low mid high")), Type.Union([s.has("mid"), s.has("low", "high")]))

const ForecastPoint = s.object({
  metrics: s.partial(
    s.fields(
      Range,
      "audience_size reach frequency impressions clicks spend views completed_views grps engagements",
      "follows saves profile_visits measured_impressions downloads plays",
    ),
  ),
  "label?": Type.String({ maxLength: 128 }),
  "budget?": v.Amount,
  "dimensions?": s.nonEmptySet(Place),
})

/** What a product is expected to deliver. */
const DeliveryForecast = s.object({
  points: s.nonEmpty(ForecastPoint),
  method: "estimate modeled guaranteed",
  currency: v.Text,
  "forecast_range_unit?": "spend availability reach_freq weekly daily clicks conversions package",
  "reach_unit?": words.ReachUnit,
  ...s.fields(v.Timestamp, "generated_at? valid_until?"),
  "ext?": v.AnyObject,
})

const PropertyName = Type.String({ title: "lower-case letters, digits and _ only", pattern: "^[a-z0-9_]+$" })

// A product lists each publisher on its own. Other documents of AdCP have the plural.
const selection = <const Own extends s.Fields>(own: Own) =>
  s.ruled(s.object({ publisher_domain: v.Domain, ...own }), s.hasNone("publisher_domains"))

export const PublisherProperty = Type.Union([
  selection({ selection_type: "all" }),
  selection({ selection_type: "by_id", property_ids: s.nonEmpty(PropertyName) }),
  selection({ selection_type: "by_tag", property_tags: s.nonEmpty(PropertyName) }),
])
export type PublisherProperty = Static<typeof PublisherProperty>

export const placementTypes = s.optional({
  video_placement_types: s.nonEmptySet(words.VideoPlacementType),
  audio_distribution_types: s.nonEmptySet(words.AudioDistributionType),
  sponsored_placement_types: s.nonEmptySet(words.SponsoredPlacementType),
  social_placement_surfaces: s.nonEmptySet(words.SocialPlacementSurface),
})

const Placement = s.ruled(
  s.object({
    kind: "publisher_ref seller_inline",
    placement_id: v.Text,
    mode: "targetable included",
    "publisher_domain?": v.Domain,
    ...s.fields(v.Text, "name? description?"),
    "tags?": s.unique(v.Text),
    "format_ids?": s.nonEmpty(FormatRef),
    ...placementTypes,
  }),
  s.when(s.is("kind", "publisher_ref"), s.has("publisher_domain")),
  s.when(s.is("kind", "seller_inline"), s.has("name")),
)

const VendorMetric = s.object({
  vendor: BrandRef,
  metric_id: Type.String({ minLength: 1, maxLength: 64, pattern: "^[a-z][a-z0-9_]*$" }),
})

export const PerformanceMetric = s.choice("viewability ivt completion_rate brand_safety attention_score")

const PerformanceStandard = s.object({
  metric: PerformanceMetric,
  threshold: v.Fraction,
  vendor: BrandRef,
  "standard?": ViewabilityStandard,
})

const Duration = s.object({ interval: v.AtLeastOne, unit: "seconds minutes hours days campaign" })

const CancellationPolicy = Type.Object({
  notice_period: Duration,
  cancellation_fee: s.ruled(
    s.object({ type: "percent_remaining full_commitment fixed_fee none", "rate?": v.Fraction, "amount?": v.Amount }),
    s.when(s.is("type", "percent_remaining"), s.has("rate")),
    s.when(s.is("type", "fixed_fee"), s.has("amount")),
  ),
})

/** What the operator reports about a campaign, and how often. */
const ReportingCapabilities = s.object({
  available_reporting_frequencies: s.nonEmptySet(ReportingFrequency),
  expected_delay_minutes: v.Whole,
  timezone: v.Text,
  supports_webhooks: v.Flag,
  available_metrics: s.unique(AvailableMetric),
  date_range_support: "date_range lifetime_only",
  "vendor_metrics?": Type.Array(VendorMetric),
  ...s.fields(
    v.Flag,
    "supports_creative_breakdown? supports_keyword_breakdown? supports_device_type_breakdown?",
    "supports_device_platform_breakdown? supports_audience_breakdown? supports_placement_breakdown?",
  ),
})

const CreativePolicy = s.object({
  co_branding: "required optional none",
  landing_page: "any retailer_site_only must_include_retailer",
  templates_available: v.Flag,
})

const DeliveryMeasurement = s.partial({ vendors: s.nonEmpty(BrandRef), provider: v.Text, notes: v.Text })

const MaterialSubmission = s.partial(
  { url: v.HttpsUrl, email: v.Email, instructions: Type.String({ maxLength: 2_000 }), ext: v.AnyObject },
  { minProperties: 1 },
)

/**
 * A product as the operator writes it, with the fields of AdCP that forms, filters and buyers use. A format may leave
 * out our own agent_url, and says its kind if it's another agent's. Any other field is refused by name.
 */
export const Product = s.object({
  ...s.fields(v.Text, "product_id name description"),
  publisher_properties: s.nonEmpty(PublisherProperty),
  delivery_type: words.DeliveryType,
  pricing_options: s.nonEmpty(PricingOption),
  reporting_capabilities: ReportingCapabilities,
  format_ids: s.nonEmpty(ProductFormatRef),
  "channels?": s.unique(words.Channel),
  "placements?": s.nonEmpty(Placement),
  ...placementTypes,
  "exclusivity?": words.Exclusivity,
  "forecast?": DeliveryForecast,
  "delivery_measurement?": DeliveryMeasurement,
  "performance_standards?": s.nonEmpty(PerformanceStandard),
  "cancellation_policy?": CancellationPolicy,
  "creative_policy?": CreativePolicy,
  "property_targeting_allowed?": v.Flag,
  "expires_at?": v.Timestamp,
  "enforced_policies?": Type.Array(v.Text),
  "material_submission?": MaterialSubmission,
  "ext?": v.AnyObject,
})
export type Product = Static<typeof Product>
