import type { PackageId, PricingBasis } from "../campaign/line.ts"
import type { PacedLine } from "../campaign/line-state.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import { dayColumn, numberColumn, type OpenCells, openCells, type Style } from "./columns.ts"
import { cellOf, type NameAnswer, type Reading, type Row } from "./upload.ts"

/** A figure of one row. The problem says why it can't be counted. A dash means nothing on this day. */
type Figure = { readonly quantity: number } | { readonly problem: string } | "empty" | "dash"

/** Whether a cell has only a dash, as many systems write that there is nothing. */
export const isDash = (text: string): boolean => /^[-–—−]$/.test(text)

/** A row of a delivery file. */
export interface DeliveryRow {
  readonly number: number
  /** The text in the column of the line. Empty if all rows are of one line. */
  readonly name: string
  readonly asOf: CalendarDate | Moment | undefined
  /** The day that a time falls on, for daily figures. */
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
    "|(?:gesamt|zwischen|end)?summe|gesamt(?:ergebnis)?|insgesamt|somme|summa|suma|soma|sum|razem|overall) ?:?$",
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
  const impressions = numberColumn(rows, columns.impressions, style, "whole")
  const downloads = numberColumn(rows, columns.downloads, style, "fraction")

  function figureOf(row: Row, basis: PricingBasis): Figure {
    if (basis === "flat_rate") return hasFigure(row) ? { quantity: 0 } : "empty"
    const cell = cellOf(row, columns[basis])
    if (cell === "" || isDash(cell)) return cell === "" ? "empty" : "dash"
    const read = (basis === "impressions" ? impressions : downloads).read(row)
    return "error" in read ? { problem: read.error } : { quantity: read.value }
  }

  const hasFigure = (row: Row) =>
    [columns.impressions, columns.downloads]
      .map((column) => cellOf(row, column))
      .some((cell) => cell !== "" && !isDash(cell))

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
