import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import { EventType } from "./vocabulary.ts"

const identity = { pricing_option_id: s.Text, currency: s.Currency }
const price = s.optional({ fixed_price: s.Amount, floor_price: s.Amount })

const View = Type.Object({
  view_threshold: Type.Union([s.Fraction, Type.Object({ duration_seconds: s.AtLeastOne })]),
})
const Points = s.object({ demographic: s.Text, "demographic_system?": "nielsen barb agf oztam mediametrie custom" })
const Time = s.object({ time_unit: "hour day week month", "min_duration?": s.AtLeastOne })

const option = <Model extends string, const Own extends s.Fields>(pricing_model: Model, own: Own) =>
  s.object({ pricing_model, ...identity, ...own, "min_spend_per_package?": s.Amount })

/** One way to buy a product. `catalogue/check.ts` checks which price it has. */
export const PricingOption = Type.Union([
  option("cpm", price),
  option("vcpm", price),
  option("cpc", price),
  option("cpcv", price),
  option("cpv", { parameters: View, ...price }),
  option("cpp", { parameters: Points, ...price }),
  option("cpa", { event_type: EventType, fixed_price: s.Positive, "custom_event_name?": s.Text }),
  option("flat_rate", price),
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
  if (option.pricing_model === "time") return option.parameters.min_duration ?? 1
  return option.pricing_model === "flat_rate" ? 1 : 0
}
