import { type Static, Type } from "@sinclair/typebox"
import {
  AtLeastOne,
  Email,
  Ext,
  Flag,
  HttpsUrl,
  has,
  optional,
  ruled,
  Text,
  Timestamp,
  when,
} from "../../../schema/schema-helpers.ts"
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

const unique = { uniqueItems: true } as const
const some = { minItems: 1 } as const
const someUnique = { minItems: 1, uniqueItems: true } as const

const DeliveryMeasurement = Type.Object(optional({ vendors: Type.Array(BrandRef, some), provider: Text, notes: Text }))

const MaterialSubmission = Type.Object(
  optional({ url: HttpsUrl, email: Email, instructions: Type.String({ maxLength: 2000 }), ext: Ext }),
  { minProperties: 1 },
)

/** A product as the operator writes it: AdCP's own, except that a format_id may leave out our own agent_url. */
export const Product = ruled(
  Type.Object({
    product_id: Text,
    name: Text,
    description: Text,
    publisher_properties: Type.Array(PublisherProperty, some),
    delivery_type: DeliveryType,
    pricing_options: Type.Array(PricingOption, some),
    reporting_capabilities: ReportingCapabilities,
    ...optional({
      channels: Type.Array(Channel, unique),
      format_ids: Type.Array(FormatRef),
      format_options: Type.Array(ProductFormatDeclaration, some),
      placements: Type.Array(Placement, some),
      video_placement_types: Type.Array(VideoPlacementType, someUnique),
      audio_distribution_types: Type.Array(AudioDistributionType, someUnique),
      sponsored_placement_types: Type.Array(SponsoredPlacementType, someUnique),
      social_placement_surfaces: Type.Array(SocialPlacementSurface, someUnique),
      exclusivity: Exclusivity,
      forecast: DeliveryForecast,
      outcome_measurement: OutcomeMeasurement,
      delivery_measurement: DeliveryMeasurement,
      measurement_terms: MeasurementTerms,
      performance_standards: Type.Array(PerformanceStandard, some),
      cancellation_policy: CancellationPolicy,
      allowed_actions: Type.Array(ProductAllowedAction, someUnique),
      creative_policy: CreativePolicy,
      is_custom: Flag,
      property_targeting_allowed: Flag,
      data_provider_signals: Type.Array(DataProviderSignalSelector),
      included_signals: Type.Array(SignalListing, some),
      signal_targeting_options: Type.Array(ProductSignalTargetingOption, some),
      signal_targeting_rules: SignalTargetingRules,
      signal_targeting_allowed: Flag,
      catalog_types: Type.Array(CatalogType, someUnique),
      metric_optimization: MetricOptimization,
      vendor_metric_optimization: VendorMetricOptimization,
      max_optimization_goals: AtLeastOne,
      measurement_readiness: MeasurementReadiness,
      conversion_tracking: ConversionTracking,
      catalog_match: CatalogMatch,
      brief_relevance: Text,
      expires_at: Timestamp,
      product_card: ProductCard,
      product_card_detailed: ProductCardDetailed,
      collections: Type.Array(CollectionSelector, some),
      collection_targeting_allowed: Flag,
      installments: Type.Array(Installment),
      enforced_policies: Type.Array(Text),
      trusted_match: TrustedMatch,
      material_submission: MaterialSubmission,
      ext: Ext,
    }),
  }),
  when(
    Type.Union([has("signal_targeting_options"), has("signal_targeting_rules")]),
    Type.Object({ signal_targeting_allowed: Type.Literal(true) }),
  ),
  Type.Union([has("format_ids"), has("format_options")]),
)
export type Product = Static<typeof Product>
