import type { PackageId } from "../campaign/line.ts"
import type { PacedLine } from "../campaign/line-state.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import type { ReadNumber } from "../typed-number.ts"
import { currencyOf, dayColumn, numberColumn, type Style } from "./columns.ts"
import { widthOf } from "./csv.ts"
import { cellOf, type NameAnswer, type Reading, type Row } from "./upload.ts"

/** How the numbers of each column are read. */
const NUMBERS = {
  impressions: "whole",
  downloads: "fraction",
  clicks: "whole",
  conversions: "whole",
  conversionValue: "money",
} as const
export type NumberRole = keyof typeof NUMBERS

/** A figure of one row. The problem says why it can't be counted. A dash means nothing on this day. */
type Figure = { readonly quantity: number; readonly digits: string } | { readonly problem: string } | "empty" | "dash"

/** A row of a file, with its cells as they are meant. */
export interface FileRow extends Row {
  /** The text in the column of the line or the code. Empty if all rows are of one line. */
  readonly name: string
  readonly asOf: CalendarDate | Moment | undefined
  /** The day that a time falls on, for daily figures. */
  readonly day: CalendarDate | undefined
  readonly dayProblem: string | undefined
  readonly figures: Readonly<Record<NumberRole, Figure>>
  readonly hasFigure: boolean
  /** Whether it says that it's a sum of other rows. */
  readonly isSum: boolean
  /** Whether it has more cells than the headings. Then any cell may be in the wrong column. */
  readonly isLong: boolean
}

/** The rows of a file, and the first cells that can be read in two ways, in words. */
export interface ReadRows {
  readonly rows: readonly FileRow[]
  readonly open: { readonly days: string | null; readonly numbers: string | null }
  /** The currency of affiliate values, as the file writes it. */
  readonly currency: string | null
}

/** Reads the rows of a file. */
export function readRows(
  rows: readonly Row[],
  headings: readonly string[],
  { kind, columns }: Reading,
  style: Style,
  timeZone: TimeZone,
): ReadRows {
  const nameColumn = kind === "affiliate_metrics" ? columns.code : columns.line
  const days = dayColumn(rows, columns.day, style, timeZone)
  const roles = (Object.keys(NUMBERS) as NumberRole[]).filter((role) => columns[role] !== undefined)
  const numbers = roles.map((role) => ({ role, column: numberColumn(rows, columns[role], style, NUMBERS[role]) }))

  // Some exports never fill their last column, so a row with a number that a comma cut in two fits into the headings.
  const usualWidth = mostFrequent(rows.map(widthOf))
  const isCut = (row: Row, role: NumberRole) => {
    const column = columns[role] ?? 0
    const isCutHere = /^\D?\d{1,3}$/.test(cellOf(row, column)) && /^\d{3}(?:\.\d+)?$/.test(cellOf(row, column + 1))
    return isCutHere && /^[\d.,%]+$/.test(cellOf(row, usualWidth))
  }

  function figuresOf(row: Row): FileRow["figures"] {
    const figures: Record<NumberRole, Figure> = { ...NO_FIGURES }
    for (const { role, column } of numbers) {
      const cell = cellOf(row, columns[role])
      if (isDash(cell)) figures[role] = "dash"
      else if (cell !== "") figures[role] = figureOf(column.read(row))
    }
    return figures
  }

  function readRow(row: Row): FileRow {
    const day = columns.day === undefined ? undefined : days.read(row)
    const asOf = day === undefined || "error" in day ? undefined : day.asOf
    const figures = figuresOf(row)
    const problem = day !== undefined && "error" in day ? day.error : undefined
    return {
      ...row,
      name: cellOf(row, nameColumn),
      asOf,
      day: typeof asOf === "number" ? dayOf(asOf, timeZone) : asOf,
      dayProblem: problem !== undefined && cellOf(row, columns.day) === "" ? "This row has no day." : problem,
      figures,
      hasFigure: Object.values(figures).some((figure) => typeof figure === "object"),
      // Some systems end each row with a separator.
      isLong: widthOf(row) > headings.length || roles.some((role) => isCut(row, role)),
      // In a file of one line, any other cell may be a name that begins with such a word.
      isSum: nameColumn === undefined ? saysSum(cellOf(row, columns.day)) : row.cells.some(saysSum),
    }
  }

  const openNumbers = numbers.map(({ column }) => column.open).find((open) => open !== null) ?? null
  const open = { days: days.open, numbers: openNumbers }
  return { rows: rows.map(readRow), open, currency: currencyOf(rows, columns.conversionValue) }
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = Map.groupBy(numbers, (number) => number)
  const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length)
  return most?.[0] ?? 0
}

const NO_FIGURES: FileRow["figures"] = {
  impressions: "empty",
  downloads: "empty",
  clicks: "empty",
  conversions: "empty",
  conversionValue: "empty",
}

const figureOf = (read: ReadNumber): Figure =>
  "error" in read ? { problem: read.error } : { quantity: read.value, digits: read.digits }

const isDash = (text: string): boolean => /^[-–—−]$/.test(text)

/** Whether a cell names nothing, such as a dash. */
export const isNameless = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text)

/** Whether a cell says that its row is a sum of others. Other words may be names. */
export const saysSum = (text: string): boolean => SUM.test(text.trim())

const SUM = new RegExp(
  "^(?:(?:grand |overall |sub-?|sous-|eind)?(?:total[est]?|totaux|totaal)(?: (?:g[ée]n[ée]ral[e]?|geral|complessivo|final))?" +
    "|(?:gesamt|zwischen|end)?summe|gesamt(?:ergebnis)?|insgesamt|somme|summa|suma|soma|sum|razem|overall) ?:?$",
  "iu",
)

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
 * Similar names aren't matched. If the file spells a name in several ways, they may be two lines, so only the exact one is matched.
 */
export function lineFinder(
  lines: readonly FileLine[],
  answers: ReadonlyMap<string, NameAnswer>,
  texts: Iterable<string>,
): LineFinder {
  const spellings = Map.groupBy(new Set(texts), (text) => text.toLowerCase())
  const byPackageId = new Map(lines.map((line) => [line.packageId, line]))
  const byOwnId = Map.groupBy(lines, ({ externalId }) => externalId ?? "")
  const byName = Map.groupBy(lines, ({ name }) => name.toLowerCase())

  const isOnlySpelling = (lowerCase: string) => (spellings.get(lowerCase)?.length ?? 0) < 2

  function find(text: string): FileLine | null {
    // An answer takes precedence, because it also settles which of two lines with the same name is meant.
    const answered = byPackageId.get(answers.get(text) ?? "")
    if (answered !== undefined) return answered
    const lowerCase = text.toLowerCase()
    const byId = byPackageId.get(lowerCase)
    const lines = [
      ...(byId === undefined ? [] : [byId]),
      ...(byOwnId.get(text) ?? []),
      ...(byName.get(lowerCase) ?? []).filter(({ name }) => name === text || isOnlySpelling(lowerCase)),
    ]
    const [line = null, ...others] = new Set(lines)
    return others.length === 0 ? line : null
  }

  const found = new Map<string, FileLine | null>()
  return (text) => (text === "" ? null : found.getOrInsertComputed(text, find))
}

const ID_CHARACTERS_MIN = 4

/** Finds lines by their IDs only. A short ID may as well be a count. */
export function idFinder(lines: readonly FileLine[]): LineFinder {
  const byId = new Map(
    lines.flatMap((line) => [line.packageId, line.externalId ?? ""].map((id) => [id, line] as const)),
  )
  return (text) => (text.length < ID_CHARACTERS_MIN ? null : (byId.get(text) ?? null))
}
