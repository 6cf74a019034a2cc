import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/build.ts"
import { AdjustmentKind, DemographicSystem, EventType } from "./vocabulary.ts"

const PriceGuidance = s.partial(s.fields(v.Amount, "p25 p50 p75 p90"))

const Adjustment = s.ruled(
  s.object({
    kind: AdjustmentKind,
    name: Type.String({ maxLength: 64 }),
    "rate?": Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
    "amount?": v.Positive,
    "description?": Type.String({ maxLength: 256 }),
    "beneficiary?": Type.String({ maxLength: 256 }),
  }),
  s.hasAny("rate", "amount"),
  Type.Not(s.has("rate", "amount")),
)

const PriceBreakdown = Type.Object({
  list_price: v.Positive,
  adjustments: Type.Array(Adjustment, { minItems: 1, maxItems: 20 }),
})

const identity = { pricing_option_id: v.Text, currency: v.Currency }
const terms = s.optional({
  min_spend_per_package: v.Amount,
  price_breakdown: PriceBreakdown,
  eligible_adjustments: s.unique(AdjustmentKind),
})
const price = s.optional({ fixed_price: v.Amount, floor_price: v.Amount, price_guidance: PriceGuidance })
const perUnit = { ...price, ...s.optional({ max_bid: v.Flag }) }

const View = Type.Object({
  view_threshold: Type.Union([v.Fraction, Type.Object({ duration_seconds: v.AtLeastOne })]),
})
const Points = s.object({ demographic: v.Text, "demographic_system?": DemographicSystem, "min_points?": v.Amount })
const Time = s.object({ time_unit: "hour day week month", ...s.fields(v.AtLeastOne, "min_duration? max_duration?") })
const Screens = s.object({
  type: "dooh",
  "sov_percentage?": v.Percent,
  ...s.fields(v.AtLeastOne, "loop_duration_seconds? min_plays_per_hour?"),
  "venue_package?": v.Text,
  "duration_hours?": v.Amount,
  "daypart?": v.Text,
  "estimated_impressions?": v.Whole,
})

const option = <Model extends string, const Own extends s.Fields>(pricing_model: Model, own: Own) =>
  s.object({ pricing_model, ...identity, ...own, ...terms })

/** One way to buy a product. `catalogue/check-pricing.ts` checks which price it has. */
export const PricingOption = Type.Union([
  option("cpm", perUnit),
  option("vcpm", perUnit),
  option("cpc", perUnit),
  option("cpcv", perUnit),
  option("cpv", { parameters: View, ...perUnit }),
  option("cpp", { parameters: Points, ...price }),
  option("cpa", {
    event_type: EventType,
    fixed_price: v.Positive,
    ...s.fields(v.Text, "custom_event_name? event_source_id?"),
  }),
  option("flat_rate", { ...price, "parameters?": Screens }),
  option("time", { parameters: Time, ...price }),
])
export type PricingOption = Static<typeof PricingOption>

/** The price of one unit: fixed, or the floor of an auction. */
export function priceOf(option: PricingOption): number {
  const floor = "floor_price" in option ? option.floor_price : undefined
  return option.fixed_price ?? floor ?? 0
}

/** The least that a buyer can spend: the minimum, or the price of the fewest units. */
export const leastSpend = (option: PricingOption): number =>
  Math.max(option.min_spend_per_package ?? 0, priceOf(option) * leastUnits(option))

function leastUnits(option: PricingOption): number {
  if (option.pricing_model === "flat_rate") return 1
  if (option.pricing_model === "time") return option.parameters.min_duration ?? 1
  return option.pricing_model === "cpp" ? (option.parameters.min_points ?? 0) : 0
}
