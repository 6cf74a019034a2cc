import type { PricedLine } from "../campaign/line-state.ts"
import { COUNTED_BASES, type PricingBasis } from "../campaign/pricing-basis.ts"
import { FLAT_RATE_DELIVERED } from "../delivery/delivery.ts"
import { moneyIn, readNumber } from "../text/typed-number.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import { coinOf, compare, costOf, type Decimal, inCoins, minus, sumOf, typedMoney } from "./money.ts"
import { textErrors } from "./read-order.ts"

export const STATEMENT_STATES = ["draft", "frozen", "paid", "cancelled"] as const
export type StatementState = (typeof STATEMENT_STATES)[number]

export const ADDED_KINDS = { production: "Production", discount: "Discount", make_good: "Make-good", other: "Other" }
export type AddedKind = keyof typeof ADDED_KINDS

export type Sum = Readonly<{ currency: string; amount: Decimal }>

/** A line that the seller added by hand, with its sign. */
export type AddedLine = Sum & Readonly<{ what: AddedKind; text: string }>

/**
 * What a line came to in a month, or in days of several months that were reported together. No line: what was added by hand, on the day
 * of its statement; "": all of a statement that was frozen before parts were kept.
 */
export type SettledPart = Sum & Readonly<{ packageId: string | null; from: CalendarDate; to: CalendarDate }>

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
  /** The last statement before this one, and what was stated up to then. */
  readonly corrected: { readonly id?: number; readonly number: string; readonly sums: readonly Sum[] } | null
  /** What it settles beyond those before it, by line and period: as much as its totals. Older ones kept none. */
  readonly settles?: readonly SettledPart[]
}

export type LineToState = PricedLine & Readonly<{ packageId: string; name: string }>

/** A line with what it delivered and what of that counts. Without a rate it has no price, and comes to nothing. */
export type StatedLine = Readonly<Omit<ReturnType<typeof stateLine>, "asOf">> & {
  /** When its total was measured; null without one. Older statements did not keep it. */
  readonly asOf?: Moment | null
}

/** What is delivered counts, at most what was booked unless the seller says so (`countsAll`). */
export function stateLine({ packageId, name, pricingBasis: basis, total, ...line }: LineToState, countsAll: boolean) {
  const delivered = total?.quantity ?? 0
  const isMore = line.booked !== null && delivered > line.booked
  const counts = isMore && !countsAll ? (line.booked ?? 0) : delivered
  const currency = line.currency ?? ""
  const stated = { packageId, name, basis, delivered, counts, countsAll: isMore && countsAll, currency }
  const amount = amountOfLine(basis, counts, line.rate, currency)
  return { ...stated, booked: line.booked, rate: line.rate, amount, asOf: total?.asOf ?? null }
}

export function amountOfLine(basis: PricingBasis, counts: number, rate: number | null, currency: string): Decimal {
  if (rate === null || currency === "") return "0.00"
  if (basis === "flat_rate") return inCoins(counts === FLAT_RATE_DELIVERED ? rate : 0, currency)
  return costOf(counts, rate, COUNTED_BASES[basis].per, currency)
}

