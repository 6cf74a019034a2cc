import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import { ProductFormatRef } from "./creative-format.ts"
import { PricingOption } from "./pricing-option.ts"
import * as words from "./vocabulary.ts"

const Range = s.ruled(s.partial(s.fields(s.Amount, "low mid high")), Type.Union([s.has("mid"), s.has("low", "high")]))

/** What a product is expected to deliver, everywhere together. */
const DeliveryForecast = s.object({
  points: s.nonEmpty(s.object({ metrics: s.partial({ impressions: Range }) })),
  method: "estimate modeled guaranteed",
  currency: s.Text,
})

const PropertyName = Type.String({ title: "lower-case letters, digits and _ only", pattern: "^[a-z0-9_]+$" })

const selection = <const Own extends s.Fields>(own: Own) => s.object({ publisher_domain: s.Domain, ...own })

const PublisherProperty = Type.Union([
  selection({ selection_type: "all" }),
  selection({ selection_type: "by_id", property_ids: s.nonEmpty(PropertyName) }),
  selection({ selection_type: "by_tag", property_tags: s.nonEmpty(PropertyName) }),
])
export type PublisherProperty = Static<typeof PublisherProperty>

/** What the operator reports about a campaign, and how often. */
const ReportingCapabilities = s.object({
  available_reporting_frequencies: s.nonEmptySet(words.ReportingFrequency),
  expected_delay_minutes: s.Whole,
  timezone: s.Text,
  supports_webhooks: s.Flag,
  available_metrics: s.unique(words.AvailableMetric),
  date_range_support: "date_range lifetime_only",
})

/**
 * A product as the operator writes it, with the fields of AdCP that forms, filters and buyers use. A format may leave
 * out our own agent_url, and says its kind if it's another agent's. Any other field is refused by name.
 */
export const Product = s.object({
  ...s.fields(s.Text, "product_id name description"),
  publisher_properties: s.nonEmpty(PublisherProperty),
  delivery_type: words.DeliveryType,
  pricing_options: s.nonEmpty(PricingOption),
  reporting_capabilities: ReportingCapabilities,
  format_ids: s.nonEmpty(ProductFormatRef),
  "channels?": s.unique(words.Channel),
  "exclusivity?": words.Exclusivity,
  "forecast?": DeliveryForecast,
  "expires_at?": s.Timestamp,
  "ext?": s.AnyObject,
})
export type Product = Static<typeof Product>
