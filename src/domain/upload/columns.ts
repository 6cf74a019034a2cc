import { isCurrency } from "../money.ts"
import type { TimeZone } from "../time/time-zone.ts"
import { type DateOrder, readTypedDay, type TypedDay } from "../time/typed-day.ts"
import { type DecimalMark, markShownBy, type ReadNumber, readNumber } from "../typed-number.ts"
import { cellOf, type Row } from "./upload.ts"

/** How the cells of a file are written, as a person answered for this file or an earlier one. */
export interface Style {
  readonly dayOrder: DateOrder | null
  readonly decimalMark: DecimalMark | null
  readonly isRemembered: boolean
}

/** A column whose cells are read in the same way, because one cell shows how the others are meant. */
interface ReadColumn<Value> {
  read(row: Row): Value
  /** The first cell that still has two readings, in words. */
  readonly open: string | null
}

/** Reads days. Other days of the column, or else an answer, decide which number of 02/11/2026 is the day. */
export function dayColumn(
  rows: readonly Row[],
  column: number | undefined,
  { dayOrder, isRemembered }: Style,
  timeZone: TimeZone,
): ReadColumn<TypedDay> {
  const shown = (text: string) => {
    const day = readTypedDay(text, null, timeZone)
    return "order" in day ? day.order : null
  }
  const { style } = styleOf(rows, column, { answer: dayOrder, isRemembered, shown, shownElsewhere: shown })
  return readColumn(rows, column, (text) => readTypedDay(text, style, timeZone))
}

/** Whole numbers such as impressions, numbers that may have a fraction such as downloads, or amounts of one currency. */
type NumberKind = "whole" | "fraction" | "money"

/** Reads numbers. Other numbers of the column, or else an answer, decide whether 1.000 is a thousand or one. */
export function numberColumn(
  rows: readonly Row[],
  column: number | undefined,
  { decimalMark, isRemembered }: Style,
  kind: NumberKind,
): ReadColumn<ReadNumber> {
  const isWhole = kind === "whole"
  const keepsDigits = kind === "money"
  const currency = keepsDigits ? currencyOf(rows, column) : null
  const withoutCurrency = (text: string) => (currency === null ? text : removeCurrency(text, currency))
  const { style, isCertain } = styleOf(rows, column, {
    answer: decimalMark,
    isRemembered,
    shown: (text) => markShownBy(withoutCurrency(text), isWhole),
    shownElsewhere: (text) => markShownBy(text.replace(/[\s%\p{Sc}]/gu, ""), false),
  })
  return readColumn(rows, column, (cell) => {
    const text = withoutCurrency(cell)
    // Counts hardly have decimals, so an answer for an earlier file doesn't make decimals of what may be thousands.
    const isUnlikely = !isCertain && kind !== "money" && style !== null && text.includes(style)
    const mark = isUnlikely ? undefined : (style ?? undefined)
    // If all whole numbers of a column end in .000, or if they contradict each other, they can mean either.
    const asDecimal = readNumber(text, { isWhole: false, mark, keepsDigits })
    return readingsOf(asDecimal) === undefined ? readNumber(text, { isWhole, mark, keepsDigits }) : asDecimal
  })
}

interface StyleFacts<Answer> {
  readonly answer: Answer | null
  readonly isRemembered: boolean
  /** What a cell of the column shows, and what a cell of another column does. Null if it fits both. */
  readonly shown: (text: string) => Answer | null
  readonly shownElsewhere: (text: string) => Answer | null
}

const ROWS_COMPARED = 1_000

/**
 * How a column is written: as its cells show, or else as somebody answered. An answer for an earlier file isn't certain, and
 * doesn't apply if anything in this one is written differently.
 */
function styleOf<Answer>(
  rows: readonly Row[],
  column: number | undefined,
  { answer, isRemembered, shown, shownElsewhere }: StyleFacts<Answer>,
): { readonly style: Answer | null; readonly isCertain: boolean } {
  const own = answersIn(textsIn(rows, column), shown)
  const [first = null] = own
  const proven = own.size === 1 ? first : null
  if (answer === null || !isRemembered) return { style: proven ?? answer, isCertain: true }
  const otherTexts = () => rows.slice(0, ROWS_COMPARED).flatMap(({ cells }) => cells.filter((_, i) => i !== column))
  const found = own.size > 0 ? own : answersIn(new Set(otherTexts()), shownElsewhere)
  const isDifferent = own.size > 1 || (found.size === 1 && !found.has(answer))
  return { style: isDifferent ? null : answer, isCertain: proven === answer }
}

function answersIn<Answer>(texts: ReadonlySet<string>, shown: (text: string) => Answer | null): Set<Answer> {
  const answers = [...texts].map((text) => shown(text.trim()))
  return new Set(answers.filter((answer) => answer !== null))
}

function readColumn<Value extends TypedDay | ReadNumber>(
  rows: readonly Row[],
  column: number | undefined,
  readText: (text: string) => Value,
): ReadColumn<Value> {
  // The same days and numbers come again and again.
  const known = new Map<string, Value>()
  const read = (row: Row) => known.getOrInsertComputed(cellOf(row, column), readText)
  const open = column === undefined ? undefined : rows.find((row) => readingsOf(read(row)) !== undefined)
  if (open === undefined) return { read, open: null }
  const readings = readingsOf(read(open))?.join(" or ")
  return { read, open: `${cellOf(open, column)} in row ${open.number} can mean ${readings}.` }
}

const readingsOf = (value: TypedDay | ReadNumber) => ("error" in value ? value.readings : undefined)

/** The different texts of a column. */
const textsIn = (rows: readonly Row[], column: number | undefined): Set<string> =>
  new Set(column === undefined ? [] : rows.map((row) => cellOf(row, column)))

const CURRENCY_BEFORE = /^([A-Z]{3}|[A-Z]{0,2}\p{Sc})\s?(?=\d)/u
const CURRENCY_AFTER = /(?<=\d)\s?([A-Z]{3}|[A-Z]{0,2}\p{Sc})$/u

const matchOfCurrency = (text: string) => CURRENCY_BEFORE.exec(text) ?? CURRENCY_AFTER.exec(text)

/** The currency of the first amount that has one. Null if none has. */
export function currencyOf(rows: readonly Row[], column: number | undefined): string | null {
  const isKnown = (currency: string) => /\p{Sc}$/u.test(currency) || isCurrency(currency)
  const currencies = [...textsIn(rows, column)].map((text) => matchOfCurrency(text)?.[1] ?? "")
  return currencies.find(isKnown) ?? null
}

/** Removes a currency from an amount. Amounts in other currencies stay as they are: their sum means nothing. */
function removeCurrency(text: string, currency: string): string {
  const [found = "", name] = matchOfCurrency(text) ?? []
  return name === currency ? text.replace(found, "") : text
}
