import type { Assessment } from "./assessment.ts"
import { points } from "./points.ts"
import type { Money } from "./reading/amounts.ts"
import type { Reading } from "./reading/read-brief.ts"
import type { Price, Terms } from "./traits.ts"
import { amountText } from "./wording.ts"

/** What the budget and the prices named in a brief mean for the product. Amounts in different currencies are not compared. */
export function comparePrice({ prices }: Terms, reading: Reading, assessment: Assessment): void {
  const { budget, cpm, pricingModels } = reading
  if (budget !== undefined) compareBudget(prices, budget, assessment)
  if (cpm !== undefined) compareCpm(prices, cpm, assessment)
  if (pricingModels.length > 0) compareModels(prices, pricingModels, assessment)
}

const isIn = (currency: string, { currencies }: Money) => currencies.length === 0 || currencies.includes(currency)

function compareBudget(prices: readonly Price[], budget: Money, assessment: Assessment): void {
  const price = cheapestOf(prices, budget)
  if (price === undefined) {
    if (!assessment.add(points.otherCurrency, false)) return
    const own = new Set(prices.map(({ currency }) => currency))
    assessment.say(`priced in ${[...own].join(", ")}, not ${budget.currencies.join(" or ")}`)
    return
  }
  const limit = budget.most ?? Number.POSITIVE_INFINITY
  const amount = price.leastSpend
  if (amount === 0) {
    if (assessment.add(points.noMinimum, true)) assessment.say("no minimum spend")
    return
  }
  const fits = amount <= limit
  const isTold = assessment.add(fits ? points.withinBudget : points.overBudget * (0.5 + excess(amount, limit)), fits)
  if (!isTold) return
  const cost = `${price.isFlat ? "flat price" : "minimum spend"} ${amountText(amount, price.currency)}`
  assessment.say(fits ? `${cost} is within the budget` : `${cost} is above the ${amountText(limit)} in the brief`)
}

/** How far above the limit an amount is, up to 1 for twice as much. */
const excess = (amount: number, limit: number) => Math.min(1, Math.log2(amount / limit))

function cheapestOf(prices: readonly Price[], budget: Money): Price | undefined {
  let cheapest: Price | undefined
  for (const price of prices) {
    if (!isIn(price.currency, budget)) continue
    if (cheapest === undefined || price.leastSpend < cheapest.leastSpend) cheapest = price
  }
  return cheapest
}

function compareCpm(prices: readonly Price[], cpm: Money, assessment: Assessment): void {
  const limit = cpm.most
  const priced = prices.filter(({ model, currency }) => model === "cpm" && isIn(currency, cpm))
  const [first] = priced
  if (first === undefined || limit === undefined) return
  const lowest = Math.min(...priced.map(({ amount }) => amount))
  const fits = lowest <= limit
  if (!assessment.add(fits ? points.withinBudget : points.overBudget / 2, fits)) return
  assessment.say(
    `CPM ${amountText(lowest, first.currency)} is ${fits ? "within" : "above"} the ${amountText(limit)} in the brief`,
  )
}

function compareModels(prices: readonly Price[], asked: readonly string[], assessment: Assessment): void {
  const found = prices.find(({ model }) => asked.includes(model))
  if (found === undefined || !assessment.add(points.pricingModel, true)) return
  assessment.say(`priced by ${found.model === "flat_rate" ? "flat rate" : found.model.toUpperCase()}`)
}
