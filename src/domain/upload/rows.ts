import type { PackageId, PricingBasis } from "../campaign/line.ts"
import type { PacedLine } from "../campaign/line-state.ts"
import { isCurrency } from "../money.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import { type DateOrder, readTypedDay, type TypedDay } from "../time/typed-day.ts"
import { type DecimalMark, markShownBy, type ReadNumber, readNumber } from "../typed-number.ts"
import { cellOf, type NameAnswer, type Reading, type Row } from "./upload.ts"

/** A column whose cells are read in the same way, because one cell proves how the others are meant. */
interface ReadColumn<Value> {
  read(row: Row): Value
  /** The first cell that can be read in two ways, in words. Null if there is none. */
  readonly open: string | null
}

/** Reads days. Other days of the column, or else an answer, decide which number of 02/11/2026 is the day. */
export function dayColumn(
  rows: readonly Row[],
  column: number | undefined,
  answer: DateOrder | null,
  timeZone: TimeZone,
): ReadColumn<TypedDay> {
  const cells = cellsOf(rows, column)
  const readAs = (order: DateOrder | null) => remembered((text) => readTypedDay(text, order, timeZone))
  const unordered = readAs(null)
  const orders = new Set<DateOrder>()
  for (const text of cells) {
    const read = unordered(text)
    if ("order" in read && read.order !== null) orders.add(read.order)
  }
  const order = onlyOne(orders) ?? answer
  const read = order === null ? unordered : readAs(order)
  return { read: (row) => read(cellOf(row, column)), open: firstProblem(rows, column, read) }
}

interface NumberColumn {
  readonly isWhole: boolean
  readonly keepsDigits?: boolean
  /** Whether the sign or the code of a currency may be around the numbers. */
  readonly isMoney?: boolean
}

