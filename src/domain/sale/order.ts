import type { OwnFormats } from "../adcp/catalogue/format-options.ts"
import { type PricingOption, type Product, priceOf } from "../adcp/schema/product.ts"
import { countsDownloads, sizesOf } from "../adcp/text.ts"
import { PRICED_QUANTITY, type PricingBasis } from "../campaign/line.ts"
import { type Coins, costOf } from "../money.ts"
import { type CalendarDate, daysBetween, MICROS_PER_DAY, type Moment, readTimestamp } from "../time/moment.ts"
import { dayOf } from "../time/time-zone.ts"

/** One way to pay for a product, as an order needs it. */
export interface OrderPrice {
  readonly id: string
  readonly price: number
  readonly currency: string
  readonly counted: PricedUnit | null
  /** The least that can be spent. */
  readonly minimum: Coins
  /** What the line will be priced on. Null if the pricing model leaves that open. */
  readonly basis: PricingBasis | null
}

/** A product as it was shown. An order keeps it, so that an edit doesn't change what was asked for. */
export interface OrderedProduct {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly prices: readonly OrderPrice[]
  readonly territories: readonly string[]
  readonly formats: readonly { readonly name: string; readonly sizes: readonly string[] }[]
  /** The last day on which it can run. Null if there is none. */
  readonly until: CalendarDate | null
}

/** The terms that a buyer asks for. */
export interface OrderTerms {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly price: OrderPrice
  /** Null for a flat rate. */
  readonly quantity: number | null
  readonly territories: readonly string[]
}

export interface Requester {
  readonly organization: string
  readonly name: string
  readonly email: string
  /** A link to the creative. Empty if there is none. */
  readonly creative: string
  readonly note: string
}

// Units that no line can be priced on.
const OTHER_UNITS: Readonly<Record<string, string>> = {
  cpc: "clicks",
  cpcv: "completed views",
  cpv: "views",
  cpp: "rating points",
  cpa: "actions",
}

/** How many of which unit a price is for. Null for a flat rate. */
export interface PricedUnit {
  readonly unit: string
  readonly per: number
}

export function orderedProduct(product: Product, territories: readonly string[], own: OwnFormats): OrderedProduct {
  const formats = product.format_ids.flatMap(({ id }) => own.get(id) ?? [])
  return {
    id: product.product_id,
    name: product.name,
    description: product.description,
    prices: product.pricing_options.map((option) => orderPrice(option, product)),
    territories,
    formats: formats.map((format) => ({ name: format.name, sizes: sizesOf(format) })),
    until: lastDayOf(product),
  }
}

/** Changes with everything that the page of an order link shows of a product. */
export const shownVersion = (product: OrderedProduct): string => Bun.hash(JSON.stringify(product)).toString(36)

/** A moment before the product expires. Its days are days of UTC. */
function lastDayOf({ expires_at }: Product): CalendarDate | null {
  const expiry = expires_at === undefined ? null : readTimestamp(expires_at)
  return expiry === null ? null : dayOf(expiry - 1, "UTC")
}

function orderPrice(option: PricingOption, product: Product): OrderPrice {
  const { pricing_option_id: id, currency, min_spend_per_package: minimum = 0 } = option
  return {
    id,
    price: priceOf(option),
    currency,
    minimum: costOf(1, minimum, 1, currency),
    ...pricedUnit(option, product),
  }
}

/** What a price counts, and what a line with this price is priced on. */
export function pricedUnit(option: PricingOption, product: Product): Pick<OrderPrice, "counted" | "basis"> {
  const { pricing_model: model } = option
  if (model === "flat_rate") return { basis: "flat_rate", counted: null }
  if (model === "time") return { basis: null, counted: { unit: `${option.parameters.time_unit}s`, per: 1 } }
  if (model === "vcpm") return { basis: null, counted: { unit: "viewable impressions", per: 1_000 } }
  if (model !== "cpm") return { basis: null, counted: { unit: OTHER_UNITS[model] ?? model, per: 1 } }
  const unit = countsDownloads(product) ? "downloads" : "impressions"
  return { basis: unit, counted: { unit, per: PRICED_QUANTITY[unit] } }
}

/** The amount of an order. */
export const orderAmount = ({ price: { price, currency, counted }, quantity }: OrderTerms): Coins =>
  costOf(counted === null ? 1 : (quantity ?? 0), price, counted?.per ?? 1, currency)

/** How many days it runs, with the first and the last one. */
export const orderDays = ({ from, to }: Pick<OrderTerms, "from" | "to">): number => daysBetween(from, to) + 1

export const ORDER_STATES = ["asked", "accepted", "declined", "withdrawn"] as const
type StoredState = (typeof ORDER_STATES)[number]
export type OrderState = StoredState | "expired"

interface Asked {
  readonly state: StoredState
  readonly askedAt: Moment
}

const ANSWER_DAYS = 30

/** When an unanswered order expires. */
export const expiryOf = ({ askedAt }: Asked): Moment => askedAt + ANSWER_DAYS * MICROS_PER_DAY

/** Unanswered orders from this moment or before have expired. */
export const expiredAt = (now: Moment): Moment => now - ANSWER_DAYS * MICROS_PER_DAY

/** The state at a moment. An order that wasn't answered expires after 30 days. */
export const stateAt = (order: Asked, now: Moment): OrderState =>
  order.state === "asked" && now >= expiryOf(order) ? "expired" : order.state

export const STATEMENT_STATES = ["frozen", "paid", "cancelled"] as const
