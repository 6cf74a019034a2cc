import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { ProductFormatDeclaration } from "../format/format-declaration.ts"
import { FormatRef } from "../format/format-id.ts"
import {
  AudioDistributionType,
  CatalogType,
  Channel,
  DeliveryType,
  Exclusivity,
  SocialPlacementSurface,
  SponsoredPlacementType,
  VideoPlacementType,
} from "../vocabulary.ts"
import { ProductAllowedAction } from "./allowed-action.ts"
import { CreativePolicy } from "./creative-policy.ts"
import { DeliveryForecast } from "./forecast.ts"
import { Installment } from "./installment.ts"
import {
  CancellationPolicy,
  MeasurementReadiness,
  MeasurementTerms,
  OutcomeMeasurement,
  PerformanceStandard,
} from "./measurement.ts"
import { CatalogMatch, ConversionTracking, MetricOptimization } from "./optimization.ts"
import { Placement } from "./placement.ts"
import { PricingOption } from "./pricing-option.ts"
import { ProductCard, ProductCardDetailed } from "./product-card.ts"
import { CollectionSelector, PublisherProperty } from "./publisher-property.ts"
import { ReportingCapabilities } from "./reporting.ts"
import { DataProviderSignalSelector, SignalListing } from "./signal.ts"
import { ProductSignalTargetingOption, SignalTargetingRules } from "./signal-targeting.ts"
import { TrustedMatch } from "./trusted-match.ts"
import { VendorMetricOptimization } from "./vendor-metric.ts"

const DeliveryMeasurement = s.partial({ vendors: s.nonEmpty(BrandRef), provider: s.Text, notes: s.Text })

const MaterialSubmission = s.partial(
  { url: s.HttpsUrl, email: s.Email, instructions: Type.String({ maxLength: 2000 }), ext: s.Ext },
  { minProperties: 1 },
)

/** A product as the operator writes it: AdCP's own, except that a format_id may leave out our own agent_url. */
export const Product = s.ruled(
  Type.Object({
    ...s.fields(s.Text, "product_id name description"),
    publisher_properties: s.nonEmpty(PublisherProperty),
    delivery_type: DeliveryType,
    pricing_options: s.nonEmpty(PricingOption),
    reporting_capabilities: ReportingCapabilities,
    ...s.optional({
      channels: s.unique(Channel),
      format_ids: Type.Array(FormatRef),
      format_options: s.nonEmpty(ProductFormatDeclaration),
      placements: s.nonEmpty(Placement),
      video_placement_types: s.nonEmptySet(VideoPlacementType),
      audio_distribution_types: s.nonEmptySet(AudioDistributionType),
      sponsored_placement_types: s.nonEmptySet(SponsoredPlacementType),
      social_placement_surfaces: s.nonEmptySet(SocialPlacementSurface),
      exclusivity: Exclusivity,
      forecast: DeliveryForecast,
      outcome_measurement: OutcomeMeasurement,
      delivery_measurement: DeliveryMeasurement,
      measurement_terms: MeasurementTerms,
      performance_standards: s.nonEmpty(PerformanceStandard),
      cancellation_policy: CancellationPolicy,
      allowed_actions: s.nonEmptySet(ProductAllowedAction),
      creative_policy: CreativePolicy,
      is_custom: s.Flag,
      property_targeting_allowed: s.Flag,
      data_provider_signals: Type.Array(DataProviderSignalSelector),
      included_signals: s.nonEmpty(SignalListing),
      signal_targeting_options: s.nonEmpty(ProductSignalTargetingOption),
      signal_targeting_rules: SignalTargetingRules,
      signal_targeting_allowed: s.Flag,
      catalog_types: s.nonEmptySet(CatalogType),
      metric_optimization: MetricOptimization,
      vendor_metric_optimization: VendorMetricOptimization,
      max_optimization_goals: s.AtLeastOne,
      measurement_readiness: MeasurementReadiness,
      conversion_tracking: ConversionTracking,
      catalog_match: CatalogMatch,
      brief_relevance: s.Text,
      expires_at: s.Timestamp,
      product_card: ProductCard,
      product_card_detailed: ProductCardDetailed,
      collections: s.nonEmpty(CollectionSelector),
      collection_targeting_allowed: s.Flag,
      installments: Type.Array(Installment),
      enforced_policies: Type.Array(s.Text),
      trusted_match: TrustedMatch,
      material_submission: MaterialSubmission,
      ext: s.Ext,
    }),
  }),
  s.when(
    s.hasAny("signal_targeting_options", "signal_targeting_rules"),
    Type.Object({ signal_targeting_allowed: Type.Literal(true) }),
  ),
  s.hasAny("format_ids", "format_options"),
)
export type Product = Static<typeof Product>
