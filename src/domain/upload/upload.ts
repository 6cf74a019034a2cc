import type { PackageId } from "../campaign/line.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import type { DateOrder } from "../time/typed-day.ts"
import type { DecimalMark } from "../typed-number.ts"

export const UPLOAD_BYTES_MAX = 20_971_520
export const ROWS_MAX = 50_000
export const COLUMNS_MAX = 200
export const CELLS_MAX = 2_000_000
export const CELL_CHARACTERS_MAX = 32_767

/** The first lines and names of a file that pages and answers list. Their counts cover all of them. */
export const LISTED_MAX = 500

/** Longer names are cut where they are listed, and can't be matched by hand. */
export const NAME_CHARACTERS_MAX = 200

/** From this share of days on, rows are about days. Mailings are on fewer days. */
export const NEARLY_ALL = 0.8

/** A row that isn't blank, with its number as in a spreadsheet. */
export interface Row {
  readonly number: number
  readonly cells: readonly string[]
}

/** A table of a file. A text file has one, without a name. */
export interface Sheet {
  readonly name: string
  /** Between the cells of a text. Empty for a workbook. */
  readonly separator: string
  readonly rows: readonly Row[]
}

/** A file that can't be read, with what to do about it. */
export class Unreadable extends Error {}

export const UPLOAD_KINDS = ["delivery", "affiliate_codes", "affiliate_metrics"] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

/** The content of a column. */
export type Role =
  | "line"
  | "day"
  | "impressions"
  | "downloads"
  | "code"
  | "slug"
  | "clicks"
  | "conversions"
  | "conversionValue"

/** Whether the rows of a delivery file are running totals or daily figures. */
export const FIGURES = ["totals", "daily"] as const
export type Figures = (typeof FIGURES)[number]

/** Whether rows with a figure but no line or code are skipped, or stop everything that they could belong to. */
export const WITHOUT_NAME = ["skip", "stop"] as const
type WithoutName = (typeof WITHOUT_NAME)[number]

/** How a file is read. When it's reported, this is remembered for files with exactly the same headings. */
export interface Reading {
  readonly kind: UploadKind
  /** The positions of the columns. */
  readonly columns: Partial<Record<Role, number>>
  readonly figures: Figures | null
  /**
   * The columns that tell rows of one line and day apart, such as the device. Empty if every row counts. Null until a person
   * chooses.
   */
  readonly parts: readonly number[] | null
  readonly dayOrder: DateOrder | null
  readonly decimalMark: DecimalMark | null
  readonly withoutName: WithoutName | null
  /** The currency of affiliate values in the first file, as it was written there. */
  readonly currency: string | null
}

/** A line for a name in a file, or that the name isn't one of the seller's lines. */
export type NameAnswer = PackageId | "not mine"

/** What people answered about one open file. */
export interface Answers {
  /** Null until a person chooses one of several sheets. */
  readonly sheet: number | null
  readonly headerRow: number
  readonly reading: Reading
  /** The line of all rows, if no column has it. */
  readonly line: PackageId | null
  /** When totals without a day were measured. Null means when the file was uploaded. */
  readonly asOf: CalendarDate | Moment | null
  readonly names: Readonly<Record<string, NameAnswer>>
  /** When the headings were read like this before. Null if a person answered for this file. */
  readonly rememberedAt: Moment | null
}

export const NOTHING_READ: Reading = {
  kind: "delivery",
  columns: {},
  figures: null,
  parts: null,
  dayOrder: null,
  decimalMark: null,
  withoutName: null,
  currency: null,
}

/** A row that can't be reported, and why. */
export interface RejectedRow {
  readonly row: number
  readonly reason: string
  readonly message: string
}

/** The text of a cell. Empty if there is no such column. */
export const cellOf = ({ cells }: Row, column: number | undefined): string =>
  column === undefined ? "" : (cells[column] ?? "").trim()

const NUMBER = new Intl.NumberFormat("en")

/** "1,234.5" */
export const inWords = (number: number): string => NUMBER.format(number)
