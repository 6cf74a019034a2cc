import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { SeenProduct } from "../view.ts"
import type { Money } from "./amounts.ts"
import type { Finding } from "./finding.ts"
import { points } from "./points.ts"
import type { Reading } from "./read-brief.ts"
import { amountText } from "./wording.ts"

interface Cost {
  readonly amount: number
  readonly currency: string
  readonly isFlat: boolean
}

/** What the budget and the prices named in a brief mean for the product. Amounts in different currencies are not compared. */
export function comparePrice({ product }: SeenProduct, { budget, cpm, pricingModels }: Reading): Finding[] {
  const options = product.pricing_options
  return [
    ...(budget === undefined ? [] : compareBudget(options, budget)),
    ...(cpm === undefined ? [] : compareCpm(options, cpm)),
    ...(pricingModels.length === 0 ? [] : compareModels(options, pricingModels)),
  ]
}

const isIn = (currency: string, { currencies }: Money) => currencies.length === 0 || currencies.includes(currency)

function compareBudget(options: readonly PricingOption[], budget: Money): Finding[] {
  const costs = options.filter(({ currency }) => isIn(currency, budget)).map(leastCost)
  const cheapest = costs.reduce<Cost | undefined>(
    (best, cost) => (best && best.amount <= cost.amount ? best : cost),
    undefined,
  )
  if (cheapest === undefined) {
    const say = () =>
      `priced in ${[...new Set(options.map(({ currency }) => currency))].join(", ")}, not ${budget.currencies.join(" or ")}`
    return [{ points: points.otherCurrency, fits: false, say }]
  }
  const limit = budget.most ?? Number.POSITIVE_INFINITY
  const { amount, currency, isFlat } = cheapest
  if (amount === 0) return [{ points: points.noMinimum, fits: true, say: () => "no minimum spend" }]
  const noun = isFlat ? "flat price" : "minimum spend"
  if (amount > limit) {
    const say = () => `${noun} ${amountText(amount, currency)} is above the ${amountText(limit)} in the brief`
    const far = Math.min(1, Math.log2(amount / limit))
    return [{ points: points.overBudget * (0.5 + far), fits: false, say }]
  }
  return [
    {
      points: points.withinBudget,
      fits: true,
      say: () => `${noun} ${amountText(amount, currency)} is within the budget`,
    },
  ]
}

function leastCost(option: PricingOption): Cost {
  const flat = option.pricing_model === "flat_rate" ? (option.fixed_price ?? 0) : 0
  const least = option.min_spend_per_package ?? 0
  return { amount: Math.max(flat, least), currency: option.currency, isFlat: flat >= least && flat > 0 }
}

function compareCpm(options: readonly PricingOption[], cpm: Money): Finding[] {
  const priced = options.filter((option) => option.pricing_model === "cpm" && isIn(option.currency, cpm))
  const prices = priced.map((option) => option.fixed_price ?? ("floor_price" in option ? (option.floor_price ?? 0) : 0))
  const [option] = priced
  if (option === undefined || cpm.most === undefined) return []
  const price = Math.min(...prices)
  const fits = price <= cpm.most
  const say = () =>
    `CPM ${amountText(price, option.currency)} is ${fits ? "within" : "above"} the ${amountText(cpm.most ?? 0)} in the brief`
  return [{ points: fits ? points.withinBudget : points.overBudget / 2, fits, say }]
}

function compareModels(options: readonly PricingOption[], asked: readonly string[]): Finding[] {
  const found = options.find(({ pricing_model: model }) => asked.includes(model))
  if (found === undefined) return []
  const name = found.pricing_model === "flat_rate" ? "flat rate" : found.pricing_model.toUpperCase()
  return [{ points: points.pricingModel, fits: true, say: () => `priced by ${name}` }]
}
