import type { CheckedFile, EntrySummary, FileEntry } from "./check.ts"
import { inWords, LISTED_MAX, NAME_CHARACTERS_MAX, type RejectedRow, type UploadKind } from "./upload.ts"

/** A line or code with its outcome. */
export interface ListedEntry extends EntrySummary {
  readonly isReported: boolean
}

/** A name that isn't the seller's, with the number of its rows. */
export interface SkippedName {
  readonly name: string
  readonly rows: number
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

/** Sums up a file when only some of its lines and codes are reported. */
export function resultOf(
  kind: UploadKind,
  { entries, rejected, skipped, sums, empty }: CheckedFile,
  isReported: (entry: FileEntry) => boolean,
): UploadResult {
  const reported = entries.filter(isReported)
  const countOf = (effect: FileEntry["effect"]) => reported.filter((entry) => entry.effect === effect).length
  const listed = entries.slice(0, LISTED_MAX).map((entry): ListedEntry => {
    const { items: _, codes: __, days: ___, ...summary } = entry
    return isReported(entry) ? { ...summary, isReported: true } : { ...summary, after: entry.before, isReported: false }
  })
  const names = skippedNames(skipped).slice(0, LISTED_MAX)
  return {
    kind,
    reported: reported.reduce((sum, { items, codes, days }) => sum + items.length + codes.length + days.length, 0),
    changed: countOf("changes"),
    unchanged: countOf("unchanged"),
    older: countOf("older"),
    leftOut: entries.length - reported.length,
    rejected: rejected.length,
    skipped: [...skipped.values()].reduce((sum, rows) => sum + rows.length, 0),
    sums,
    empty,
    entries: listed,
    rejectedRows: rejected.slice(0, LISTED_MAX),
    skippedNames: names.map(({ name, rows }) => ({ name: name.slice(0, NAME_CHARACTERS_MAX), rows })),
  }
}

/** The names that aren't the seller's, with the most frequent first. */
export const skippedNames = (skipped: CheckedFile["skipped"]): SkippedName[] =>
  [...skipped].map(([name, rows]) => ({ name, rows: rows.length })).sort((a, b) => b.rows - a.rows)

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