/** Reads numbers. Other numbers of the column, or else an answer, decide whether 1.000 is a thousand or one. */
export function numberColumn(
  rows: readonly Row[],
  column: number | undefined,
  answer: DecimalMark | null,
  { isWhole, keepsDigits = false, isMoney = false }: NumberColumn,
): ReadColumn<ReadNumber> {
  const marks = new Set<DecimalMark>()
  const cells = cellsOf(rows, column)
  const withoutCurrency = isMoney ? removerOfCurrency(cells) : (text: string) => text
  for (const text of cells) {
    const mark = markShownBy(withoutCurrency(text), isWhole)
    if (mark !== null) marks.add(mark)
  }
  const mark = onlyOne(marks) ?? answer ?? undefined
  const read = remembered((cell) => {
    const text = withoutCurrency(cell)
    // If all whole numbers of a column end in .000, or if they contradict each other, they can mean either.
    const asDecimal = readNumber(text, { isWhole: false, mark, keepsDigits })
    const isOpen = "error" in asDecimal && asDecimal.readings !== undefined
    return isOpen ? asDecimal : readNumber(text, { isWhole, mark, keepsDigits })
  })
  return { read: (row) => read(cellOf(row, column)), open: firstProblem(rows, column, read) }
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

const onlyOne = <Value>(values: ReadonlySet<Value>): Value | null =>
  values.size === 1 ? ([...values][0] ?? null) : null

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

function firstProblem(
  rows: readonly Row[],
  column: number | undefined,
  read: (text: string) => TypedDay | ReadNumber,
): string | null {
  if (column === undefined) return null
  for (const row of rows) {
    const value = read(cellOf(row, column))
    if ("error" in value && value.readings !== undefined)
      return `${cellOf(row, column)} in row ${row.number} can mean ${value.readings.join(" or ")}.`
  }
  return null
}

/** A figure of one row. The problem says why it can't be counted. */
type Figure = { readonly quantity: number } | { readonly problem: string } | "empty"

/** A row of a delivery file. */
export interface DeliveryRow {
  readonly number: number
  /** The text in the column of the line. Empty if all rows are of one line. */
  readonly name: string
  readonly asOf: CalendarDate | Moment | undefined
  /** The day of a time, for figures of days. */
  readonly day: CalendarDate | undefined
  readonly dayProblem: string | undefined
  readonly figure: (basis: PricingBasis) => Figure
  readonly hasFigure: boolean
  /** Whether it says that it's a sum of other rows. */
  readonly isSum: boolean
  /** Whether it has more cells than the headings. Then any cell may be in the wrong column. */
  readonly isLong: boolean
}

export interface RowReader {
  read(row: Row): DeliveryRow
  readonly openDays: string | null
  readonly openNumbers: string | null
}

export const TOO_LONG =
  "This row has more cells than the headings. A number with a comma needs quotation marks around it."

/** Whether a row has more cells than the headings. Some systems end each row with a separator. */
export const isLongerThan = (headings: readonly string[], { cells }: Row): boolean =>
  cells.length > headings.length && cells.slice(headings.length).some((cell) => cell.trim() !== "")

/** Whether a cell says that its row is a sum of others. Other words may be names. */
export const saysSum = (text: string): boolean => SUM.test(text.trim())

const SUM = /^(?:grand )?(?:totals?|summe|gesamt|gesamtsumme|somme|suma) ?:?$/i

/** Reads the rows of a delivery file. */
export function deliveryRowReader(
  rows: readonly Row[],
  headings: readonly string[],
  reading: Reading,
  timeZone: TimeZone,
): RowReader {
  const { columns, dayOrder, decimalMark } = reading
  const days = dayColumn(rows, columns.day, dayOrder, timeZone)
  const impressions = numberColumn(rows, columns.impressions, decimalMark, { isWhole: true })
  const downloads = numberColumn(rows, columns.downloads, decimalMark, { isWhole: false })

  function figureOf(row: Row, basis: PricingBasis): Figure {
    if (basis === "flat_rate") return hasFigure(row) ? { quantity: 0 } : "empty"
    if (cellOf(row, columns[basis]) === "") return "empty"
    const read = (basis === "impressions" ? impressions : downloads).read(row)
    return "error" in read ? { problem: read.error } : { quantity: read.value }
  }

  const hasFigure = (row: Row) => cellOf(row, columns.impressions) !== "" || cellOf(row, columns.downloads) !== ""

  function read(row: Row): DeliveryRow {
    const day = columns.day === undefined ? undefined : days.read(row)
    const asOf = day === undefined || "error" in day ? undefined : day.asOf
    const isDayEmpty = columns.day !== undefined && cellOf(row, columns.day) === ""
    return {
      number: row.number,
      name: cellOf(row, columns.line),
      asOf,
      day: typeof asOf === "number" ? dayOf(asOf, timeZone) : asOf,
      dayProblem: isDayEmpty ? "This row has no day." : day !== undefined && "error" in day ? day.error : undefined,
      figure: (basis) => figureOf(row, basis),
      hasFigure: hasFigure(row),
      // In a file of one line, any other cell may be a name that begins with such a word.
      isLong: isLongerThan(headings, row),
      isSum: columns.line === undefined ? saysSum(cellOf(row, columns.day)) : row.cells.some(saysSum),
    }
  }

  return { read, openDays: days.open, openNumbers: impressions.open ?? downloads.open }
}

/** A line of the seller, as files know it. */
export interface FileLine extends PacedLine {
  readonly id: number
  readonly packageId: PackageId
  readonly name: string
  /** The seller's own ID. */
  readonly externalId: string | null
}

/** The line that a text in a file stands for. Null if there is none, or more than one. */
export type LineFinder = (text: string) => FileLine | null

/**
 * Finds lines by their ID, by the seller's own ID, by their name in any case, and by what people answered for a name.
 * Similar names aren't matched.
 */
export function lineFinder(lines: readonly FileLine[], answers: ReadonlyMap<string, NameAnswer>): LineFinder {
  const byPackageId = new Map(lines.map((line) => [line.packageId, line]))
  const byOwnId = Map.groupBy(lines, ({ externalId }) => externalId ?? "")
  const byName = Map.groupBy(lines, ({ name }) => name.toLowerCase())
  const found = new Map<string, FileLine | null>()

  function find(text: string): FileLine | null {
    // An answer takes precedence, because it also settles which of two lines with the same name is meant.
    const answered = byPackageId.get(answers.get(text) ?? "")
    if (answered !== undefined) return answered
    const lowerCase = text.toLowerCase()
    const candidates = new Set([
      ...[byPackageId.get(lowerCase) ?? []].flat(),
      ...(byOwnId.get(text) ?? []),
      ...(byName.get(lowerCase) ?? []),
    ])
    const [only] = candidates
    return candidates.size === 1 && only !== undefined ? only : null
  }

  return (text) => {
    if (text === "") return null
    return found.getOrInsertComputed(text, () => find(text))
  }
}
