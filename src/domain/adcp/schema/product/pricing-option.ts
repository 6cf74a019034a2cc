import { type Static, Type } from "@sinclair/typebox"
import {
  Amount,
  AtLeastOne,
  Currency,
  choice,
  Flag,
  Fraction,
  optional,
  Positive,
  Text,
  Whole,
} from "../../../schema/schema-helpers.ts"
import { AdjustmentKind, DemographicSystem, EventType } from "../vocabulary.ts"
import { PriceBreakdown, PriceGuidance } from "./price-parts.ts"

const identity = { pricing_option_id: Text, currency: Currency }
const terms = optional({
  min_spend_per_package: Amount,
  price_breakdown: PriceBreakdown,
  eligible_adjustments: Type.Array(AdjustmentKind, { uniqueItems: true }),
})
const price = optional({ fixed_price: Amount, floor_price: Amount, price_guidance: PriceGuidance })
const bid = optional({ max_bid: Flag })

function perUnit<Model extends string>(model: Model) {
  return Type.Object({ pricing_model: Type.Literal(model), ...identity, ...price, ...bid, ...terms })
}

const PerView = Type.Object({
  pricing_model: Type.Literal("cpv"),
  ...identity,
  parameters: Type.Object({
    view_threshold: Type.Union([Fraction, Type.Object({ duration_seconds: AtLeastOne })]),
  }),
  ...price,
  ...bid,
  ...terms,
})

const PerPoint = Type.Object({
  pricing_model: Type.Literal("cpp"),
  ...identity,
  parameters: Type.Object({
    demographic: Text,
    ...optional({ demographic_system: DemographicSystem, min_points: Amount }),
  }),
  ...price,
  ...terms,
})

const PerAction = Type.Object({
  pricing_model: Type.Literal("cpa"),
  ...identity,
  event_type: EventType,
  fixed_price: Positive,
  ...optional({ custom_event_name: Text, event_source_id: Text }),
  ...terms,
})

const FlatRate = Type.Object({
  pricing_model: Type.Literal("flat_rate"),
  ...identity,
  ...price,
  ...optional({
    parameters: Type.Object({
      type: Type.Literal("dooh"),
      ...optional({
        sov_percentage: Type.Number({ minimum: 0, maximum: 100 }),
        loop_duration_seconds: AtLeastOne,
        min_plays_per_hour: AtLeastOne,
        venue_package: Text,
        duration_hours: Amount,
        daypart: Text,
        estimated_impressions: Whole,
      }),
    }),
  }),
  ...terms,
})

const PerTime = Type.Object({
  pricing_model: Type.Literal("time"),
  ...identity,
  parameters: Type.Object({
    time_unit: choice("hour day week month"),
    ...optional({ min_duration: AtLeastOne, max_duration: AtLeastOne }),
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
export type PricingModel = PricingOption["pricing_model"]
