import { type DayTotal, stretchesOf } from "../delivery/day.ts"
import type { DeliveryTotal } from "../delivery/delivery.ts"
import { type Coins, costOf, exactSum } from "../money.ts"
import type { CalendarDate } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
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
  /** The delivered share of the booked value. Null without a booked value. */
  readonly share: number | null
}

/** The value of a quantity of a line. Null without a price. Delivery beyond the booked quantity has no value. */
export function worthOf(line: Omit<PricedLine, "total">, quantity: number): Coins | null {
  const { pricingBasis, rate, currency } = line
  if (rate === null || currency === null) return null
  return costOf(paidQuantity(line, quantity), rate, PRICED_QUANTITY[pricingBasis], currency)
}

type BookedLine = Pick<LineFields, "pricingBasis" | "booked">

const paidQuantity = ({ pricingBasis, booked }: BookedLine, quantity: number): number =>
  pricingBasis === "flat_rate" ? quantity : Math.min(quantity, booked ?? quantity)

const bookedQuantity = ({ pricingBasis, booked }: BookedLine): number | null =>
  pricingBasis === "flat_rate" ? 1 : booked

/** The value delivered so far. Null without a price. */
export const deliveredValue = (line: PricedLine): Coins | null => worthOf(line, line.total?.quantity ?? 0)

/** The value of the line once everything is delivered. Null without a price or a booked quantity. */
export function bookedValue(line: PricedLine): Coins | null {
  const quantity = bookedQuantity(line)
  return quantity === null ? null : worthOf(line, quantity)
}

/** A delivered and a booked amount, in a measure that adds up. */
export interface Measure {
  readonly delivered: number
  readonly booked: number
}

/** The delivered and the booked value of a line, unrounded, because the cents of many small lines would change a share. */
export function unroundedValues(line: PricedLine): Measure {
  const price = (line.rate ?? 0) / PRICED_QUANTITY[line.pricingBasis]
  const delivered = paidQuantity(line, line.total?.quantity ?? 0)
  return { delivered: delivered * price, booked: (bookedQuantity(line) ?? 0) * price }
}

/** The delivered share of all measures. Null if nothing is booked. */
export function shareOf(measures: readonly Measure[]): number | null {
  const booked = measures.reduce((sum, measure) => sum + measure.booked, 0)
  const delivered = measures.reduce((sum, measure) => sum + measure.delivered, 0)
  return booked === 0 ? null : delivered / booked
}

/** The exact sums of the lines in each currency. The currency of most lines comes first. Lines without a price are left out. */
export function valuesOf(lines: readonly PricedLine[]): Value[] {
  const byCurrency = Map.groupBy(lines, ({ rate, currency }) => (rate === null ? null : currency))
  return [...byCurrency]
    .toSorted(byLines)
    .flatMap(([currency, priced]) => (currency === null ? [] : [sumOf(priced, currency)]))
}

/** Currencies of equally many lines are in the order of their codes, so that every page has the same order. */
const byLines = ([a, x]: CurrencyLines, [b, y]: CurrencyLines): number =>
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
  return { currency, delivered, booked, share: booked ? shareOf(lines.map(unroundedValues)) : null }
}

/** The delivery of one day, or of several days of which only the last was measured. The first and the last are included. */
export interface DeliveredDays {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly quantity: number
  /** Null without a price. */
  readonly coins: Coins | null
}

interface DatedLine extends PricedLine, Pick<LineFields, "flightStart"> {
  readonly timeZone: TimeZone
}

/** What a line delivered in each measured stretch of days. `totals` has its measured days. */
export function deliveredDays(line: DatedLine, totals: readonly DayTotal[]): DeliveredDays[] {
  if (line.pricingBasis === "flat_rate") {
    // A flat rate is delivered on one day.
    if (line.total?.quantity !== 1) return []
    const day = dayOf(line.total.asOf, line.timeZone)
    return [{ from: day, to: day, quantity: 0, coins: worthOf(line, 1) }]
  }
  return stretchesOf(line.flightStart, totals).map(({ from, to, added, quantity }) => {
    const [before, after] = [worthOf(line, exactSum([quantity, -added])), worthOf(line, quantity)]
    return { from, to, quantity: added, coins: before === null || after === null ? null : after - before }
  })
}

export interface ValuedLine extends DatedLine {
  readonly id: number
}

/** What the lines of one currency were worth on each day. */
export interface ValueByDay {
  readonly currency: string
  /** Null if no line was measured on the day. */
  readonly days: readonly { readonly date: CalendarDate; readonly coins: Coins | null }[]
  /**
   * The value delivered in several days that weren't measured one by one. No two stretches that begin within the dates
   * overlap, and neither do those that begin before them.
   */
  readonly stretches: readonly Worth[]
  /** The sum of the days, and of the stretches that begin on one of them. */
  readonly sum: Coins
}

type Worth = Pick<DeliveredDays, "from" | "to"> & { readonly coins: Coins }

/**
 * The value of what was delivered on each of these dates, by currency, the currency of most lines first. `totals` has the
 * measured days of each line. Delivery beyond the booked quantity adds no value.
 */
export function valueByDay(
  lines: readonly ValuedLine[],
  totals: ReadonlyMap<number, readonly DayTotal[]>,
  dates: readonly CalendarDate[],
): ValueByDay[] {
  const priced = lines.filter(({ rate, currency }) => rate !== null && currency !== null)
  const byCurrency = [...Map.groupBy(priced, ({ currency }) => currency ?? "")]
  return byCurrency.toSorted(byLines).map(([currency, ofCurrency]) => {
    const days = ofCurrency.flatMap((line) => deliveredDays(line, totals.get(line.id) ?? []))
    const values = days.map(({ from, to, coins }) => ({ from, to, coins: coins ?? 0 }))
    return { currency, ...placed(values, dates) }
  })
}

function placed(values: readonly Worth[], dates: readonly CalendarDate[]): Omit<ValueByDay, "currency"> {
  const coins = new Map<CalendarDate, Coins>()
  const [first = "", last = ""] = [dates[0], dates.at(-1)]
  const shown = values.filter(({ from, to }) => to >= first && from <= last)
  for (const { from, to, coins: added } of shown) if (from === to) coins.set(from, (coins.get(from) ?? 0) + added)
  // What began before the first date isn't merged with what began within, because the sum has only the second.
  const others = shown.filter((value) => value.from !== value.to && value.coins !== 0)
  const before = joined(others.filter(({ from }) => from < first))
  const within = joined(others.filter(({ from }) => from >= first))
  const sum = [...coins.values(), ...within.map((stretch) => stretch.coins)].reduce((a, b) => a + b, 0)
  return {
    days: dates.map((date) => ({ date, coins: coins.get(date) ?? null })),
    stretches: [...before, ...within],
    sum,
  }
}

/** Merges stretches that overlap. */
function joined(stretches: readonly Worth[]): Worth[] {
  const apart: Worth[] = []
  for (const stretch of stretches.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const before = apart.at(-1)
    if (before === undefined || before.to < stretch.from) apart.push(stretch)
    else {
      const [, to = stretch.to] = [before.to, stretch.to].sort()
      apart[apart.length - 1] = { from: before.from, to, coins: before.coins + stretch.coins }
    }
  }
  return apart
}
