import { isCurrency } from "../money.ts"
import type { TimeZone } from "../time/time-zone.ts"
import { type DateOrder, readTypedDay, type TypedDay } from "../time/typed-day.ts"
import { type DecimalMark, markShownBy, type ReadNumber, readNumber } from "../typed-number.ts"
import { cellOf, type Row } from "./upload.ts"

/** The questions to answer before the file can be read, in words. */
export interface OpenCells {
  readonly days: string | null
  readonly numbers: string | null
  /** Whether an answer for an earlier file doesn't fit this one. */
  readonly isContradicted: boolean
}

/** A column whose cells are read in the same way, because one cell proves how the others are meant. */
interface ReadColumn<Value> {
  read(row: Row): Value
  /** The first cell that can be read in two ways, or why an earlier answer doesn't fit. */
  readonly open: string | null
  readonly isContradicted: boolean
}

/** How the cells of a file are written, as a person answered for this file or an earlier one. */
export interface Style {
  readonly dayOrder: DateOrder | null
  readonly decimalMark: DecimalMark | null
  readonly isRemembered: boolean
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
  return columnOf({
    rows,
    column,
    answer: dayOrder,
    isRemembered,
    shown,
    shownElsewhere: shown,
    names: { day_first: "the day first", month_first: "the month first" },
    isUnlikely: () => false,
    readAs: (order) => remembered((text) => readTypedDay(text, order, timeZone)),
  })
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
  const withoutCurrency = kind === "money" ? removerOfCurrency(cellsOf(rows, column)) : (text: string) => text
  return columnOf({
    rows,
    column,
    answer: decimalMark,
    isRemembered,
    shown: (text) => markShownBy(withoutCurrency(text), isWhole),
    shownElsewhere: (text) => markShownBy(text.replace(/[\s%\p{Sc}]/gu, ""), false),
    names: { ".": "a decimal point", ",": "a decimal comma" },
    // Counts hardly have decimals, but the next export may well have thousands.
    isUnlikely: (text, mark) => kind !== "money" && text.includes(mark),
    readAs: (mark) =>
      remembered((cell) => {
        const [text, known] = [withoutCurrency(cell), mark ?? undefined]
        // If all whole numbers of a column end in .000, or if they contradict each other, they can mean either.
        const asDecimal = readNumber(text, { isWhole: false, mark: known, keepsDigits })
        return isOpen(asDecimal) ? asDecimal : readNumber(text, { isWhole, mark: known, keepsDigits })
      }),
  })
}

interface ColumnFacts<Answer extends string, Value> {
  readonly rows: readonly Row[]
  readonly column: number | undefined
  readonly answer: Answer | null
  readonly isRemembered: boolean
  /** What a cell of the column shows, and what a cell of another column does. Null if it fits both. */
  readonly shown: (text: string) => Answer | null
  readonly shownElsewhere: (text: string) => Answer | null
  readonly names: Readonly<Record<Answer, string>>
  /** Whether an answer for an earlier file would turn an ambiguous cell into an unlikely value. */
  readonly isUnlikely: (text: string, answer: Answer) => boolean
  readonly readAs: (answer: Answer | null) => (text: string) => Value
}

/** What the cells of a column show takes precedence over answers. */
function columnOf<Answer extends string, Value extends TypedDay | ReadNumber>(
  facts: ColumnFacts<Answer, Value>,
): ReadColumn<Value> {
  const { rows, column, answer, shown, readAs } = facts
  if (column === undefined) return { read: () => readAs(null)(""), open: null, isContradicted: false }
  const own = proofsIn(rows, (each) => each === column, remembered(shown))
  const unanswered = readAs(onlyOne(own))
  const misfit = answer === null || !facts.isRemembered ? null : whyAskAgain(facts, { own, unanswered, column, answer })
  const read = answer === null || misfit !== null ? unanswered : readAs(onlyOne(own) ?? answer)
  return {
    read: (row) => read(cellOf(row, column)),
    open: misfit ?? firstOpenCell(rows, column, read),
    isContradicted: misfit !== null,
  }
}

interface AnsweredBefore<Answer extends string, Value> {
  readonly own: ReadonlyMap<Answer, string>
  readonly unanswered: (text: string) => Value
  readonly column: number
  readonly answer: Answer
}

