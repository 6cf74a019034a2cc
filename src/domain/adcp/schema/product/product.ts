import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { FormatRef } from "../format/format-id.ts"
import * as words from "../vocabulary.ts"
import { DeliveryForecast } from "./forecast.ts"
import { Placement, PublisherProperty, placementTypes } from "./inventory.ts"
import * as measurement from "./measurement.ts"
import { PricingOption } from "./pricing-option.ts"

const CreativePolicy = s.object({
  co_branding: "required optional none",
  landing_page: "any retailer_site_only must_include_retailer",
  templates_available: s.Flag,
})

const DeliveryMeasurement = s.partial({ vendors: s.nonEmpty(BrandRef), provider: s.Text, notes: s.Text })

const MaterialSubmission = s.partial(
  { url: s.HttpsUrl, email: s.Email, instructions: Type.String({ maxLength: 2000 }), ext: s.Ext },
  { minProperties: 1 },
)

/**
 * A product as the operator writes it: the fields of AdCP that forms, guides, filters and buyers use, except that a format_id may leave
 * out our own agent_url. Any other field is refused when a product is saved; one that an earlier version stored is shown as it is.
 */
export const Product = s.ruled(
  s.object({
    ...s.fields(s.Text, "product_id name description"),
    publisher_properties: s.nonEmpty(PublisherProperty),
    delivery_type: words.DeliveryType,
    pricing_options: s.nonEmpty(PricingOption),
    reporting_capabilities: measurement.ReportingCapabilities,
    "channels?": s.unique(words.Channel),
    "format_ids?": Type.Array(FormatRef),
    "placements?": s.nonEmpty(Placement),
    ...placementTypes,
    "exclusivity?": words.Exclusivity,
    "forecast?": DeliveryForecast,
    "delivery_measurement?": DeliveryMeasurement,
    "performance_standards?": s.nonEmpty(measurement.PerformanceStandard),
    "cancellation_policy?": measurement.CancellationPolicy,
    "creative_policy?": CreativePolicy,
    "property_targeting_allowed?": s.Flag,
    "expires_at?": s.Timestamp,
    "enforced_policies?": Type.Array(s.Text),
    "material_submission?": MaterialSubmission,
    "ext?": s.Ext,
  }),
  s.hasAny("format_ids", "format_options"),
)
/** `brief_relevance` is said with an answer, and never stored. */
export type Product = Static<typeof Product> & { readonly brief_relevance?: string }
