import type { PackageId } from "../campaign/package-line.ts"
import { NotCsv } from "../csv/csv-reader.ts"
import type { DeliveryTotal } from "../delivery/delivery.ts"
import type { TotalQuestion } from "../delivery/total-questions.ts"
import { UPLOAD_ROWS_MAX } from "../limits.ts"
import type { Preset } from "../presets/preset.ts"
import type { AmbiguousReading } from "../text/typed-number.ts"
import type { Moment } from "../time/moment.ts"
import type { DateOrder } from "../time/typed-day.ts"
import type { UploadKind } from "./columns.ts"

/** A table in a file: its text as CSV, and its name in a workbook. */
export type Sheet = Readonly<{ name: string; text: string }>

/** The sheets of a workbook; none of a text. */
export const sheetNames = (sheets: readonly Sheet[]): string[] => sheets.flatMap(({ name }) => name || [])

export interface Upload {
  readonly id: number
  readonly organizationId: number
  /** Null for a file that a program sent, or whose account was removed. */
  readonly uploadedBy: number | null
  readonly kind: UploadKind
  readonly fileName: string
  readonly state: "open" | "done"
  readonly bytes: number
  readonly uploadedAt: Moment
  /** Below the header. */
  readonly rows: number
  readonly choices: UploadChoices
  readonly summary: UploadSummary
  readonly receivedAt: Moment | null
}

/** What changes; everything else stays. */
export type UploadChange = Partial<
  Pick<Upload, "kind" | "state" | "rows" | "choices" | "summary"> & { readonly lines: readonly ReportedLine[] }
>

/** A line of which a file reported something, with its totals before and after. Earlier builds kept only its id. */
export type ReportedLine = Readonly<{ id: number }> &
  Partial<Pick<PreviewedLine, "name" | "ref" | "before" | "total" | "result">>

/** A file that a program sent with an API key. Nobody is asked about it. */
export interface SentFile {
  readonly keyId: string
  /** When the file was made, so that sending it again means the same. */
  readonly modifiedAt: Moment
  /** Whether totals and figures may go down. */
  readonly allowLower: boolean
  /** Whether it is only checked. */
  readonly dryRun: boolean
  /** What its figures are, where the program says it. */
  readonly figures: string | null
  readonly dates: DateOrder | null
}

/** The content type of an Excel workbook. */
export const WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

/** What figures may be, in the API's words: totals so far, or parts of a day. By what preset files call such rows. */
export const FIGURES_BY_ROWS: Partial<Record<Preset["rows"], string>> = { cumulative: "totals", daily: "daily" }
export const FIGURES: readonly string[] = Object.values(FIGURES_BY_ROWS)

export const NO_CHOICES = {
  /** Whether somebody has to say how it is read before anything of it can be shown. */
  asks: false,
  /** The sheets of a workbook, and the one that is read; null before somebody has chosen it of several. */
  sheets: [] as readonly string[],
  sheet: null as number | null,
  /** What each column means, by its position; "" for a column that is ignored. Null before that is known. */
  columns: null as readonly string[] | null,
  /** How to read 1.000 and 1,000, as somebody said or as other figures show; null where nobody was asked, and none shows it. */
  numbers: null as AmbiguousReading | null,
  dates: null as DateOrder | null,
  /** Whether files with the same headings are read the same way, once this one is reported. */
  remember: false,
  /** When somebody said how files with these headings are read, where this one is read so. */
  readAsAt: null as Moment | null,
  /** Lines that somebody chose for names in the file; "" for a name that is none of the organization's lines. */
  matches: {} as Readonly<Record<string, string>>,
  /** Lines that are reported although something about them is odd. */
  anyway: [] as readonly number[] | "all",
  /** What somebody saw of the preview, as `digestOf` has it: it must still be so when it is reported. */
  seen: "",
  /** How the export of a known system is read, as that was when the file arrived. */
  preset: null as Preset | null,
  /** Where the table begins; rows as a spreadsheet counts them. */
  layout: { delimiter: ",", headerRow: 1 },
  /** Null when a person uploaded it. */
  sent: null as SentFile | null,
  /** Whether all its columns have our own names: then its figures are totals so far. */
  isOurs: false,
  /** What its figures are, where somebody had to say: "totals" so far, or "daily" parts of them. */
  figures: null as string | null,
  /** Whether rows that look like sums count as any other. */
  keepSums: false,
  /** Whether nothing was delivered on the days of a flight that are neither in the file nor known. */
  nothingBefore: false,
  /** The line that all rows are of, where no column names it. */
  line: null as PackageId | null,
}
export type UploadChoices = Readonly<typeof NO_CHOICES>