/** The first and the last of the days on which its figures were measured; null without any. */
export function measuredDays({ lines, asOf, zone }: StatementBody) {
  const moments = lines.flatMap((line) => line.asOf ?? [])
  const all = [...moments, ...(asOf === null ? [] : [asOf])].map((moment) => dayOf(moment, zone)).sort()
  const [from, to] = [all[0], all.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}

/** The sums of each currency, by its code: amounts of two currencies have no sum. */
export function sumsOf(amounts: readonly Sum[]): Sum[] {
  const currencies = new Set(amounts.flatMap(({ currency }) => currency || []))
  return [...currencies].sort().map((currency) => {
    const own = amounts.flatMap((each) => (each.currency === currency ? each.amount : []))
    return { currency, amount: sumOf(own, currency) }
  })
}

/** What was stated before, to be taken off. */
export const statedBefore = ({ corrected }: Pick<StatementBody, "corrected">): Sum[] =>
  (corrected?.sums ?? []).map(({ currency, amount }) => ({ currency, amount: minus("0", amount, currency) }))

/** What a statement comes to, without what was stated before. */
export const totalsOf = (body: Pick<StatementBody, "lines" | "added" | "corrected">): Sum[] =>
  sumsOf([...body.lines, ...body.added, ...statedBefore(body)])

export type Stated = Readonly<{ state: StatementState; frozenAt: Moment | null; body: StatementBody | null }>

/** Those of a campaign that hold, the last one first. The next one says what is new since. */
export const statementsInForce = <Statement extends Stated>(all: readonly Statement[]): Statement[] =>
  all
    .filter(({ state }) => state === "frozen" || state === "paid")
    .toSorted((a, b) => (b.frozenAt ?? 0) - (a.frozenAt ?? 0))

export const statedIn = (statements: readonly Stated[]): Sum[] =>
  sumsOf(statements.flatMap(({ body }) => (body === null ? [] : totalsOf(body))))

/** What became of a line after it was stated: null for one that is new, or gone. */
export type LaterLine = Readonly<{ name: string; before: StatedLine | null; now: StatedLine | null }>

/** The lines that a frozen statement would state otherwise now: another total, price or quantity booked, or a line that is new or gone. */
export function changedSince({ lines }: Pick<StatementBody, "lines">, current: readonly LineToState[]): LaterLine[] {
  const stated = new Map(lines.map((line) => [line.packageId, line]))
  const present = new Set(current.map(({ packageId }) => packageId))
  const changed = current.flatMap((line): LaterLine[] => {
    const before = stated.get(line.packageId) ?? null
    const now = stateLine(line, before?.countsAll ?? false)
    if (before === null) return line.total === null ? [] : [{ name: line.name, before, now }]
    const isSame = (["delivered", "rate", "booked", "currency"] as const).every((field) => before[field] === now[field])
    return isSame ? [] : [{ name: line.name, before, now }]
  })
  const gone = lines.filter(({ packageId }) => !present.has(packageId))
  return [...changed, ...gone.map((before) => ({ name: before.name, before, now: null }))]
}

/** 2026-014 after 2026-013; each year begins anew. */
export function nextNumber(year: string, last: string | null): string {
  const count = last?.startsWith(`${year}-`) ? Number(last.slice(year.length + 1)) : 0
  return `${year}-${String(count + 1).padStart(3, "0")}`
}

export type TypedAdded = Readonly<Record<"what" | "text" | "amount" | "currency", string>>

/** What is typed into a draft. */
export interface StatementDraft extends Pick<StatementBody, "from" | "to" | "reference"> {
  /** Package ids of lines of which more than booked counts. */
  readonly countAll: readonly string[]
  readonly added: readonly TypedAdded[]
}

/** The lines of which more than booked counts. */
export const countedWhole = (body: StatementBody | null | undefined): string[] =>
  (body?.lines ?? []).flatMap(({ countsAll, packageId }) => (countsAll ? packageId : []))

/** A new one is as the statement before; else in the names of both. */
export function firstDraft(all: readonly Stated[], names: Pick<StatementBody, "from" | "to">): StatementDraft {
  const before = statementsInForce(all)[0]?.body
  if (before == null) return { ...names, reference: "", countAll: [], added: [] }
  const { from, to, reference } = before
  const signed = (amount: string) => typedMoney(amount.startsWith("-") ? amount : `+${amount}`)
  const added = before.added.map((line) => ({ ...line, amount: signed(line.amount) }))
  return { from, to, reference, countAll: countedWhole(before), added }
}

/** The lines added by hand, and what is wrong with a draft: at the names of fields, with the place of the line behind. */
export function readDraft({ from, to, reference, added }: StatementDraft) {
  const read = added.map(readAdded)
  const wrong = read.flatMap((line, place) => (Array.isArray(line) ? [[`${line[0]}_${place}`, line[1]]] : []))
  const texts = { ...textErrors("from", from), ...textErrors("to", to), ...textErrors("reference", reference) }
  const errors: Readonly<Record<string, string>> = { ...texts, ...Object.fromEntries(wrong) }
  return { added: read.flatMap((line) => (Array.isArray(line) ? [] : line)), errors }
}

const TEXT_CHARACTERS_MAX = 200

/** A line, or the field that is wrong and why. The sign has to be typed where it matters: a discount is less. */
function readAdded({ what, text, amount, currency }: TypedAdded): AddedLine | [field: keyof TypedAdded, why: string] {
  if (!Object.hasOwn(ADDED_KINDS, what)) return ["what", "Choose what it is."]
  if (text.length > TEXT_CHARACTERS_MAX) return ["text", `Write at most ${TEXT_CHARACTERS_MAX} characters.`]
  if (!/^[A-Z]{3}$/.test(currency)) return ["currency", "Three capital letters, such as EUR."]
  const [, sign = "", number = ""] = /^([-+−–]?)\s*(.*)$/s.exec(amount.trim()) ?? []
  const read = readNumber(number, moneyIn(currency))
  if (!read.ok) return ["amount", read.message]
  if (what === "discount" && sign === "" && read.value > 0)
    return ["amount", `Write −${number} for less, or +${number} for more.`]
  const coins = inCoins(read.digits, currency)
  if (compare(coins, read.digits) !== 0) return ["amount", `The smallest coin of ${currency} is ${coinOf(currency)}.`]
  const isLess = sign !== "" && sign !== "+" && compare(coins, 0) !== 0
  return { what: what as AddedKind, text, amount: isLess ? `-${coins}` : coins, currency }
}
