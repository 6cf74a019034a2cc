import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { AdjustmentKind, DemographicSystem, EventType } from "../vocabulary.ts"

const PriceGuidance = s.partial(s.fields(s.Amount, "p25 p50 p75 p90"))

const PriceBreakdown = Type.Object({
  list_price: s.Positive,
  adjustments: Type.Array(
    s.ruled(
      s.object({
        kind: AdjustmentKind,
        name: Type.String({ maxLength: 64 }),
        "rate?": Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
        "amount?": s.Positive,
        "description?": Type.String({ maxLength: 256 }),
        "beneficiary?": Type.String({ maxLength: 256 }),
      }),
      s.hasAny("rate", "amount"),
      Type.Not(s.has("rate", "amount")),
    ),
    { minItems: 1, maxItems: 20 },
  ),
})

const identity = { pricing_option_id: s.Text, currency: s.Currency }
const terms = s.optional({
  min_spend_per_package: s.Amount,
  price_breakdown: PriceBreakdown,
  eligible_adjustments: s.unique(AdjustmentKind),
})
const price = s.optional({ fixed_price: s.Amount, floor_price: s.Amount, price_guidance: PriceGuidance })
const perUnit = { ...price, ...s.optional({ max_bid: s.Flag }) }

const View = Type.Object({
  view_threshold: Type.Union([s.Fraction, Type.Object({ duration_seconds: s.AtLeastOne })]),
})
const Points = s.object({ demographic: s.Text, "demographic_system?": DemographicSystem, "min_points?": s.Amount })
const Time = s.object({ time_unit: "hour day week month", ...s.fields(s.AtLeastOne, "min_duration? max_duration?") })
const Screens = s.object({
  type: "dooh",
  "sov_percentage?": s.Percent,
  ...s.fields(s.AtLeastOne, "loop_duration_seconds? min_plays_per_hour?"),
  "venue_package?": s.Text,
  "duration_hours?": s.Amount,
  "daypart?": s.Text,
  "estimated_impressions?": s.Whole,
})

const option = <Model extends string, const Own extends s.Fields>(pricing_model: Model, own: Own) =>
  s.object({ pricing_model, ...identity, ...own, ...terms })

/** One way to buy a product. Which price it takes is checked by checkPricing. */
export const PricingOption = Type.Union([
  option("cpm", perUnit),
  option("vcpm", perUnit),
  option("cpc", perUnit),
  option("cpcv", perUnit),
  option("cpv", { parameters: View, ...perUnit }),
  option("cpp", { parameters: Points, ...price }),
  option("cpa", {
    event_type: EventType,
    fixed_price: s.Positive,
    ...s.fields(s.Text, "custom_event_name? event_source_id?"),
  }),
  option("flat_rate", { ...price, "parameters?": Screens }),
  option("time", { parameters: Time, ...price }),
])
export type PricingOption = Static<typeof PricingOption>

/** The price of one unit: fixed, or the floor of an auction. A stored option has one of them. */
export const amountOf = (option: PricingOption): number =>
  option.fixed_price ?? ("floor_price" in option ? option.floor_price : undefined) ?? 0

/** The least that can be spent: the minimum, or the price where less than one of it cannot be had. 0 where neither is. */
export const leastSpend = (option: PricingOption): number =>
  Math.max(option.min_spend_per_package ?? 0, amountOf(option) * leastUnits(option))

function leastUnits(option: PricingOption): number {
  if (option.pricing_model === "flat_rate") return 1
  if (option.pricing_model === "time") return option.parameters.min_duration ?? 1
  return option.pricing_model === "cpp" ? (option.parameters.min_points ?? 0) : 0
}