/** Why an answer for an earlier file can't be applied to this one. Null if it can. */
function whyAskAgain<Answer extends string, Value extends TypedDay | ReadNumber>(
  { rows, names, isUnlikely, shownElsewhere }: ColumnFacts<Answer, Value>,
  { own, unanswered, column, answer }: AnsweredBefore<Answer, Value>,
): string | null {
  const openCell = firstOpenCell(rows, column, unanswered)
  if (own.size > 1 || (own.size === 0 && openCell === null)) return openCell
  const elsewhere = () => proofsIn(rows.slice(0, ROWS_COMPARED), (each) => each !== column, remembered(shownElsewhere))
  const proofs = own.size === 1 ? own : elsewhere()
  const proof = onlyOne(proofs)
  if (proof !== null && proof !== answer) return `${proofs.get(proof)} only fits ${names[proof]}.`
  return firstOpenCell(rows, column, unanswered, (text) => isUnlikely(text, answer))
}

const ROWS_COMPARED = 1_000

/** What the cells of some columns show, each with the first cell that shows it. */
function proofsIn<Answer>(
  rows: readonly Row[],
  isMeant: (column: number) => boolean,
  shown: (text: string) => Answer | null,
): Map<Answer, string> {
  const proofs = new Map<Answer, string>()
  for (const { number, cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      const answer = isMeant(column) ? shown(cell.trim()) : null
      if (answer !== null) proofs.getOrInsert(answer, `${cell.trim()} in row ${number}`)
    }
  }
  return proofs
}

const onlyOne = <Value>(proofs: ReadonlyMap<Value, string>): Value | null =>
  proofs.size === 1 ? ([...proofs.keys()][0] ?? null) : null

const isOpen = (value: TypedDay | ReadNumber): boolean => "error" in value && value.readings !== undefined

/** The first cell with two readings, in words. */
function firstOpenCell(
  rows: readonly Row[],
  column: number,
  read: (text: string) => TypedDay | ReadNumber,
  isMeant = (_text: string) => true,
): string | null {
  for (const row of rows) {
    const text = cellOf(row, column)
    const value = read(text)
    if ("error" in value && value.readings !== undefined && isMeant(text))
      return `${text} in row ${row.number} can mean ${value.readings.join(" or ")}.`
  }
  return null
}

const CURRENCY_BEFORE = /^([A-Z]{3}|[A-Z]{0,2}\p{Sc})\s?(?=\d)/u
const CURRENCY_AFTER = /(?<=\d)\s?([A-Z]{3}|[A-Z]{0,2}\p{Sc})$/u

/** Removes the currency of the first amount that has one. Amounts in other currencies stay as they are: their sum means nothing. */
function removerOfCurrency(cells: ReadonlySet<string>): (text: string) => string {
  const currencyOf = (text: string) => (CURRENCY_BEFORE.exec(text) ?? CURRENCY_AFTER.exec(text))?.[1] ?? ""
  const isKnown = (currency: string) => /\p{Sc}$/u.test(currency) || isCurrency(currency)
  const currency = [...cells].map(currencyOf).find(isKnown)
  return (text) =>
    currency === undefined || currencyOf(text) !== currency
      ? text
      : text.replace(CURRENCY_BEFORE.test(text) ? CURRENCY_BEFORE : CURRENCY_AFTER, "")
}

/** The different texts of a column. */
const cellsOf = (rows: readonly Row[], column: number | undefined): Set<string> =>
  new Set(column === undefined ? [] : rows.map((row) => cellOf(row, column)))

const CELLS_REMEMBERED_MAX = 10_000

/** The same days and numbers come again and again. */
function remembered<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = read(text)
    if (known.size < CELLS_REMEMBERED_MAX) known.set(text, value)
    return value
  }
}

/** What is open in a column of days, and in columns of numbers. */
export function openCells(days: ReadColumn<TypedDay>, numbers: readonly ReadColumn<ReadNumber>[]): OpenCells {
  const isContradicted = [days, ...numbers].some((column) => column.isContradicted)
  const first = numbers.find(({ isContradicted }) => isContradicted) ?? numbers.find(({ open }) => open !== null)
  return { days: days.open, numbers: first?.open ?? null, isContradicted }
}