/** What each row of a file is. */
export function rowsOf({ figures, preset }: Pick<UploadChoices, "figures" | "preset">): Preset["rows"] {
  if (figures !== null) return figures === "daily" ? "daily" : "cumulative"
  return preset?.rows ?? "cumulative"
}

/** Whether nobody can tell whether the figures are totals so far or parts of them. */
export const isUndecided = (kind: UploadKind, { preset, isOurs, figures }: UploadChoices): boolean =>
  kind === "delivery" && preset === null && !isOurs && figures === null

export interface UploadProblem {
  readonly title: string
  /** More about the first of them. */
  readonly text: string
  readonly count: number
  /** Their numbers, as ranges; only the first ones. */
  readonly rows: readonly (readonly [from: number, to: number])[]
  /** What can be decided for the whole file. */
  readonly decide: "numbers" | "dates" | "line" | "sums" | "parts" | "before" | null
  readonly example: string
  /** As the API calls it. */
  readonly reason: string
  /** Whether its rows only do not count, because they are of others or sums. */
  readonly isIgnored?: boolean
}

export interface LinesAndRows {
  readonly lines: number
  readonly rows: number
}

const NOTHING: LinesAndRows = { lines: 0, rows: 0 }

export const EMPTY_SUMMARY = {
  /** What somebody should know before deciding. */
  notice: "",
  problems: [] as readonly UploadProblem[],
  /** Kinds of problems, also those that are not listed. */
  problemKinds: 0,
  refused: 0,
  /** Rows that do not count: about lines and codes that the organization does not have, in the export of another system. */
  ignored: 0,
  update: NOTHING,
  asked: NOTHING,
  unchanged: NOTHING,
  /** Of lines whose current total was measured later. */
  older: NOTHING,
  reported: 0,
  /** Rows that were left out, because nobody confirmed them, and the first lines of them, by the seller's own id or their package id. */
  leftOut: 0,
  linesLeftOut: [] as readonly { readonly line: string; readonly current: number; readonly total: number }[],
  /** What was withdrawn of it; null while all of it counts. */
  withdrawn: null as { readonly at: Moment; readonly lines: number; readonly reports: number } | null,
}

export class TooManyRows extends Error {
  override readonly name = "TooManyRows"
  override readonly message =
    `This file has more than ${UPLOAD_ROWS_MAX.toLocaleString("en")} rows. Split it, and send the parts one by one.`
}

/** Why a file is not read, in a sentence: it turns out to be no CSV, or too long; any other cause is thrown on. */
export function notCsv(cause: unknown): string {
  if (cause instanceof TooManyRows) return cause.message
  if (!(cause instanceof NotCsv)) throw cause
  return `This file could not be read as CSV: ${cause.message}.`
}

/** What was found in a file, and what became of it. */
type UploadSummary = Readonly<typeof EMPTY_SUMMARY> & {
  /** Rows that would be stored if this were no dry run. */
  readonly wouldReport?: number
}

export interface PreviewedLine {
  /** The line's id; for affiliate codes the first row. */
  readonly id: number
  readonly name: string
  /** The seller's own id of the line, or its package id. */
  readonly ref: string
  readonly rows: number
  readonly before: DeliveryTotal | null
  /** The current total after the file is reported. */
  readonly total: DeliveryTotal | null
  readonly result: "update" | "asked" | "unchanged" | "older"
  readonly question: TotalQuestion | null
  /** The total that the question is about. */
  readonly asked: number
  /** For affiliates: a few words. */
  readonly text: string
}

/** How many lines and rows there are with each result. */
export function countsOf(
  lines: readonly PreviewedLine[],
): Pick<UploadSummary, "update" | "asked" | "unchanged" | "older"> {
  const of = (wanted: PreviewedLine["result"]): LinesAndRows => {
    const counted = lines.filter(({ result }) => result === wanted)
    return { lines: counted.length, rows: counted.reduce((sum, { rows }) => sum + rows, 0) }
  }
  return { update: of("update"), asked: of("asked"), unchanged: of("unchanged"), older: of("older") }
}

/** Lines that are shown as a page. */
export const LINES_ON_A_PAGE = 100
