import { openOrderLink } from "../../../actions/sale/orders.ts"
import { territoriesInWords } from "../../../domain/adcp/catalogue/territory.ts"
import {
  type OrderedProduct,
  type OrderPrice,
  type OrderState,
  type OrderTerms,
  orderAmount,
  orderDays,
} from "../../../domain/sale/order.ts"
import { logoResponse } from "../../assets.ts"
import { Badge, type Fact, type Tone } from "../../parts/blocks.tsx"
import { formatCount, formatDate, formatMoney, formatNumber, formatPrice, formatQuantity } from "../../parts/format.tsx"
import { perUnitInWords } from "../../parts/line.tsx"
import type { Visit } from "../../visit.ts"

const STATES: Readonly<Record<OrderState, readonly [label: string, tone: Tone]>> = {
  asked: ["To answer", "warn"],
  accepted: ["Accepted", "good"],
  declined: ["Declined", "off"],
  withdrawn: ["Withdrawn", "off"],
  expired: ["Expired", "off"],
}

export const orderStateInWords = (state: OrderState): string => STATES[state][0]

export function OrderBadge({ state, isBuyer = false }: { readonly state: OrderState; readonly isBuyer?: boolean }) {
  const [label, tone] = STATES[state]
  return <Badge tone={tone} label={isBuyer && state === "asked" ? "Sent" : label} />
}

/** "€14.50 per 1,000 impressions" */
export const orderPriceInWords = ({ price, currency, counted }: OrderPrice): string =>
  `${formatPrice(price, currency)} ${perUnitInWords(counted)}`

/** "€2,900.00" */
export const amountInWords = (terms: OrderTerms): string => formatMoney(orderAmount(terms), terms.price.currency)

/** The terms of an order, as the buyer asked for them. */
export function termsFacts(terms: OrderTerms): (Fact | false)[] {
  const { from, to, price, quantity, territories } = terms
  const days = orderDays(terms)
  return [
    { term: "Dates", value: `${formatDate(from)} – ${formatDate(to)}`, note: formatCount(days, "day") },
    quantity !== null && {
      term: "Quantity",
      value: formatQuantity(quantity, price.counted?.unit ?? ""),
      note: `${formatNumber(Math.ceil(quantity / days))} a day`,
    },
    { term: "Price", value: orderPriceInWords(price) },
    { term: "Countries", value: territoriesInWords(territories) },
    { term: "Amount", value: amountInWords(terms) },
  ]
}

/** The facts about a product that a visitor with an order link sees. */
export function productFacts(product: OrderedProduct, seller: string | null): (Fact | false)[] {
  const formats = product.formats.map(({ name, sizes }) =>
    sizes.length === 0 ? name : `${name} (${sizes.join(", ")})`,
  )
  const minimums = product.prices.flatMap(({ minimum, currency }) =>
    minimum > 0 ? [formatMoney(minimum, currency)] : [],
  )
  return [
    { term: "Price", value: product.prices.map(orderPriceInWords).join(" or ") },
    minimums.length > 0 && { term: "Minimum spend", value: minimums.join(" or ") },
    { term: "Countries", value: territoriesInWords(product.territories) },
    formats.length > 0 && { term: "Formats", value: formats.join(", ") },
    product.until !== null && { term: "Available until", value: formatDate(product.until) },
    seller !== null && { term: "Sold by", value: seller },
  ]
}

/** The logo of the seller, for visitors of an order page. */
export async function orderLogo({ context, read, params }: Visit): Promise<Response> {
  const link = await openOrderLink(context, params["token"] ?? "")
  return logoResponse(read, link?.seller?.id)
}
