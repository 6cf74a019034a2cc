import { type Figures, sumFigures } from "../../affiliate/figures.ts"
import { formatMicros } from "../../affiliate/micros.ts"
import type { LineFields } from "../../campaign/line.ts"
import { amountOf, type Coins } from "../../money.ts"
import type { LineDelivery } from "./line-delivery.ts"

/** ISO 4217 for "no currency": for amounts in several currencies, and for lines without a price. */
export const NO_CURRENCY = "XXX"

/** What some lines delivered together. */
export interface Sums {
  /** By the name of AdCP's metric. */
  readonly quantities: ReadonlyMap<string, number>
  /** By currency. */
  readonly spend: ReadonlyMap<string, Coins>
  readonly withoutPrice: number
  /** How many lines have days that aren't known. */
  readonly withUnknownDays: number
}

export type SummedLine = Pick<LineFields, "pricingBasis" | "currency">

export interface DeliveredBy {
  readonly line: SummedLine
  readonly delivery: LineDelivery
}

export function sumsOf(lines: readonly DeliveredBy[]): Sums {
  const quantities = new Map<string, number>()
  const spend = new Map<string, Coins>()
  for (const { line, delivery } of lines) {
    const { quantity, coins } = delivery
    if (quantity !== null) quantities.set(line.pricingBasis, (quantities.get(line.pricingBasis) ?? 0) + quantity)
    const currency = line.currency ?? NO_CURRENCY
    if (coins !== null) spend.set(currency, (spend.get(currency) ?? 0) + coins)
  }
  return {
    quantities,
    spend,
    withoutPrice: lines.filter(({ delivery }) => delivery.coins === null).length,
    withUnknownDays: lines.filter(({ delivery }) => delivery.unknown.length > 0).length,
  }
}

export const currencyOf = ({ spend }: Pick<Sums, "spend">): string => {
  const [only = NO_CURRENCY, ...others] = spend.keys()
  return others.length === 0 ? only : NO_CURRENCY
}

/** Several currencies don't add up, and 0 isn't a total if nothing has a price. */
export const hasTotal = ({ spend, withoutPrice }: Sums): boolean => spend.size === 1 || spend.size + withoutPrice === 0

/** The figures as AdCP has them. It wants a number for spend, so beside several currencies there's an amount for each. */
export function totalsOf(sums: Sums, figures: AffiliateSums): Record<string, unknown> & { readonly spend: number } {
  const [[currency, coins] = [NO_CURRENCY, 0]] = hasTotal(sums) ? sums.spend : []
  return {
    ...Object.fromEntries(sums.quantities),
    spend: numberOf(coins, currency),
    ...figureFields(togetherOf(figures)),
    ...(!hasTotal(sums) && { ext: { adbooth: { spend_is_total: false, spend: amountsOf(sums) } } }),
  }
}

export const amountsOf = ({ spend }: Sums) =>
  [...spend].map(([currency, coins]) => ({ currency, spend: numberOf(coins, currency) }))

export const numberOf = (coins: Coins, currency: string): number =>
  currency === NO_CURRENCY ? 0 : Number(amountOf(coins, currency))

/** The figures of affiliate codes, with the currency of each line. */
export type AffiliateSums = readonly { readonly figures: Figures; readonly currency: string | null }[]

/** Values in several currencies don't add up. */
function togetherOf(sums: AffiliateSums): Figures {
  const all = sumFigures(sums.map(({ figures }) => figures))
  const valued = sums.filter(({ figures }) => figures.valueMicros !== null)
  return new Set(valued.map(({ currency }) => currency)).size > 1 ? { ...all, valueMicros: null } : all
}

export const figureFields = ({ clicks, conversions, valueMicros }: Figures) => ({
  ...(clicks !== null && { clicks: Number(clicks) }),
  ...(conversions !== null && { conversions: Number(conversions) }),
  ...(valueMicros !== null && { conversion_value: Number(formatMicros(valueMicros)) }),
})
