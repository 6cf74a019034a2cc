import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef, ImageAsset } from "../brand.ts"
import { ProductFormatDeclaration } from "../format/creative-format.ts"
import { FormatRef } from "../format/format-id.ts"
import * as words from "../vocabulary.ts"
import { DeliveryForecast } from "./forecast.ts"
import { CollectionSelector, Installment, Placement, PublisherProperty, placementTypes } from "./inventory.ts"
import * as measurement from "./measurement.ts"
import { PricingOption } from "./pricing-option.ts"
import * as signal from "./signal.ts"

const ProductCard = s.partial({
  image: ImageAsset,
  title: Type.String({ maxLength: 60 }),
  description: Type.String({ maxLength: 200 }),
  price_label: Type.String({ maxLength: 30 }),
  cta_label: Type.String({ maxLength: 25 }),
})

const Specification = Type.Object({ label: Type.String({ maxLength: 60 }), value: Type.String({ maxLength: 200 }) })

const ProductCardDetailed = s.partial({
  hero_image: ImageAsset,
  carousel_images: Type.Array(ImageAsset),
  ...s.fields(s.Text, "title description price_label cta_label"),
  specifications: Type.Array(Specification),
})

const ProductAllowedAction = s.closed({
  action: words.MediaBuyValidAction,
  modes: s.nonEmptySet(s.choice("self_serve conditional_self_serve requires_approval")),
  "allowed_statuses?": s.nonEmptySet(
    s.choice("pending_creatives pending_start active paused completed rejected canceled"),
  ),
  "sla?": s.closed(s.fields(s.IsoDuration, "response_max? completion_max?")),
  "terms_ref?": s.Text,
})

const CreativePolicy = s.object({
  co_branding: "required optional none",
  landing_page: "any retailer_site_only must_include_retailer",
  templates_available: s.Flag,
  "provenance_required?": s.Flag,
  "provenance_requirements?": s.partial(
    s.fields(s.Flag, "require_digital_source_type require_disclosure_metadata require_embedded_provenance"),
  ),
  "accepted_verifiers?": s.nonEmpty(
    s.closed({ agent_url: s.HttpsUrl, "feature_id?": s.Text, "providers?": s.nonEmptySet(s.Text) }),
  ),
})

const DeliveryMeasurement = s.partial({ vendors: s.nonEmpty(BrandRef), provider: s.Text, notes: s.Text })

const MaterialSubmission = s.partial(
  { url: s.HttpsUrl, email: s.Email, instructions: Type.String({ maxLength: 2000 }), ext: s.Ext },
  { minProperties: 1 },
)

/** A product as the operator writes it: AdCP's own, except that a format_id may leave out our own agent_url. */
export const Product = s.ruled(
  s.object({
    ...s.fields(s.Text, "product_id name description"),
    publisher_properties: s.nonEmpty(PublisherProperty),
    delivery_type: words.DeliveryType,
    pricing_options: s.nonEmpty(PricingOption),
    reporting_capabilities: measurement.ReportingCapabilities,
    "channels?": s.unique(words.Channel),
    "format_ids?": Type.Array(FormatRef),
    "format_options?": s.nonEmpty(ProductFormatDeclaration),
    "placements?": s.nonEmpty(Placement),
    ...placementTypes,
    "exclusivity?": words.Exclusivity,
    "forecast?": DeliveryForecast,
    "outcome_measurement?": measurement.OutcomeMeasurement,
    "delivery_measurement?": DeliveryMeasurement,
    "measurement_terms?": measurement.MeasurementTerms,
    "performance_standards?": s.nonEmpty(measurement.PerformanceStandard),
    "cancellation_policy?": measurement.CancellationPolicy,
    "allowed_actions?": s.nonEmptySet(ProductAllowedAction),
    "creative_policy?": CreativePolicy,
    ...s.fields(s.Flag, "is_custom? property_targeting_allowed?"),
    "data_provider_signals?": Type.Array(signal.DataProviderSignalSelector),
    "included_signals?": s.nonEmpty(signal.SignalListing),
    "signal_targeting_options?": s.nonEmpty(signal.ProductSignalTargetingOption),
    "signal_targeting_rules?": signal.SignalTargetingRules,
    "signal_targeting_allowed?": s.Flag,
    "catalog_types?": s.nonEmptySet(words.CatalogType),
    "metric_optimization?": measurement.MetricOptimization,
    "vendor_metric_optimization?": measurement.VendorMetricOptimization,
    "max_optimization_goals?": s.AtLeastOne,
    "measurement_readiness?": measurement.MeasurementReadiness,
    "conversion_tracking?": measurement.ConversionTracking,
    "catalog_match?": measurement.CatalogMatch,
    "brief_relevance?": s.Text,
    "expires_at?": s.Timestamp,
    "product_card?": ProductCard,
    "product_card_detailed?": ProductCardDetailed,
    "collections?": s.nonEmpty(CollectionSelector),
    "collection_targeting_allowed?": s.Flag,
    "installments?": Type.Array(Installment),
    "enforced_policies?": Type.Array(s.Text),
    "trusted_match?": signal.TrustedMatch,
    "material_submission?": MaterialSubmission,
    "ext?": s.Ext,
  }),
  s.when(
    s.hasAny("signal_targeting_options", "signal_targeting_rules"),
    Type.Object({ signal_targeting_allowed: Type.Literal(true) }),
  ),
  s.hasAny("format_ids", "format_options"),
)
export type Product = Static<typeof Product>
