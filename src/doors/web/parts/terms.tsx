import type { ComponentChildren } from "preact"
import { nameOfCountry } from "../../../domain/countries.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import { compare, type Decimal, minus } from "../../../domain/sale/money.ts"
import type { OrderedProduct, OrderPrice, OrderTerms } from "../../../domain/sale/order.ts"
import { amountOf, daysOf, endsAt, isFromRequester } from "../../../domain/sale/order.ts"
import type { Sum } from "../../../domain/sale/statement.ts"
import { capitalized, cutText } from "../../../domain/text/short-text.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import type { Order } from "../../../storage/port/store.ts"
import { Badge, Card, type Fact, Facts } from "./blocks.tsx"
import { ALL_YEARS, formatCount, formatDate, formatFlight, formatMoney, formatNumber, listInWords } from "./format.tsx"
import { BareTable, type Column } from "./table.tsx"

// What was asked and offered, in the same words on both sides.

export const money = (amount: Decimal, currency: string) => formatMoney(amount as `${number}`, currency)

/** "per 1,000 impressions", "per click", "for all of it". */
export const perUnit = ({ counted }: Pick<OrderPrice, "counted">): string =>
  counted === null
    ? "for all of it"
    : `per ${counted.per === 1 ? counted.unit.replace(/s$/, "") : `${formatNumber(counted.per)} ${counted.unit}`}`

export const countriesInWords = (territories: readonly string[]): string =>
  territories.includes(EVERYWHERE) ? "Everywhere" : listInWords(territories.map(nameOfCountry).toSorted(), 12)

/** €2,900.00 and $120.00. */
export function sumsInWords(sums: readonly Sum[]): string {
  // Nothing in one currency is not worth a word beside something in another.
  const some = sums.filter(({ amount }) => compare(amount, 0) !== 0)
  const amounts = (some.length > 0 ? some : sums).map(({ amount, currency }) => money(amount, currency))
  return listInWords(amounts, amounts.length)
}

/** The same below each other; a dash for nothing. */
export const SumLines = ({ sums }: { readonly sums: readonly Sum[] }) => (
  <>{sums.length === 0 ? "–" : sums.map((sum) => <div>{sumsInWords([sum])}</div>)}</>
)

/** From €14.50 per 1,000 impressions. */
export const priceText = (priced: OrderPrice): string =>
  `${priced.isFloor ? "From " : ""}${money(priced.price, priced.currency)} ${perUnit(priced)}`

const AD_CHARACTERS_MAX = 40

/** The ad by its file, with the host below. The address was checked when it was sent. */
export function adFact({ requester: { creative } }: Order): Fact | null {
  if (creative === "") return null
  const { host, pathname } = new URL(creative)
  const link = (
    <a href={creative} rel="noreferrer nofollow" title={creative}>
      {cutText(pathname.split("/").at(-1) || creative, AD_CHARACTERS_MAX)}
    </a>
  )
  return { term: "Ad", value: link, note: host }
}

const noteFact = ({ requester: { note } }: Order): Fact | null =>
  note === "" ? null : { term: "Note", value: <span class="plain lines">{note}</span> }

type TermsProps = Readonly<{ priced: OrderPrice; terms: OrderTerms }>

/** 4,082 a day. */
export function aDay({ quantity, ...flight }: OrderTerms): string {
  const each = Math.round((quantity ?? 0) / daysOf(flight))
  return `${each < 1 ? "less than one" : formatNumber(each)} a day`
}

/** 200,000 impressions at €14.50 per 1,000 impressions come to €2,900.00. That is 4,082 a day. */
export function sumText({ priced, terms }: TermsProps): string {
  const amount = money(amountOf(priced, terms), priced.currency)
  if (priced.counted === null) return `It costs ${amount}.`
  const price = `${money(terms.price, priced.currency)} ${perUnit(priced)}`
  const each = daysOf(terms) > 1 ? ` That is ${aDay(terms)}.` : ""
  return `${formatNumber(terms.quantity ?? 0)} ${priced.counted.unit} at ${price} come to ${amount}.${each}`
}

export const endText = (order: Order, zone: TimeZone) =>
  `Without an answer, it ends on ${formatDate(dayOf(endsAt(order), zone))}.`

type MessageProps = Readonly<{ order: Order; ofRequester: string; ofSeller: string }>

/** What was said with the last answer, below whose words it is. */
export const MessageCard = ({ order, ofRequester, ofSeller }: MessageProps) =>
  order.message === "" ? null : (
    <Card title={isFromRequester(order) ? ofRequester : ofSeller}>
      <p class="sum lines">{order.message}</p>
    </Card>
  )

const TERMS = ["dates", "quantity", "price", "countries", "amount"] as const
type Term = (typeof TERMS)[number]
type Cells<Cell> = Readonly<Partial<Record<Term, Cell>>>
type TermCell = Readonly<{ value: ComponentChildren; note?: ComponentChildren }>

