import type { OwnFormats } from "../adcp/catalogue/check.ts"
import { type PricingOption, amountOf as priceIn } from "../adcp/schema/product/pricing-option.ts"
import type { Product } from "../adcp/schema/product/product.ts"
import { sizesOf } from "../adcp/text.ts"
import type { LineFields } from "../campaign/line-fields.ts"
import { COUNTED_BASES, UNITS as LINE_UNITS, type PricingBasis } from "../campaign/pricing-basis.ts"
import { type CalendarDate, MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { compare, costOf, type Decimal, inCoins } from "./money.ts"

/** One way to pay for a product, as an order needs it. */
export interface OrderPrice {
  readonly id: string
  readonly price: Decimal
  readonly currency: string
  /** What is counted, and how many of it have the price; null for a flat price. */
  readonly counted: { readonly unit: string; readonly per: number } | null
  /** The least that can be spent; null: anything. */
  readonly minimum: Decimal | null
  /** Whether the price is where the seller starts, and may be more. */
  readonly isFloor: boolean
  /** What a line at this price is priced on; null: somebody has to say. */
  readonly basis: PricingBasis | null
}

/** A product as somebody was shown it. An order keeps it: what is edited later does not change what was asked. */
export interface OrderedProduct {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly prices: readonly OrderPrice[]
  readonly territories: readonly string[]
  readonly formats: readonly { readonly name: string; readonly sizes: readonly string[] }[]
  readonly isGuaranteed: boolean
  /** The last day on which it can run; null: none. */
  readonly until: CalendarDate | null
}

export interface OrderTerms {
  readonly from: CalendarDate
  readonly to: CalendarDate
  /** Null for a flat price. */
  readonly quantity: number | null
  readonly price: Decimal
  readonly territories: readonly string[]
}

/** The line of an order, and where it goes. A buyer that is gone by then, or a campaign that is gone or archived, is made anew by its name. */
export interface Booking {
  readonly buyer: string
  readonly buyerName: string
  /** Its slug; null for a new one. */
  readonly campaign: string | null
  readonly campaignName: string
  readonly line: LineFields
}

/** What is counted where no line can be priced on it, and how many have the price. */
const OTHER_UNITS: Readonly<Record<string, string>> = {
  cpc: "clicks",
  cpcv: "completed views",
  cpv: "views",
  cpp: "rating points",
  cpa: "actions",
}

/** `basis` is what a line at this price is priced on; null where somebody has to say. */
function countedAs(option: PricingOption, metrics: readonly string[]): Pick<OrderPrice, "basis" | "counted"> {
  const { pricing_model: model } = option
  if (model === "flat_rate") return { basis: "flat_rate", counted: null }
  if (model === "time") return { basis: null, counted: { unit: `${option.parameters.time_unit}s`, per: 1 } }
  const bases = LINE_UNITS.filter((unit) => COUNTED_BASES[unit].model === model)
  const unit = bases.findLast((name) => metrics.includes(COUNTED_BASES[name].metric)) ?? bases[0]
  if (unit !== undefined) return { basis: unit, counted: { unit, per: COUNTED_BASES[unit].per } }
  if (model === "vcpm") return { basis: null, counted: { unit: "viewable impressions", per: 1_000 } }
  return { basis: null, counted: { unit: OTHER_UNITS[model] ?? model, per: 1 } }
}

export function orderPrice(option: PricingOption, { reporting_capabilities }: Product): OrderPrice {
  const { pricing_option_id: id, currency, min_spend_per_package: minimum = 0 } = option
  return {
    id,
    price: plain(priceIn(option), currency),
    currency,
    ...countedAs(option, reporting_capabilities.available_metrics),
    minimum: minimum > 0 ? inCoins(minimum, currency) : null,
    isFloor: option.fixed_price === undefined,
  }
}

/** As people write money; a price per click may have more decimal places than a coin. */
function plain(price: number, currency: string): Decimal {
  const coins = inCoins(price, currency)
  return compare(coins, price) === 0 ? coins : String(price)
}

export function orderedProduct(product: Product, territories: readonly string[], own: OwnFormats): OrderedProduct {
  const formats = (product.format_ids ?? []).flatMap(({ id }) => own.get(id) ?? [])
  return {
    id: product.product_id,
    name: product.name,
    description: product.description,
    prices: product.pricing_options.map((option) => orderPrice(option, product)),
    territories,
    formats: formats.map((format) => ({ name: format.name, sizes: sizesOf(format) })),
    isGuaranteed: product.delivery_type === "guaranteed",
    until: product.expires_at?.slice(0, 10) ?? null,
  }
}

/** What holds: the offer, where there is one. */
export const termsNow = ({ offered, asked }: { readonly offered: OrderTerms | null; readonly asked: OrderTerms }) =>
  offered ?? asked

type PricedAs = Pick<OrderPrice, "counted" | "currency">
type PricedQuantity = Pick<OrderTerms, "quantity" | "price">

export const amountOf = ({ counted, currency }: PricedAs, { quantity, price }: PricedQuantity): Decimal =>
  quantity === null ? inCoins(price, currency) : costOf(quantity, price, counted?.per ?? 1, currency)

/** Whether something that has a price comes to less than the smallest coin. */
export const isBelowACoin = (priced: PricedAs, terms: PricedQuantity): boolean =>
  compare(terms.price, 0) > 0 && compare(amountOf(priced, terms), 0) === 0

/** What it comes to as it stands. */
export const amountNow = (order: Readonly<{ priced: PricedAs; offered: OrderTerms | null; asked: OrderTerms }>) =>
  amountOf(order.priced, termsNow(order))

/** How many days, the first and the last included. */
export const daysOf = ({ from, to }: Pick<OrderTerms, "from" | "to">): number =>
  Math.round(((Date.parse(to) - Date.parse(from)) * 1_000) / MICROS_PER_DAY) + 1

/** Whether a line of either comes to the same; where it is shown is the order's. */
export const isSameTerms = (a: OrderTerms, b: OrderTerms): boolean =>
  a.from === b.from && a.to === b.to && a.quantity === b.quantity && compare(a.price, b.price) === 0

/** What a line says, as terms that can be compared with those of its order: a flat rate is for all of it. */
export function termsOf(
  { asked, priced }: { readonly asked: OrderTerms; readonly priced: OrderPrice },
  { pricingBasis, booked, rate, flightStart, flightEnd }: LineFields,
): OrderTerms {
  const quantity = pricingBasis === "flat_rate" ? null : booked
  const price = plain(rate ?? 0, priced.currency)
  return { from: flightStart, to: flightEnd ?? flightStart, quantity, price, territories: asked.territories }
}

export const ORDER_STATES = ["asked", "offered", "accepted", "declined", "withdrawn", "ended"] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** Who acts without an account, in the audit trail. */
export const REQUESTER = "requester"

export const OPEN_STATES: OrderState[] = ["asked", "offered"]
export const isOpen = (state: OrderState) => OPEN_STATES.includes(state)

type Move = Readonly<{ from: readonly OrderState[]; to: OrderState; action: string }>

/** Who does what to an order, and what the audit trail calls it. Time ends what nobody answers, and what nobody can have any more. */
export const MOVES = {
  "seller accepts": { from: ["asked"], to: "accepted", action: "accept order" },
  "seller offers": { from: OPEN_STATES, to: "offered", action: "offer order" },
  "seller declines": { from: OPEN_STATES, to: "declined", action: "decline order" },
  // The terms on the table are the seller's then: only the requester can accept them.
  "requester accepts": { from: ["offered"], to: "accepted", action: "accept order" },
  "requester declines": { from: ["offered"], to: "declined", action: "decline order" },
  "requester withdraws": { from: OPEN_STATES, to: "withdrawn", action: "withdraw order" },
  "time ends": { from: OPEN_STATES, to: "ended", action: "end order" },
} satisfies Readonly<Record<string, Move>>
export type OrderMove = keyof typeof MOVES

const ANSWER_DAYS = 30

/** Whose words an order carries: the last answer's, which is the seller's unless an offer was declined. */
export const isFromRequester = ({ state, movedBy }: Readonly<{ state: OrderState; movedBy: string }>): boolean =>
  state === "declined" && movedBy === "requester"

type DatedState = Readonly<{ state: OrderState; movedAt: Moment; offered?: Pick<OrderTerms, "to"> | null }>

/** When an order ends by itself unless somebody answers; an offer also when its last day is over, wherever the seller is. */
export function endsAt({ movedAt, offered }: DatedState): Moment {
  const over = offered == null ? Number.POSITIVE_INFINITY : Date.parse(offered.to) * 1_000 + 1.5 * MICROS_PER_DAY
  return Math.min(movedAt + ANSWER_DAYS * MICROS_PER_DAY, over)
}

/** Open orders that moved no later have ended by now. */
export const endedBefore = (now: Moment): Moment => now - ANSWER_DAYS * MICROS_PER_DAY

/** The state now: one that nobody answered in time has ended, whether or not that was noted. */
export const stateAt = (order: DatedState, now: Moment): OrderState =>
  isOpen(order.state) && now >= endsAt(order) ? "ended" : order.state

/** The state after a move, or null where the order does not allow it: the only place that says so. */
export function afterMove(order: DatedState, move: OrderMove, now: Moment): OrderState | null {
  const { from, to }: Move = MOVES[move]
  return from.includes(move === "time ends" ? order.state : stateAt(order, now)) ? to : null
}
