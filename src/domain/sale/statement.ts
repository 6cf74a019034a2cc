import type { PricedLine } from "../campaign/line-state.ts"
import { COUNTED_BASES, type PricingBasis } from "../campaign/pricing-basis.ts"
import { FLAT_RATE_DELIVERED } from "../delivery/delivery.ts"
import { moneyIn, readNumber } from "../text/typed-number.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import type { TimeZone } from "../time/time-zone.ts"
import { compare, costOf, type Decimal, inCoins, minus, sumOf } from "./money.ts"

export const STATEMENT_STATES = ["draft", "frozen", "paid", "cancelled"] as const
export type StatementState = (typeof STATEMENT_STATES)[number]

/** A line with what it delivered and what of that counts. */
export interface StatedLine {
  readonly packageId: string
  readonly name: string
  readonly basis: PricingBasis
  readonly booked: number | null
  readonly delivered: number
  /** Whether more than booked counts, because the seller says so. */
  readonly countsAll: boolean
  readonly counts: number
  /** Null: it has no price, and comes to nothing. */
  readonly rate: number | null
  readonly currency: string
  readonly amount: Decimal
}

export const ADDED_KINDS = {
  production: "Production",
  discount: "Discount",
  make_good: "Make-good",
  other: "Other",
} as const
export type AddedKind = keyof typeof ADDED_KINDS

/** A line that the seller added by hand, with its sign. */
export interface AddedLine {
  readonly what: AddedKind
  readonly text: string
  readonly amount: Decimal
  readonly currency: string
}

export interface Sum {
  readonly currency: string
  readonly amount: Decimal
}

/** What is printed. A frozen one never changes. */
export interface StatementBody {
  readonly from: string
  readonly to: string
  readonly reference: string
  readonly campaign: string
  readonly period: { readonly from: CalendarDate; readonly to: CalendarDate | null }
  /** When the newest of its figures was measured. */
  readonly asOf: Moment | null
  readonly zone: TimeZone
  readonly lines: readonly StatedLine[]
  readonly added: readonly AddedLine[]
  /** What the statement that this one corrects came to. */
  readonly corrected: { readonly number: string; readonly sums: readonly Sum[] } | null
}

export interface LineToState extends PricedLine {
  readonly packageId: string
  readonly name: string
  readonly currency: string | null
}

/** What is delivered counts, at most what was booked unless the seller says so. */
export function stateLine(
  { packageId, name, pricingBasis: basis, total, ...line }: LineToState,
  countsAll: boolean,
): StatedLine {
  const delivered = total?.quantity ?? 0
  const isMore = line.booked !== null && delivered > line.booked
  const counts = isMore && !countsAll ? (line.booked ?? 0) : delivered
  const currency = line.currency ?? ""
  const stated = { packageId, name, basis, delivered, counts, countsAll: isMore && countsAll, currency }
  return { ...stated, booked: line.booked, rate: line.rate, amount: amountOfLine(basis, counts, line.rate, currency) }
}

export function amountOfLine(basis: PricingBasis, counts: number, rate: number | null, currency: string): Decimal {
  if (rate === null || currency === "") return "0.00"
  if (basis === "flat_rate") return inCoins(counts === FLAT_RATE_DELIVERED ? rate : 0, currency)
  return costOf(counts, rate, COUNTED_BASES[basis].per, currency)
}

type Amounts = readonly Pick<AddedLine, "currency" | "amount">[]

/** The sums of each currency, by its code: amounts of two currencies have no sum. */
export function sumsOf(amounts: Amounts): Sum[] {
  const byCurrency = Map.groupBy(
    amounts.filter(({ currency }) => currency !== ""),
    ({ currency }) => currency,
  )
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, some]) => ({
      currency,
      amount: sumOf(
        some.map(({ amount }) => amount),
        currency,
      ),
    }))
}

/** What a statement comes to, without what the corrected one came to. */
export function totalsOf({ lines, added, corrected }: Pick<StatementBody, "lines" | "added" | "corrected">): Sum[] {
  const before = (corrected?.sums ?? []).map(({ currency, amount }) => ({
    currency,
    amount: minus("0", amount, currency),
  }))
  return sumsOf([...lines, ...added, ...before])
}

export interface LaterFigure {
  readonly line: StatedLine
  readonly delivered: number
  /** What the line comes to now, less what the statement says. */
  readonly difference: Decimal
}

/** The lines of a frozen statement whose figures are others now. */
export function laterFigures({ lines }: Pick<StatementBody, "lines">, now: readonly LineToState[]): LaterFigure[] {
  const current = new Map(now.map((line) => [line.packageId, line]))
  return lines.flatMap((line) => {
    const delivered = current.get(line.packageId)?.total?.quantity ?? 0
    if (delivered === line.delivered) return []
    const total = { quantity: delivered, asOf: 0 }
    const { amount } = stateLine({ ...line, pricingBasis: line.basis, total }, line.countsAll)
    return [{ line, delivered, difference: minus(amount, line.amount, line.currency || "EUR") }]
  })
}

/** 2026-014 after 2026-013; each year begins anew. */
export function nextNumber(year: string, last: string | null): string {
  const count = last?.startsWith(`${year}-`) ? Number(last.slice(year.length + 1)) : 0
  return `${year}-${String(count + 1).padStart(3, "0")}`
}

export type TypedAdded = Readonly<Record<"what" | "text" | "amount" | "currency", string>>

type ReadAdded =
  | { readonly ok: true; readonly line: AddedLine }
  | { readonly ok: false; readonly field: keyof TypedAdded; readonly message: string }

const TEXT_CHARACTERS_MAX = 200

/** A line added by hand; null for an empty row. The sign has to be typed where it matters: a discount is less. */
export function readAdded({ what, text, amount, currency }: TypedAdded): ReadAdded | null {
  if (text === "" && amount === "") return null
  const refused = (field: keyof TypedAdded, message: string): ReadAdded => ({ ok: false, field, message })
  if (!Object.hasOwn(ADDED_KINDS, what)) return refused("what", "Choose what it is.")
  if (text.length > TEXT_CHARACTERS_MAX) return refused("text", `Write at most ${TEXT_CHARACTERS_MAX} characters.`)
  if (!/^[A-Z]{3}$/.test(currency)) return refused("currency", "Three capital letters, such as EUR.")
  const [, sign = "", number = ""] = /^([-+−–]?)\s*(.*)$/s.exec(amount.trim()) ?? []
  const read = readNumber(number, moneyIn(currency))
  if (!read.ok) return refused("amount", read.message)
  if (what === "discount" && sign === "" && read.value > 0)
    return refused("amount", `Write −${number} for less, or +${number} for more.`)
  const isLess = sign !== "" && sign !== "+" && compare(read.digits, 0) !== 0
  const coins = inCoins(read.digits, currency)
  return { ok: true, line: { what: what as AddedKind, text, amount: isLess ? `-${coins}` : coins, currency } }
}
