import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/values.ts"
import { BrandRef } from "./brand.ts"
import { DeliveryForecast } from "./forecast.ts"
import { ProductFormatRef } from "./format-ref.ts"
import { Placement, PublisherProperty, placementTypes } from "./inventory.ts"
import { CancellationPolicy, PerformanceStandard, ReportingCapabilities } from "./measurement.ts"
import { PricingOption } from "./pricing-option.ts"
import * as words from "./vocabulary.ts"

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
