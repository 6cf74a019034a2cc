import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { SeenProduct } from "../view.ts"
import type { Assessment } from "./assessment.ts"
import { points } from "./points.ts"
import type { Money } from "./reading/amounts.ts"
import type { Reading } from "./reading/read-brief.ts"
import { amountText } from "./wording.ts"

/** What the budget and the prices named in a brief mean for the product. Amounts in different currencies are not compared. */
export function comparePrice({ product }: SeenProduct, reading: Reading, assessment: Assessment): void {
  const { budget, cpm, pricingModels } = reading
  if (budget !== undefined) compareBudget(product.pricing_options, budget, assessment)
  if (cpm !== undefined) compareCpm(product.pricing_options, cpm, assessment)
  if (pricingModels.length > 0) compareModels(product.pricing_options, pricingModels, assessment)
}

const isIn = (currency: string, { currencies }: Money) => currencies.length === 0 || currencies.includes(currency)

function compareBudget(options: readonly PricingOption[], budget: Money, assessment: Assessment): void {
  const option = cheapestOf(options, budget)
  if (option === undefined) {
    if (!assessment.add(points.otherCurrency, false)) return
    const own = new Set(options.map(({ currency }) => currency))
    assessment.say(`priced in ${[...own].join(", ")}, not ${budget.currencies.join(" or ")}`)
    return
  }
  const limit = budget.most ?? Number.POSITIVE_INFINITY
  const amount = leastSpend(option)
  if (amount === 0) {
    if (assessment.add(points.noMinimum, true)) assessment.say("no minimum spend")
    return
  }
  const fits = amount <= limit
  const isTold = assessment.add(fits ? points.withinBudget : points.overBudget * (0.5 + excess(amount, limit)), fits)
  if (!isTold) return
  const cost = `${amount === flatPrice(option) ? "flat price" : "minimum spend"} ${amountText(amount, option.currency)}`
  assessment.say(fits ? `${cost} is within the budget` : `${cost} is above the ${amountText(limit)} in the brief`)
}

/** How far above the limit an amount is, up to 1 for twice as much. */
const excess = (amount: number, limit: number) => Math.min(1, Math.log2(amount / limit))

function cheapestOf(options: readonly PricingOption[], budget: Money): PricingOption | undefined {
  let cheapest: PricingOption | undefined
  for (const option of options) {
    if (!isIn(option.currency, budget)) continue
    if (cheapest === undefined || leastSpend(option) < leastSpend(cheapest)) cheapest = option
  }
  return cheapest
}

function leastSpend(option: PricingOption): number {
  return Math.max(flatPrice(option), option.min_spend_per_package ?? 0)
}

function flatPrice(option: PricingOption): number {
  return option.pricing_model === "flat_rate" ? (option.fixed_price ?? 0) : 0
}

function compareCpm(options: readonly PricingOption[], cpm: Money, assessment: Assessment): void {
  const limit = cpm.most
  const priced = options.filter((option) => option.pricing_model === "cpm" && isIn(option.currency, cpm))
  const [option] = priced
  if (option === undefined || limit === undefined) return
  const price = Math.min(...priced.map(priceOf))
  const fits = price <= limit
  if (!assessment.add(fits ? points.withinBudget : points.overBudget / 2, fits)) return
  assessment.say(
    `CPM ${amountText(price, option.currency)} is ${fits ? "within" : "above"} the ${amountText(limit)} in the brief`,
  )
}

function priceOf(option: PricingOption): number {
  return option.fixed_price ?? ("floor_price" in option ? option.floor_price : undefined) ?? 0
}

function compareModels(options: readonly PricingOption[], asked: readonly string[], assessment: Assessment): void {
  const found = options.find(({ pricing_model: model }) => asked.includes(model))
  if (found === undefined || !assessment.add(points.pricingModel, true)) return
  assessment.say(`priced by ${found.pricing_model === "flat_rate" ? "flat rate" : found.pricing_model.toUpperCase()}`)
}
