import { isCurrency } from "../../money.ts"
import type { Problem } from "../../schema/problem.ts"
import type { PricingOption } from "../schema/pricing-option.ts"

/** Rules that AdCP's schemas don't have: a currency that exists, exactly one price, and no ID twice. */
export function checkPricing(options: readonly PricingOption[]): Problem[] {
  const ids = options.map(({ pricing_option_id }) => pricing_option_id)
  return options.flatMap((option, i) => {
    const pointer = `/pricing_options/${i}`
    const wrong = [...checkCurrency(option), ...checkPrice(option)]
    const problems = wrong.map((what) => broken(pointer, `pricing_options[${i}] ${what}`))
    const id = option.pricing_option_id
    if (ids.indexOf(id) === i) return problems
    const repeated = `pricing_options[${i}] repeats the pricing_option_id "${id}"`
    return [...problems, broken(`${pointer}/pricing_option_id`, repeated)]
  })
}

const checkCurrency = ({ currency }: PricingOption): string[] =>
  isCurrency(currency) ? [] : [`has the currency ${currency}, which ISO 4217 doesn't know`]

function checkPrice(option: PricingOption): string[] {
  if (option.pricing_model === "cpa") {
    const hasNoName = option.event_type === "custom" && !option.custom_event_name
    return [
      ...(hasNoName ? ["needs custom_event_name, because its event_type is custom"] : []),
      ...("floor_price" in option ? ["must not have floor_price, because a price per action is fixed"] : []),
    ]
  }
  const hasFixed = option.fixed_price !== undefined
  const hasFloor = option.floor_price !== undefined
  if (hasFixed && hasFloor) return ["has both fixed_price and floor_price: give one of them"]
  return hasFixed || hasFloor ? [] : ["needs fixed_price or floor_price"]
}

const broken = (pointer: string, message: string): Problem => ({ pointer, message, keyword: "rule" })
