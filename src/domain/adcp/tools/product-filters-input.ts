import { type Static, Type } from "@sinclair/typebox"
import {
  Amount,
  AnyObject,
  AtLeastOne,
  CalendarDate,
  Country,
  Currency,
  choice,
  Domain,
  Flag,
  Fraction,
  has,
  optional,
  ruled,
  Text,
  Url,
} from "../../schema/schema-helpers.ts"
import { PerformanceMetric } from "../schema/product/measurement.ts"
import {
  AudioDistributionType,
  AvailableMetric,
  Channel,
  DeliveryType,
  Exclusivity,
  GeoLevel,
  MetroSystem,
  ResponseType,
  SocialPlacementSurface,
  SponsoredPlacementType,
  VideoPlacementType,
  ViewabilityStandard,
} from "../schema/vocabulary.ts"
import { described, FormatIdInput, listOf } from "./common-input.ts"

const BudgetRange = ruled(
  Type.Object({ currency: Currency, ...optional({ min: Amount, max: Amount }) }),
  Type.Union([has("min"), has("max")]),
)

const TrustedMatchFilter = Type.Object(
  optional({
    providers: listOf(
      Type.Object({ agent_url: Url, ...optional({ context_match: Flag, identity_match: Flag }) }),
      "Providers, any of which will do.",
    ),
    response_types: listOf(ResponseType, "Kinds of answer, any of which will do."),
  }),
)

const GeoTargeting = Type.Object({ level: GeoLevel, ...optional({ country: Country, system: Text }) })

// References are only compared with those of the products, so that their shape need not be checked.
const SignalFilter = ruled(
  Type.Object(optional({ signal_ref: AnyObject, signal_id: AnyObject, targeting_mode: choice("include exclude") })),
  Type.Union([has("signal_ref"), has("signal_id")]),
)

const PostalArea = Type.Object({
  system: Text,
  values: Type.Array(Text, { minItems: 1, maxItems: 200 }),
  ...optional({ country: Country }),
})

const PerformanceStandard = Type.Object({
  metric: PerformanceMetric,
  threshold: Fraction,
  vendor: Type.Object({ domain: Domain }),
  ...optional({ standard: ViewabilityStandard }),
})

const VendorMetric = ruled(
  Type.Object(optional({ vendor: Type.Object({ domain: Text }), metric_id: Text })),
  Type.Union([has("vendor"), has("metric_id")]),
)

/** Leaves out what does not match. A filter never makes a call fail. */
export const ProductFilters = Type.Object(
  optional({
    delivery_type: described(DeliveryType, "Only products of this delivery type."),
    exclusivity: described(Exclusivity, "Only products of this exclusivity; a product that says nothing is none."),
    is_fixed_price: described(Flag, "true: fixed prices only; false: auction prices only. Other options are left out."),
    pricing_currencies: listOf(Currency, "Only prices in these currencies. Other options are left out."),
    format_ids: listOf(FormatIdInput, "Only products that take one of these formats."),
    standard_formats_only: described(Flag, "true: only products that take an IAB standard size, VAST or DAAST."),
    min_exposures: described(
      AtLeastOne,
      "Only products whose forecast reaches so many impressions, or that have none.",
    ),
    start_date: described(CalendarDate, "First day of the campaign; products that expire before it are left out."),
    end_date: described(CalendarDate, "Last day of the campaign."),
    budget_range: described(BudgetRange, "Only products that can be bought with this budget."),
    countries: listOf(Country, "Only products opened to you in one of these countries."),
    regions: listOf(
      Type.String({ pattern: "^[A-Z]{2}-[A-Z0-9]+$" }),
      "Only products opened in the country of a region.",
    ),
    metros: listOf(
      Type.Object({ system: MetroSystem, code: Text }),
      "Only products opened in the country of a metro area.",
    ),
    channels: listOf(Channel, "Only products of one of these channels."),
    video_placement_types: listOf(VideoPlacementType, "Only products that deliver one of these."),
    audio_distribution_types: listOf(AudioDistributionType, "Only products that deliver one of these."),
    sponsored_placement_types: listOf(SponsoredPlacementType, "Only products that deliver one of these."),
    social_placement_surfaces: listOf(SocialPlacementSurface, "Only products that deliver one of these."),
    required_axe_integrations: listOf(Url, "Exchanges; we are connected to none, so nothing matches."),
    trusted_match: described(TrustedMatchFilter, "Only products with this support for Trusted Match."),
    required_features: Type.Object(
      {},
      { additionalProperties: Flag, description: "Features that must be supported; those set to true count." },
    ),
    required_geo_targeting: listOf(GeoTargeting, "Targeting at purchase; we offer none, so nothing matches."),
    signal_targeting: listOf(SignalFilter, "Only products that let you choose all of these signals."),
    postal_areas: listOf(PostalArea, "Only products opened in the country of a postal area."),
    geo_proximity: listOf(AnyObject, "Points on the map. Our products do not say, so this leaves nothing out."),
    required_performance_standards: listOf(PerformanceStandard, "Only products that promise at least these."),
    required_metrics: listOf(AvailableMetric, "Only products that report all of these metrics."),
    required_vendor_metrics: listOf(VendorMetric, "Only products that report all of these vendor metrics."),
    keywords: listOf(
      Type.Object({
        keyword: Type.String({ minLength: 1 }),
        ...optional({ match_type: choice("broad phrase exact") }),
      }),
      "Search words. Our products do not say, so this leaves nothing out.",
    ),
    ext: described(AnyObject, "Extensions by vendor name. We know none."),
  }),
  { description: "Leaves out products that do not match. All filters apply together." },
)
export type ProductFilters = Static<typeof ProductFilters>
