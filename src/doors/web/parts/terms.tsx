import { nameOfCountry } from "../../../domain/countries.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import { compare, type Decimal, minus } from "../../../domain/sale/money.ts"
import { amountOf, daysOf, type OrderPrice, type OrderTerms } from "../../../domain/sale/order.ts"
import type { Sum } from "../../../domain/sale/statement.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import type { Order } from "../../../storage/port/store.ts"
import { Facts } from "./blocks.tsx"
import { ALL_YEARS, formatCount, formatFlight, formatMoney, formatNumber, listInWords } from "./format.tsx"
import { BareTable, type Column } from "./table.tsx"

// What was asked and offered, in the same words on both sides.

export const money = (amount: Decimal, currency: string) => formatMoney(amount as `${number}`, currency)

/** "per 1,000 impressions", "per click", "for all of it". */
export const perUnit = ({ counted }: Pick<OrderPrice, "counted">): string =>
  counted === null
    ? "for all of it"
    : `per ${counted.per === 1 ? "one of the" : formatNumber(counted.per)} ${counted.unit}`

export const places = (territories: readonly string[]): string =>
  territories.includes(EVERYWHERE) ? "Everywhere" : listInWords(territories.map(nameOfCountry), 12)

/** €2,900.00 and $120.00. */
export const sumsInWords = (sums: readonly Sum[]): string =>
  sums.map(({ amount, currency }) => money(amount, currency)).join(" and ")

/** From €14.50 per 1,000 impressions. */
export const priceText = (priced: OrderPrice): string =>
  `${priced.isFloor ? "From " : ""}${money(priced.price, priced.currency)} ${perUnit(priced)}`

/** Its address was checked when it was sent. */
export const AdLink = ({ href }: { readonly href: string }) => (
  <a href={href} rel="noreferrer nofollow">
    {href}
  </a>
)

type TermsProps = Readonly<{ priced: OrderPrice; terms: OrderTerms }>

/** 4,082 a day. */
export const aDay = ({ quantity, ...flight }: OrderTerms) =>
  `${formatNumber(Math.round((quantity ?? 0) / daysOf(flight)))} a day`

/** 200,000 impressions at €14.50 per 1,000 impressions come to €2,900.00. That is 4,082 a day. */
export function sumText({ priced, terms }: TermsProps): string {
  const amount = money(amountOf(priced, terms), priced.currency)
  if (priced.counted === null) return `It costs ${amount}.`
  const price = `${money(terms.price, priced.currency)} ${perUnit(priced)}`
  const each = daysOf(terms) > 1 ? ` That is ${aDay(terms)}.` : ""
  return `${formatNumber(terms.quantity ?? 0)} ${priced.counted.unit} at ${price} come to ${amount}.${each}`
}

type Term = "dates" | "quantity" | "price" | "countries" | "amount"

interface TermsRow {
  readonly id: Term
  readonly term: string
  readonly value: string
  readonly note?: string
}

/** The terms one by one, as every page says them. */
export function termsRows({ priced, terms }: TermsProps): TermsRow[] {
  const { counted, currency } = priced
  const { from, to, quantity } = terms
  const dates = { value: formatFlight(from, to, ALL_YEARS), note: formatCount(daysOf(terms), "day") }
  return [
    { id: "dates", term: "Dates", ...dates },
    ...(counted === null
      ? []
      : [
          {
            ...({ id: "quantity", term: capitalized(counted.unit) } as const),
            ...{ value: formatNumber(quantity ?? 0), note: aDay(terms) },
          },
        ]),
    { id: "price", term: `Price ${perUnit(priced)}`, value: money(terms.price, currency) },
    { id: "countries", term: "Countries", value: places(terms.territories) },
    { id: "amount", term: "Amount", value: money(amountOf(priced, terms), currency) },
  ]
}

export const TermsFacts = (props: TermsProps) => <Facts facts={termsRows(props)} />

/** €470.00 less. */
export function moneyDifference(asked: Decimal, other: Decimal, currency: string): string {
  const by = compare(other, asked)
  if (by === 0) return SAME
  return `${money(by < 0 ? minus(asked, other, currency) : minus(other, asked, currency), currency)} ${by < 0 ? "less" : "more"}`
}

export const SAME = "the same"

/** What is different, in words. */
function differences(priced: OrderPrice, asked: OrderTerms, other: OrderTerms): Readonly<Record<Term, string>> {
  const later = daysOf({ from: asked.from, to: other.from }) - 1
  const starts = later === 0 ? "" : `starts ${formatCount(Math.abs(later), "day")} ${later < 0 ? "earlier" : "later"}, `
  const isSameFlight = asked.from === other.from && asked.to === other.to
  const by = (other.quantity ?? 0) - (asked.quantity ?? 0)
  return {
    dates: isSameFlight ? SAME : `${starts}${formatCount(daysOf(other), "day")}`,
    quantity: by === 0 ? SAME : `${formatNumber(Math.abs(by))} ${by < 0 ? "fewer" : "more"}`,
    price: moneyDifference(asked.price, other.price, priced.currency),
    countries: SAME,
    amount: moneyDifference(amountOf(priced, asked), amountOf(priced, other), priced.currency),
  }
}

type BothTermsProps = Readonly<{
  order: Pick<Order, "priced" | "asked">
  offered: OrderTerms
  titles: [string, string]
}>

/** Both versions side by side, with each difference in words. */
export function BothTerms({ order: { priced, asked }, offered, titles }: BothTermsProps) {
  const difference = differences(priced, asked, offered)
  const others = new Map(termsRows({ priced, terms: offered }).map(({ id, value }) => [id, value]))
  const columns: Column<TermsRow>[] = [
    { title: "Terms", value: ({ term }) => term },
    { title: titles[0], value: ({ value }) => value },
    {
      title: titles[1],
      cell: ({ id }) => (difference[id] === SAME ? others.get(id) : <b>{others.get(id)}</b>),
      note: ({ id }) => difference[id],
    },
  ]
  const rows = termsRows({ priced, terms: asked })
  return <BareTable caption={titles.join(" and ")} columns={columns} rows={rows} rowKey={({ id }) => id} />
}
