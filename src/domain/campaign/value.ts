import type { DeliveryTotal } from "../delivery/delivery.ts"
import { type Coins, costOf } from "../money.ts"
import { type LineFields, PRICED_QUANTITY } from "./line.ts"

/** A line with its price. */
export interface PricedLine extends Pick<LineFields, "pricingBasis" | "booked" | "rate" | "currency"> {
  readonly total: DeliveryTotal | null
}

/** The delivered and booked value of lines in one currency. */
export interface Value {
  readonly currency: string
  readonly delivered: Coins
  /** Null if a line has no booked quantity. */
  readonly booked: Coins | null
}

/** The value of a quantity of a line. Null without a price. Delivery beyond the booked quantity has no value. */
export function worthOf({ pricingBasis, booked, rate, currency }: PricedLine, quantity: number): Coins | null {
  if (rate === null || currency === null) return null
  const paid = pricingBasis === "flat_rate" ? quantity : Math.min(quantity, booked ?? quantity)
  return costOf(paid, rate, PRICED_QUANTITY[pricingBasis], currency)
}

/** The value delivered so far. Null without a price. */
export const deliveredValue = (line: PricedLine): Coins | null => worthOf(line, line.total?.quantity ?? 0)

/** The value of the line once everything is delivered. Null without a price or a booked quantity. */
export function bookedValue(line: PricedLine): Coins | null {
  const quantity = line.pricingBasis === "flat_rate" ? 1 : line.booked
  return quantity === null ? null : worthOf(line, quantity)
}

/** The exact sums of the lines in each currency. The currency of most lines comes first. Lines without a price are left out. */
export function valuesOf(lines: readonly PricedLine[]): Value[] {
  const byCurrency = Map.groupBy(lines, ({ rate, currency }) => (rate === null ? null : currency))
  return [...byCurrency]
    .toSorted(byLines)
    .flatMap(([currency, priced]) => (currency === null ? [] : [sumOf(priced, currency)]))
}

/** Currencies of equally many lines are in the order of their codes, so that every page has the same order. */
export const byLines = ([a, x]: CurrencyLines, [b, y]: CurrencyLines): number =>
  y.length - x.length || String(a).localeCompare(String(b))

type CurrencyLines = readonly [currency: string | null, lines: readonly unknown[]]

/** The same, but null unless every line has a price, and all prices have one currency. */
export function valueTogether(lines: readonly PricedLine[]): Value | null {
  const [value, ...others] = valuesOf(lines)
  const isPriced = lines.every(({ rate, currency }) => rate !== null && currency !== null)
  return value === undefined || others.length > 0 || !isPriced ? null : value
}

function sumOf(lines: readonly PricedLine[], currency: string): Value {
  let delivered = 0
  let booked: Coins | null = 0
  for (const line of lines) {
    const whole = bookedValue(line)
    delivered += deliveredValue(line) ?? 0
    booked = booked === null || whole === null ? null : booked + whole
  }
  return { currency, delivered, booked }
}
