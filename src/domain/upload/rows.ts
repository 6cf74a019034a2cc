import type { PackageId, PricingBasis } from "../campaign/line.ts"
import type { PacedLine } from "../campaign/line-state.ts"
import { isCurrency } from "../money.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import { type DateOrder, readTypedDay, type TypedDay } from "../time/typed-day.ts"
import { type DecimalMark, markShownBy, type ReadNumber, readNumber } from "../typed-number.ts"
import { cellOf, type NameAnswer, type Reading, type Row } from "./upload.ts"

/** What can't be read before somebody answers, in words. */
export interface OpenCells {
  readonly days: string | null
  readonly numbers: string | null
  /** Whether the values show something else than was answered for an earlier file. */
  readonly isContradicted: boolean
}

/** A column whose cells are read in the same way, because one cell proves how the others are meant. */
interface ReadColumn<Value> {
  read(row: Row): Value
  /** The first cell that can be read in two ways, or that shows something else than was answered. */
  readonly open: string | null
  readonly isContradicted: boolean
}

/** How the cells of a file are written, as somebody answered for this file or an earlier one. */
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
  const readAs = (order: DateOrder | null) => remembered((text) => readTypedDay(text, order, timeZone))
  const shown = (text: string) => {
    const day = readTypedDay(text, null, timeZone)
    return "order" in day ? day.order : null
  }
  const names = { day_first: "the day first", month_first: "the month first" }
  return columnOf({ rows, column, answer: dayOrder, isRemembered, shown, shownElsewhere: shown, names, readAs })
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
  { decimalMark, isRemembered }: Style,
  { isWhole, keepsDigits = false, isMoney = false }: NumberColumn,
): ReadColumn<ReadNumber> {
  const withoutCurrency = isMoney ? removerOfCurrency(cellsOf(rows, column)) : (text: string) => text
  const readAs = (mark: DecimalMark | null) =>
    remembered((cell) => {
      const [text, known] = [withoutCurrency(cell), mark ?? undefined]
      // If all whole numbers of a column end in .000, or if they contradict each other, they can mean either.
      const asDecimal = readNumber(text, { isWhole: false, mark: known, keepsDigits })
      const isOpen = "error" in asDecimal && asDecimal.readings !== undefined
      return isOpen ? asDecimal : readNumber(text, { isWhole, mark: known, keepsDigits })
    })
  const shown = (text: string) => markShownBy(withoutCurrency(text), isWhole)
  const shownElsewhere = (text: string) => markShownBy(text.replace(/[\s%\p{Sc}]/gu, ""), false)
  const names = { ".": "a decimal point", ",": "a decimal comma" }
  return columnOf({ rows, column, answer: decimalMark, isRemembered, shown, shownElsewhere, names, readAs })
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
  readonly readAs: (answer: Answer | null) => (text: string) => Value
}

/** What the cells of a column show takes precedence. If it's something else than was remembered, somebody must answer again. */
function columnOf<Answer extends string, Value extends TypedDay | ReadNumber>(
  facts: ColumnFacts<Answer, Value>,
): ReadColumn<Value> {
  const { rows, column, answer, isRemembered, shown, names, readAs } = facts
  if (column === undefined) return { read: () => readAs(null)(""), open: null, isContradicted: false }
  const own = proofsIn(rows, (each) => each === column, remembered(shown))
  const unanswered = readAs(onlyOne(own))
  const openCell = firstProblem(rows, column, unanswered)
  if (answer === null) return { read: (row) => unanswered(cellOf(row, column)), open: openCell, isContradicted: false }
  const proofs =
    own.size > 0 || openCell === null
      ? own
      : proofsIn(rows.slice(0, ROWS_COMPARED), (each) => each !== column, remembered(facts.shownElsewhere))
  const proof = onlyOne(proofs)
  const isOther = isRemembered && (own.size > 1 ? openCell !== null : proof !== null && proof !== answer)
  const read = own.size > 1 && isRemembered ? unanswered : readAs(onlyOne(own) ?? answer)
  const other = proof === null ? openCell : `${proofs.get(proof)} only fits ${names[proof]}.`
  return {
    read: (row) => read(cellOf(row, column)),
    open: isOther ? other : firstProblem(rows, column, read),
    isContradicted: isOther,
  }
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

const onlyOne = <Value>(proofs: ReadonlyMap<Value, string>): Value | null =>
  proofs.size === 1 ? ([...proofs.keys()][0] ?? null) : null

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
  column: number,
  read: (text: string) => TypedDay | ReadNumber,
): string | null {
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
  readonly open: OpenCells
}

export const TOO_LONG =
  "This row has more cells than the headings. A number with a comma needs quotation marks around it."

/** Whether a row has more cells than the headings. Some systems end each row with a separator. */
export const isLongerThan = (headings: readonly string[], { cells }: Row): boolean =>
  cells.length > headings.length && cells.slice(headings.length).some((cell) => cell.trim() !== "")

/** Whether a cell says that its row is a sum of others. Other words may be names. */
export const saysSum = (text: string): boolean => SUM.test(text.trim())

const SUM = new RegExp(
  "^(?:(?:grand |overall |sub-?|sous-|eind)?(?:total[est]?|totaux|totaal)(?: (?:g[ée]n[ée]ral[e]?|geral|complessivo|final))?" +
    "|(?:gesamt|zwischen|end)?summe|gesamt(?:ergebnis)?|insgesamt|somme|suma|soma|sum|overall) ?:?$",
  "iu",
)

/** Reads the rows of a delivery file. */
export function deliveryRowReader(
  rows: readonly Row[],
  headings: readonly string[],
  columns: Reading["columns"],
  style: Style,
  timeZone: TimeZone,
): RowReader {
  const days = dayColumn(rows, columns.day, style, timeZone)
  const impressions = numberColumn(rows, columns.impressions, style, { isWhole: true })
  const downloads = numberColumn(rows, columns.downloads, style, { isWhole: false })

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

  return { read, open: openCells(days, [impressions, downloads]) }
}

/** What is open in a column of days, and in columns of numbers. */
export function openCells(days: ReadColumn<TypedDay>, numbers: readonly ReadColumn<ReadNumber>[]): OpenCells {
  const isContradicted = [days, ...numbers].some((column) => column.isContradicted)
  const first = numbers.find(({ isContradicted }) => isContradicted) ?? numbers.find(({ open }) => open !== null)
  return { days: days.open, numbers: first?.open ?? null, isContradicted }
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
