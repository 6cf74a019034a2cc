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
const bid = s.optional({ max_bid: s.Flag })

const perUnit = <Model extends string>(model: Model) =>
  Type.Object({ pricing_model: Type.Literal(model), ...identity, ...price, ...bid, ...terms })

const PerView = s.object({
  pricing_model: "cpv",
  ...identity,
  parameters: Type.Object({
    view_threshold: Type.Union([s.Fraction, Type.Object({ duration_seconds: s.AtLeastOne })]),
  }),
  ...price,
  ...bid,
  ...terms,
})

const PerPoint = s.object({
  pricing_model: "cpp",
  ...identity,
  parameters: s.object({ demographic: s.Text, "demographic_system?": DemographicSystem, "min_points?": s.Amount }),
  ...price,
  ...terms,
})

const PerAction = s.object({
  pricing_model: "cpa",
  ...identity,
  event_type: EventType,
  fixed_price: s.Positive,
  "custom_event_name?": s.Text,
  "event_source_id?": s.Text,
  ...terms,
})

const FlatRate = s.object({
  pricing_model: "flat_rate",
  ...identity,
  ...price,
  "parameters?": s.object({
    type: "dooh",
    "sov_percentage?": Type.Number({ minimum: 0, maximum: 100 }),
    "loop_duration_seconds?": s.AtLeastOne,
    "min_plays_per_hour?": s.AtLeastOne,
    "venue_package?": s.Text,
    "duration_hours?": s.Amount,
    "daypart?": s.Text,
    "estimated_impressions?": s.Whole,
  }),
  ...terms,
})

const PerTime = s.object({
  pricing_model: "time",
  ...identity,
  parameters: s.object({
    time_unit: "hour day week month",
    "min_duration?": s.AtLeastOne,
    "max_duration?": s.AtLeastOne,
  }),
  ...price,
  ...terms,
})

/** One way to buy a product. Which price it takes is checked by checkPricing. */
export const PricingOption = Type.Union([
  perUnit("cpm"),
  perUnit("vcpm"),
  perUnit("cpc"),
  perUnit("cpcv"),
  PerView,
  PerPoint,
  PerAction,
  FlatRate,
  PerTime,
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
