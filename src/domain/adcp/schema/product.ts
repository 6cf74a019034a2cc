import { type Static, Type } from "@sinclair/typebox"
import { isCurrency } from "../../money.ts"
import * as s from "../../schema/build.ts"
import { ProductFormatRef } from "./creative-format.ts"
import * as words from "./vocabulary.ts"
import { EventType } from "./vocabulary.ts"

const identity = {
  pricing_option_id: s.Text,
  currency: s.ruled(s.Currency, "isn't a currency that ISO 4217 knows", isCurrency),
}
const price = s.optional({ fixed_price: s.Amount, floor_price: s.Amount })

const View = Type.Object({
  view_threshold: Type.Union([s.Fraction, Type.Object({ duration_seconds: s.AtLeastOne })]),
})
const Points = s.object({ demographic: s.Text, "demographic_system?": "nielsen barb agf oztam mediametrie custom" })
const Time = s.object({ time_unit: "hour day week month", "min_duration?": s.AtLeastOne })

const option = <Model extends string, const Own extends s.Fields>(pricing_model: Model, own: Own) =>
  s.object({ pricing_model, ...identity, ...own, "min_spend_per_package?": s.Amount })

const priced = <Model extends string, const Own extends s.Fields>(pricing_model: Model, own: Own) =>
  s.ruled(
    option(pricing_model, { ...own, ...price }),
    "needs either fixed_price or floor_price",
    (value: { fixed_price?: number; floor_price?: number }) =>
      (value.fixed_price === undefined) !== (value.floor_price === undefined),
  )

/** One way to buy a product. */
export const PricingOption = Type.Union([
  priced("cpm", {}),
  priced("vcpm", {}),
  priced("cpc", {}),
  priced("cpcv", {}),
  priced("cpv", { parameters: View }),
  priced("cpp", { parameters: Points }),
  s.ruled(
    option("cpa", { event_type: EventType, fixed_price: s.Positive, "custom_event_name?": s.NonEmpty }),
    "needs custom_event_name, because its event_type is custom",
    ({ event_type, custom_event_name }) => event_type !== "custom" || custom_event_name !== undefined,
  ),
  priced("flat_rate", {}),
  priced("time", { parameters: Time }),
])
export type PricingOption = Static<typeof PricingOption>

const PricingOptions = s.ruled(
  s.nonEmpty(PricingOption),
  "must not repeat a pricing_option_id",
  (options) => new Set(options.map(({ pricing_option_id }) => pricing_option_id)).size === options.length,
)

/** The price of one unit: fixed, or the floor of an auction. */
export function priceOf(option: PricingOption): number {
  const floor = "floor_price" in option ? option.floor_price : undefined
  return option.fixed_price ?? floor ?? 0
}

/** The least that a buyer can spend: the minimum, or the price of the fewest units. */
export const leastSpend = (option: PricingOption): number =>
  Math.max(option.min_spend_per_package ?? 0, priceOf(option) * leastUnits(option))

function leastUnits(option: PricingOption): number {
  if (option.pricing_model === "time") return option.parameters.min_duration ?? 1
  return option.pricing_model === "flat_rate" ? 1 : 0
}

const Range = s.ruled(
  s.partial(s.fields(s.Amount, "low mid high")),
  "needs mid, or low and high",
  ({ low, mid, high }) => mid !== undefined || (low !== undefined && high !== undefined),
)

/** What a product is expected to deliver, everywhere together. */
const DeliveryForecast = s.object({
  points: s.nonEmpty(s.object({ metrics: s.partial({ impressions: Range }) })),
  method: "estimate modeled guaranteed",
  currency: s.Text,
})

export const PropertyName = Type.String({ title: "lower-case letters, digits and _ only", pattern: "^[a-z0-9_]+$" })

const selection = <const Own extends s.Fields>(own: Own) => s.object({ publisher_domain: s.WebDomain, ...own })

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
export const Product = s.closed(
  s.object({
    ...s.fields(s.NotBlank, "product_id name description"),
    publisher_properties: s.nonEmpty(PublisherProperty),
    delivery_type: words.DeliveryType,
    pricing_options: PricingOptions,
    reporting_capabilities: ReportingCapabilities,
    format_ids: s.nonEmpty(ProductFormatRef),
    "channels?": s.unique(words.Channel),
    "exclusivity?": words.Exclusivity,
    "forecast?": DeliveryForecast,
    "expires_at?": s.Timestamp,
    "ext?": s.AnyObject,
  }),
)
export type Product = Static<typeof Product>