/** The terms one by one, as every page says them. A flat rate has no quantity. */
function termsCells({ priced, terms }: TermsProps) {
  const { counted, currency } = priced
  const { from, to, quantity } = terms
  const whole = counted !== null && quantity === null ? " for all of it" : ""
  return {
    dates: { term: "Dates", value: formatFlight(from, to, ALL_YEARS), note: formatCount(daysOf(terms), "day") },
    ...(counted !== null &&
      quantity !== null && {
        quantity: { term: capitalized(counted.unit), value: formatNumber(quantity), note: aDay(terms) },
      }),
    price: { term: `Price ${perUnit(priced)}`, value: `${money(terms.price, currency)}${whole}` },
    countries: { term: "Countries", value: countriesInWords(terms.territories) },
    amount: { term: "Amount", value: money(amountOf(priced, terms), currency) },
  } satisfies Cells<TermCell & { readonly term: string }>
}

/** The terms that hold, with what came along. */
export const TermsFacts = ({ order, terms }: { readonly order: Order; readonly terms: OrderTerms }) => (
  <Facts facts={[...Object.values(termsCells({ priced: order.priced, terms })), adFact(order), noteFact(order)]} />
)

/** €470.00 less. */
function moneyDifference(asked: Decimal, other: Decimal, currency: string): string {
  const by = compare(other, asked)
  const coins = minus(other, asked, currency).replace("-", "")
  // Prices may differ by less than a coin.
  const amount = compare(coins, 0) === 0 ? "a little" : money(coins, currency)
  return by === 0 ? SAME : `${amount} ${by < 0 ? "less" : "more"}`
}

const SAME = "the same"

function differences(priced: OrderPrice, asked: OrderTerms, other: OrderTerms): Readonly<Record<Term, string>> {
  const later = daysOf({ from: asked.from, to: other.from }) - 1
  const starts = later === 0 ? "" : `starts ${formatCount(Math.abs(later), "day")} ${later < 0 ? "earlier" : "later"}, `
  const isSameFlight = asked.from === other.from && asked.to === other.to
  const by = (other.quantity ?? 0) - (asked.quantity ?? 0)
  const isFlat = other.quantity === null && asked.quantity !== null
  return {
    dates: isSameFlight ? SAME : `${starts}${formatCount(daysOf(other), "day")}`,
    quantity: by === 0 ? SAME : `${formatNumber(Math.abs(by))} ${by < 0 ? "fewer" : "more"}`,
    price: isFlat ? "a flat rate" : moneyDifference(asked.price, other.price, priced.currency),
    countries: SAME,
    amount: moneyDifference(amountOf(priced, asked), amountOf(priced, other), priced.currency),
  }
}

export type TermsColumn = Readonly<{ title: string; cells: Cells<TermCell> }>

/** What was offered, with each difference in words; nothing where there is no offer. */
export function offeredColumn({ priced, asked, offered }: Order, title: string): TermsColumn[] {
  if (offered === null) return []
  const difference = differences(priced, asked, offered)
  const cells: Cells<TermCell> = termsCells({ priced, terms: offered })
  const compared = TERMS.map((term) => {
    const { value } = cells[term] ?? { value: "–" }
    return [term, { value: difference[term] === SAME ? value : <b>{value}</b>, note: difference[term] }]
  })
  return [{ title, cells: Object.fromEntries(compared) }]
}

/** The product as it is now. A price that changed since is marked. */
export function todayColumn({ priced, asked, product }: Order, today: OrderedProduct | null): TermsColumn {
  const { currency, minimum } = priced
  const now = today?.prices.find(({ id }) => id === priced.id)
  const isSame = now !== undefined && compare(now.price, asked.price) === 0 && now.currency === currency
  return {
    title: "Product today",
    cells: {
      dates: { value: today?.until == null ? "Any time" : `Until ${formatDate(today.until)}` },
      quantity: { value: product.isGuaranteed ? "Guaranteed" : "Not guaranteed" },
      price: {
        value: isSame ? SAME : now === undefined ? "no longer offered" : money(now.price, now.currency),
        note: !isSame && <Badge tone="warn">Changed</Badge>,
      },
      countries: { value: today === null ? "–" : countriesInWords(today.territories) },
      amount: { value: minimum === null ? "no minimum" : `at least ${money(minimum, currency)}` },
    },
  }
}

export function termsTable({ priced, asked }: Order, title: string, beside: readonly TermsColumn[]) {
  const rows = Object.entries(termsCells({ priced, terms: asked })).map(([id, row]) => ({ ...row, id: id as Term }))
  type Row = Readonly<{ id: Term; term: string } & TermCell>
  const columns: Column<Row>[] = [
    { title: "Terms", value: ({ term }) => term },
    { title, cell: ({ value }) => <b>{value}</b>, note: ({ note }) => note },
    ...beside.map(({ title: other, cells }) => ({
      title: other,
      cell: ({ id }: Row) => cells[id]?.value,
      note: ({ id }: Row) => cells[id]?.note,
    })),
  ]
  return <BareTable caption="Terms" columns={columns} rows={rows} />
}
