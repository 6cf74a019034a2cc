import { nameOfCountry } from "../../../domain/countries.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import { compare, type Decimal, minus } from "../../../domain/sale/money.ts"
import { amountOf, daysOf, type OrderPrice, type OrderTerms } from "../../../domain/sale/order.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import { MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import { type Fact, Facts } from "./blocks.tsx"
import { formatCount, formatFlight, formatMoney, formatNumber, listInWords } from "./format.tsx"
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

/** 23 Nov 2026 – 10 Jan 2027. */
const withYears = ({ from, to }: Pick<OrderTerms, "from" | "to">) => formatFlight(from, to, "-")

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

export function TermsFacts({ priced, terms }: TermsProps) {
  const facts: (Fact | false)[] = [
    { term: "Dates", value: withYears(terms), note: formatCount(daysOf(terms), "day") },
    priced.counted !== null && {
      term: capitalized(priced.counted.unit),
      value: formatNumber(terms.quantity ?? 0),
      note: aDay(terms),
    },
    { term: "Price", value: money(terms.price, priced.currency), note: perUnit(priced) },
    { term: "Amount", value: money(amountOf(priced, terms), priced.currency) },
    { term: "Countries", value: places(terms.territories) },
  ]
  return <Facts facts={facts} />
}

interface TermsRow {
  readonly term: string
  readonly asked: string
  readonly other: string
  /** What is different, in words. */
  readonly difference: string
}

const more = (by: number, words: readonly [string, string]) => `${formatNumber(Math.abs(by))} ${words[by < 0 ? 0 : 1]}`

function moneyDifference(asked: Decimal, other: Decimal, currency: string): string {
  const by = compare(other, asked)
  if (by === 0) return SAME
  return `${money(by < 0 ? minus(asked, other, currency) : minus(other, asked, currency), currency)} ${by < 0 ? "less" : "more"}`
}

const SAME = "the same"

/** What was asked for, and what is offered instead, row by row. */
export function termsRows(priced: OrderPrice, asked: OrderTerms, other: OrderTerms): TermsRow[] {
  const { currency, counted } = priced
  const later = Math.round(((Date.parse(other.from) - Date.parse(asked.from)) * 1_000) / MICROS_PER_DAY)
  const starts = later === 0 ? "" : `starts ${formatCount(Math.abs(later), "day")} ${later < 0 ? "earlier" : "later"}, `
  const isSameFlight = asked.from === other.from && asked.to === other.to
  const fewer = (other.quantity ?? 0) - (asked.quantity ?? 0)
  const amounts = [amountOf(priced, asked), amountOf(priced, other)] as const
  return [
    {
      term: "Dates",
      asked: withYears(asked),
      other: withYears(other),
      difference: isSameFlight ? SAME : `${starts}${formatCount(daysOf(other), "day")}`,
    },
    ...(counted === null
      ? []
      : [
          {
            term: capitalized(counted.unit),
            asked: formatNumber(asked.quantity ?? 0),
            other: formatNumber(other.quantity ?? 0),
            difference: fewer === 0 ? SAME : more(fewer, ["fewer", "more"]),
          },
        ]),
    {
      term: `Price ${perUnit(priced)}`,
      asked: money(asked.price, currency),
      other: money(other.price, currency),
      difference: moneyDifference(asked.price, other.price, currency),
    },
    { term: "Countries", asked: places(asked.territories), other: places(other.territories), difference: SAME },
    {
      term: "Amount",
      asked: money(amounts[0], currency),
      other: money(amounts[1], currency),
      difference: moneyDifference(amounts[0], amounts[1], currency),
    },
  ]
}

type BothTermsProps = Readonly<{
  priced: OrderPrice
  asked: OrderTerms
  offered: OrderTerms
  titles: readonly [string, string]
}>

/** Both versions side by side, with each difference in words. */
export function BothTerms({ priced, asked, offered, titles }: BothTermsProps) {
  const columns: Column<TermsRow>[] = [
    { title: "Terms", value: ({ term }) => term },
    { title: titles[0], value: (row) => row.asked },
    {
      title: titles[1],
      cell: (row) => (row.difference === SAME ? row.other : <b>{row.other}</b>),
      note: ({ difference }) => difference,
    },
  ]
  const rows = termsRows(priced, asked, offered)
  return (
    <BareTable caption={`${titles[0]} and ${titles[1]}`} columns={columns} rows={rows} rowKey={({ term }) => term} />
  )
}
