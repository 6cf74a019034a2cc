import type { PackageId } from "../campaign/line.ts"
import type { LineDay } from "../delivery/day.ts"
import type { DeliveryItem, DeliveryTotal, Receipt } from "../delivery/delivery.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import type { FileLine, LineFinder, ReadRows } from "./rows.ts"
import type { NameAnswer, Reading, RejectedRow } from "./upload.ts"

/** A file, and what is known about its lines and codes. */
export interface FileToCheck extends ReadRows {
  readonly headings: readonly string[]
  /** The texts above the headings. */
  readonly above: readonly string[]
  readonly reading: Reading
  /** Whether the reading comes from an earlier file. */
  readonly isRemembered: boolean
  readonly begin: FileSpan
  /** When totals without a day were measured. */
  readonly asOf: CalendarDate | Moment
  readonly receipt: Receipt
  readonly findLine: LineFinder
  /** The line that a text identifies for certain, because it's one of its IDs. */
  readonly lineOfId: LineFinder
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

/** The first and the last day in a file. Rows of other sellers' lines count: the file is complete in between. */
export interface FileSpan {
  readonly day: CalendarDate | null
  readonly lastDay: CalendarDate | null
  /** The days between them without a row, if the file has nearly all others. */
  readonly holes: readonly CalendarDate[]
}

/** What the database knows about a code of the seller. */
export interface KnownCode {
  readonly id: number
  readonly lineId: number
  readonly slug: string | null
}

/** A code to be added, or to be pointed to another line. */
interface NewCode {
  readonly code: string
  readonly lineId: number
  /** Null leaves the known slug as it is. */
  readonly slug: string | null
}

/** The figures of a code on one day. Undefined ones aren't in the file. */
export interface CodeDay {
  readonly codeId: number
  readonly lineId: number
  readonly date: CalendarDate
  readonly clicks: number | undefined
  readonly conversions: number | undefined
  readonly valueMicros: number | undefined
}

/** Stands for all days before the file, whose figures are added up. */
export const EARLIER: CalendarDate = ""

/** The key of a code and a day in `storedDays`. */
export const codeDayKey = ({ codeId, date }: Pick<CodeDay, "codeId" | "date">): string => `${codeId} ${date}`

/** What a file says about a line or a code, and what that changes. */
export interface EntrySummary {
  /** What a tick names: the package ID of a line, or the code. */
  readonly key: string
  readonly name: string
  /** The IDs of a line. Null for a code. */
  readonly packageId: PackageId | null
  readonly externalId: string | null
  readonly rows: number
  /** The current total of a line, and what it will be. */
  readonly before: DeliveryTotal | null
  readonly after: DeliveryTotal | null
  readonly effect: "changes" | "unchanged" | "older"
  /** What happens to a code, in words. */
  readonly text: string
  /** What must be confirmed first. Null if nothing is odd. */
  readonly question: string | null
  /**
   * What the question is about. A program never reports what may be wrong ("doubt"), and a figure that goes down ("lower") only
   * if that is allowed. A figure that is far above the plan ("odd") it may.
   */
  readonly concern: "odd" | "lower" | "doubt" | null
}

/** A line or a code, with what is stored if it's reported. */
export interface FileEntry extends EntrySummary {
  readonly items: readonly DeliveryItem[]
  readonly codes: readonly NewCode[]
  readonly days: readonly CodeDay[]
}

/** What reporting a file would do. */
export interface CheckedFile {
  readonly entries: readonly FileEntry[]
  readonly rejected: readonly RejectedRow[]
  /** The rows of each name that isn't one of the seller's lines or codes. */
  readonly skipped: ReadonlyMap<string, readonly number[]>
  /** Rows that are sums of others. */
  readonly sums: number
  /** Rows of the seller's lines or codes without a figure. */
  readonly empty: number
  /** Whether daily figures look as if they were totals. */
  readonly looksLikeTotals: boolean
  /** Rows with a figure but without a line or code. */
  readonly withoutName: readonly number[]
  /** Two rows of one line and day, before a person chooses what tells them apart. In words. */
  readonly sameDay: string | null
}
