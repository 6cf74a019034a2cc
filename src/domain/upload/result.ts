import type { PackageId } from "../campaign/line.ts"
import type { DeliveryItem, DeliveryTotal } from "../delivery/delivery.ts"
import type { CalendarDate } from "../time/moment.ts"
import type { OpenCells } from "./columns.ts"
import {
  inWords,
  LISTED_MAX,
  NAME_CHARACTERS_MAX,
  type RejectedRow,
  type SkippedRows,
  type UploadKind,
} from "./upload.ts"

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

/** The effect of a file on a line or a code. */
export interface FileEntry {
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
  /** Whether a figure goes down, which programs may allow. */
  readonly isLower: boolean
  /** Whether a figure may be wrong, so that only a person can report it. */
  readonly isDoubtful: boolean
  /** What is stored. */
  readonly items: readonly DeliveryItem[]
  readonly codes: readonly NewCode[]
  readonly days: readonly CodeDay[]
}

/** What reporting a file would do, and what is open. */
export interface CheckedFile {
  readonly entries: readonly FileEntry[]
  readonly rejected: readonly RejectedRow[]
  readonly skipped: SkippedRows
  /** Rows that are sums of others, and rows without a figure. */
  readonly sums: number
  readonly empty: number
  readonly open: OpenCells
  /** Whether daily figures look as if they were totals. */
  readonly looksLikeTotals: boolean
  /** Rows with affiliate figures but without a code. */
  readonly rowsWithoutCode: readonly number[]
}

/** A line or code with its outcome. */
export interface ListedEntry extends Pick<FileEntry, "name" | "packageId" | "before" | "after"> {
  readonly effect: FileEntry["effect"] | "left out"
  /** What happens to a code, or why it or a line is left out. */
  readonly text: string
  /** Whether a program may allow it, although a figure goes down. */
  readonly isLower: boolean
}

/** The outcome of a file. The counts cover all of it, but the lists only have the first entries. */
export interface UploadResult {
  readonly kind: UploadKind
  /** Totals, codes or days with affiliate figures that were stored. */
  readonly reported: number
  /** Lines or codes, by what happens to them. */
  readonly changed: number
  readonly unchanged: number
  readonly older: number
  readonly leftOut: number
  /** Rows. */
  readonly rejected: number
  readonly skipped: number
  readonly sums: number
  readonly empty: number
  readonly entries: readonly ListedEntry[]
  readonly rejectedRows: readonly RejectedRow[]
  readonly skippedNames: readonly SkippedName[]
}

export interface SkippedName {
  readonly name: string
  readonly rows: number
  readonly firstRow: number
}

/** Sums up a file when only some of its lines and codes are accepted. */
export function resultOf(
  kind: UploadKind,
  { entries, rejected, skipped, sums, empty }: CheckedFile,
  isTaken: (entry: FileEntry) => boolean,
): UploadResult {
  const listed = entries.map((entry) => listedEntry(entry, isTaken(entry)))
  const countOf = (effect: ListedEntry["effect"]) => listed.filter((entry) => entry.effect === effect).length
  const stored = entries.filter(isTaken).map(({ items, codes, days }) => items.length + codes.length + days.length)
  return {
    kind,
    reported: stored.reduce((sum, count) => sum + count, 0),
    changed: countOf("changes"),
    unchanged: countOf("unchanged"),
    older: countOf("older"),
    leftOut: countOf("left out"),
    rejected: rejected.length,
    skipped: [...skipped.values()].reduce((sum, rows) => sum + rows.length, 0),
    sums,
    empty,
    entries: listed.slice(0, LISTED_MAX),
    rejectedRows: rejected.slice(0, LISTED_MAX),
    skippedNames: skippedNames(skipped)
      .slice(0, LISTED_MAX)
      .map((skipped) => ({ ...skipped, name: skipped.name.slice(0, NAME_CHARACTERS_MAX) })),
  }
}

function listedEntry(entry: FileEntry, isTaken: boolean): ListedEntry {
  const { name, packageId, before, after, effect, text, question } = entry
  const isLower = entry.isLower && !entry.isDoubtful
  const outcome = isTaken ? ({ effect, text } as const) : ({ effect: "left out", text: question ?? "" } as const)
  return { name, packageId, before, after, isLower, ...outcome }
}

/** The names that aren't the seller's, with the most frequent first. */
export const skippedNames = (skipped: SkippedRows): SkippedName[] =>
  [...skipped]
    .map(([name, rows]) => ({ name, rows: rows.length, firstRow: rows[0] ?? 0 }))
    .sort((a, b) => b.rows - a.rows)

const UNITS = { delivery: "total", affiliate_codes: "code", affiliate_metrics: "day" } as const

/** "7 totals reported, 2 lines left out, 22 rows rejected." */
export function resultInWords(result: UploadResult, verb = "reported"): string {
  const counts = [
    [result.leftOut, result.kind === "delivery" ? "line" : "code", "left out"],
    [result.rejected, "row", "rejected"],
    [result.skipped, "row", "skipped"],
    [result.empty, "row", "without a figure"],
  ] as const
  const others = counts.filter(([count]) => count > 0)
  const parts = [[result.reported, UNITS[result.kind], verb] as const, ...others]
  return `${parts.map(([count, unit, words]) => `${inWords(count)} ${unit}${count === 1 ? "" : "s"} ${words}`).join(", ")}.`
}
