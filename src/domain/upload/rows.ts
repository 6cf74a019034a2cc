import type { PackageId } from "../campaign/line.ts"
import type { PacedLine } from "../campaign/line-state.ts"
import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import { dayColumn, numberColumn, type OpenCells, openCells, type Style } from "./columns.ts"
import type { CodeDay } from "./result.ts"
import { cellOf, type NameAnswer, type Reading, type Row } from "./upload.ts"

/** What the database knows about a code of the seller. */
export interface KnownCode {
  readonly id: number
  readonly lineId: number
  readonly slug: string | null
}

/** A file, and what is known about its lines and codes. */
export interface FileToCheck {
  readonly headings: readonly string[]
  readonly rows: readonly Row[]
  readonly reading: Reading
  /** Whether the reading comes from an earlier file. */
  readonly isRemembered: boolean
  readonly reader: RowReader
  /** When totals without a day were measured. */
  readonly asOf: CalendarDate | Moment
  readonly receipt: Receipt
  readonly findLine: LineFinder
  /** What was answered for names, in this file or before. */
  readonly names: ReadonlyMap<string, NameAnswer>
  /** The line of all rows, if no column has it. */
  readonly onlyLine: FileLine | null
  /** The known days of a line, oldest first. */
  readonly daysOf: (line: FileLine) => readonly LineDay[]
  readonly known: ReadonlyMap<string, KnownCode>
  /** The known figures of codes, by code and date. */
  readonly storedDays: ReadonlyMap<string, CodeDay>
}

/** How the numbers of each column are read. */
const NUMBERS = {
  impressions: "whole",
  downloads: "fraction",
  clicks: "whole",
  conversions: "whole",
  conversionValue: "money",
} as const
type NumberRole = keyof typeof NUMBERS
const NUMBER_ROLES = Object.keys(NUMBERS) as NumberRole[]

/** A figure of one row. The problem says why it can't be counted. A dash means nothing on this day. */
type Figure = { readonly quantity: number; readonly digits: string } | { readonly problem: string } | "empty" | "dash"

const isDash = (text: string): boolean => /^[-–—−]$/.test(text)

/** A row of a file of figures. */
export interface FileRow {
  readonly number: number
  /** The text in the column of the line or the code. Empty if all rows are of one line. */
  readonly name: string
  readonly asOf: CalendarDate | Moment | undefined
  /** The day that a time falls on, for daily figures. */
  readonly day: CalendarDate | undefined
  readonly dayProblem: string | undefined
  readonly figure: (role: NumberRole) => Figure
  readonly hasFigure: boolean
  /** Whether it says that it's a sum of other rows. */
  readonly isSum: boolean
  /** Whether it has more cells than the headings. Then any cell may be in the wrong column. */
  readonly isLong: boolean
}

export interface RowReader {
  read(row: Row): FileRow
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

/** Reads the rows of a file of figures. */
export function rowReader(
  rows: readonly Row[],
  headings: readonly string[],
  { kind, columns }: Reading,
  style: Style,
  timeZone: TimeZone,
): RowReader {
  const nameColumn = kind === "affiliate_metrics" ? columns.code : columns.line
  const days = dayColumn(rows, columns.day, style, timeZone)
  const numbers = NUMBER_ROLES.map((role) => [role, numberColumn(rows, columns[role], style, NUMBERS[role])] as const)
  const numberOf = new Map(numbers)

  function figureOf(row: Row, role: NumberRole): Figure {
    const cell = cellOf(row, columns[role])
    if (cell === "" || isDash(cell)) return cell === "" ? "empty" : "dash"
    const read = numberOf.get(role)?.read(row) ?? { error: "This row has no number." }
    return "error" in read ? { problem: read.error } : { quantity: read.value, digits: read.digits }
  }

  function read(row: Row): FileRow {
    const day = columns.day === undefined ? undefined : days.read(row)
    const asOf = day === undefined || "error" in day ? undefined : day.asOf
    const isDayEmpty = columns.day !== undefined && cellOf(row, columns.day) === ""
    const figures = NUMBER_ROLES.map((role) => cellOf(row, columns[role]))
    return {
      number: row.number,
      name: cellOf(row, nameColumn),
      asOf,
      day: typeof asOf === "number" ? dayOf(asOf, timeZone) : asOf,
      dayProblem: isDayEmpty ? "This row has no day." : day !== undefined && "error" in day ? day.error : undefined,
      figure: (role) => figureOf(row, role),
      hasFigure: figures.some((cell) => cell !== "" && !isDash(cell)),
      isLong: isLongerThan(headings, row),
      // In a file of one line, any other cell may be a name that begins with such a word.
      isSum: nameColumn === undefined ? saysSum(cellOf(row, columns.day)) : row.cells.some(saysSum),
    }
  }

  const columnsOfNumbers = numbers.map(([, column]) => column)
  return { read, open: openCells(days, columnsOfNumbers) }
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
