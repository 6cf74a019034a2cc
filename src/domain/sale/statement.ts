import { maskKeys } from "../api-key.ts"
import type { LineFields } from "../campaign/line.ts"
import { worthOf } from "../campaign/value.ts"
import { type Errors, errorsIn, hasErrors } from "../errors.ts"
import { type Coins, coinProblem, costOf, isCurrency, percentOf } from "../money.ts"
import { type CalendarDate, dayBefore, type Moment } from "../time/moment.ts"
import { readNumber } from "../typed-number.ts"
import { noteProblem } from "./read-order.ts"

/** A line with its delivery at the end of the last day of a statement. */
export interface StatedLine extends Pick<LineFields, "name" | "pricingBasis" | "booked" | "rate" | "currency"> {
  readonly lineId: number
  readonly packageId: string
  readonly campaign: string
  /** Null if nothing was measured by then. */
  readonly delivered: { readonly quantity: number; readonly asOf: Moment } | null
}

/** The amount in earlier statements of a line. */
export interface Stated {
  readonly lineId: number
  readonly currency: string
  readonly coins: Coins
  /** The last day that they cover. */
  readonly through: CalendarDate
}

/** One row of a statement: the value so far, minus the amounts of earlier statements. */
export interface StatementRow extends Omit<StatedLine, "currency"> {
  readonly currency: string
  readonly value: Coins
  readonly earlier: Coins
  readonly coins: Coins
}

/** A row that the seller added by hand. */
export interface AddedRow {
  readonly text: string
  readonly currency: string
  readonly coins: Coins
}

/** A sum in one currency. */
export interface Sum {
  readonly currency: string
  readonly coins: Coins
}

/** What is printed. It never changes. */
export interface StatementBody {
  readonly seller: { readonly name: string; readonly address: string }
  readonly buyer: { readonly name: string; readonly address: string }
  readonly timeZone: string
  readonly rows: readonly StatementRow[]
  readonly added: readonly AddedRow[]
  readonly note: string
  readonly sums: readonly Sum[]
}

/**
 * Each line's value through a day, minus the amounts of its earlier statements. A later correction or a new rate shows
 * up as a plus or a minus. `overBilled` has the rows of earlier statements that billed over-delivery, the newest last:
 * it stays billed.
 */
export function statementRows(
  lines: readonly StatedLine[],
  earlier: readonly Stated[],
  billsOverDelivery: boolean,
  overBilled: readonly StatementRow[],
): StatementRow[] {
  const statedBefore = Map.groupBy(earlier, ({ lineId }) => lineId)
  return lines.flatMap((line) => {
    const { currency } = line
    const stated = statedBefore.get(line.lineId) ?? []
    const before = stated.find((each) => each.currency === currency)?.coins ?? 0
    const booked = bookedValue(line)
    const billed = overBilled.findLast((row) => row.lineId === line.lineId && row.currency === currency)
    const limit = billsOverDelivery ? Number.POSITIVE_INFINITY : Math.max(booked, billed?.value ?? 0)
    const value = Math.min(wholeValue(line), limit)
    // If the currency of a line changed, the amount stated in the old one is credited.
    const credits = stated.filter((each) => each.currency !== currency)
    return [
      ...(currency === null ? [] : [{ ...line, currency, value, earlier: before, coins: value - before }]),
      ...credits.map(({ currency, coins }) => ({
        ...{ ...line, rate: null, booked: null, delivered: null },
        ...{ currency, value: 0, earlier: coins, coins: -coins },
      })),
    ]
  })
}

type DeliveredLine = Omit<StatedLine, "lineId" | "packageId">

/** The value of everything delivered, over-delivery included. */
const wholeValue = (line: DeliveredLine): Coins => bookedValue({ ...line, booked: null })

/** The value of what was delivered, up to the booked quantity. */
const bookedValue = (line: DeliveredLine): Coins => worthOf(line, line.delivered?.quantity ?? 0) ?? 0

/** Whether over-delivery was billed with this row. */
export const billsBeyondBooked = (row: StatementRow): boolean => row.value > bookedValue(row)

/** Whether earlier statements may have billed over-delivery that this row would take back. */
export const isOverDelivered = (row: StatementRow): boolean =>
  row.earlier !== 0 && row.coins !== 0 && wholeValue(row) > row.value

/** The sum of each currency. Amounts in two currencies have no sum. */
export function sumsOf(amounts: readonly Sum[]): Sum[] {
  const sums = new Map<string, Coins>()
  for (const { currency, coins } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + coins)
  return [...sums]
    .map(([currency, coins]) => ({ currency, coins }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** "2026-014" after "2026-013". Numbering restarts each year. */
export function nextNumber(year: string, last: string | null): string {
  const count = last?.startsWith(`${year}-`) ? Number(last.slice(year.length + 1)) : 0
  return `${year}-${String(count + 1).padStart(3, "0")}`
}

/** A row as it's typed: the amount is money with a sign, or a percentage of the sum. */
export interface TypedRow {
  readonly text: string
  readonly amount: string
  readonly currency: string
}

/**
 * Reads the rows that the seller added, and leaves out wrong ones. Errors name the field and the place of the row:
 * "amount.0".
 */
export function readAdded(typed: readonly TypedRow[], sums: readonly Sum[]) {
  const added: AddedRow[] = []
  const errors: Record<string, string> = {}
  for (const [i, row] of typed.entries()) {
    if (row.text === "" && row.amount === "") continue
    const read = readRow(row, sums)
    if ("row" in read) added.push(read.row)
    else for (const [field, error] of Object.entries(read.errors)) errors[`${field}.${i}`] = error
  }
  return { added, errors }
}

const SIGNED = /^([-−–+])?\s*(.*?)\s*(%)?$/s

function readRow(
  { text, amount, currency }: TypedRow,
  sums: readonly Sum[],
): { readonly row: AddedRow } | { readonly errors: Errors } {
  const [, sign = "", number = "", percent] = SIGNED.exec(amount.trim()) ?? []
  const isMoney = percent === undefined
  const read = readNumber(number, isMoney ? { isWhole: false, currency } : { isWhole: false })
  const errors = errorsIn({
    text: text === "" ? "Say what it’s for." : noteProblem(text),
    amount: "error" in read ? read.error : signProblem(sign, isMoney ? number : `${number} %`),
    currency: isCurrency(currency) ? undefined : "Enter a currency, such as EUR.",
  })
  if (hasErrors(errors) || "error" in read) return { errors }
  const whole = sums.find((sum) => sum.currency === currency)?.coins ?? 0
  const nothing = whole === 0 ? `Nothing in ${currency} is billed, so a percentage of it is nothing.` : undefined
  const problem = isMoney ? coinProblem(read.value, currency) : nothing
  if (problem !== undefined) return { errors: { amount: problem } }
  const coins = isMoney ? costOf(1, read.value, 1, currency) : percentOf(whole, read.value)
  return { row: { text: maskKeys(text), currency, coins: sign === "+" ? coins : -coins } }
}

/** A discount and a surcharge look alike, so the sign must be typed. */
const signProblem = (sign: string, amount: string): string | undefined =>
  sign === "" ? `Write −${amount} for less, or +${amount} for more.` : undefined

/** "2025-12" before "2026-01". */
export const monthBefore = (month: string): string => dayBefore(`${month}-01`).slice(0, 7)

/** The last day of a month: "2026-10" becomes "2026-10-31". */
export const lastDayOf = (month: string): CalendarDate =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10)
