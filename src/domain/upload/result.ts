import { type Static, Type } from "@sinclair/typebox"
import type { CheckedFile, EntrySummary, FileEntry } from "./check.ts"
import { inWords, LISTED_MAX, NAME_CHARACTERS_MAX, UPLOAD_KINDS, type UploadKind } from "./upload.ts"

const count = (description: string) => Type.Integer({ minimum: 0, description })
const orNull = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) => Type.Union([schema, Type.Null()])

const LeftOutSchema = Type.Object({
  package_id: orNull(Type.String({ description: "The line. Null for an affiliate code." })),
  name: Type.String({ description: "The name of the line, or the code." }),
  current: orNull(Type.Number({ description: "The current total." })),
  reason: Type.String({ description: "Why it was left out." }),
  is_lower: Type.Boolean({ description: "Whether sending the file again with allow_lower would report it." }),
})

/** The outcome of a file, as the API returns it. The counts cover all of it. */
export const FileReportSchema = Type.Object({
  name: Type.String({ description: "The name of the file." }),
  dry_run: Type.Boolean({ description: "Whether it was only checked, so that nothing of it is stored." }),
  complete: Type.Boolean({ description: "Whether something was reported and nothing was rejected or left out." }),
  message: Type.String({ description: "What happened, in a sentence." }),
  kind: Type.Unsafe<UploadKind>({ type: "string", enum: UPLOAD_KINDS, description: "What is in the file." }),
  accepted: count("Totals, codes or days with affiliate figures that are stored or, in a dry run, would be."),
  changed: count("Lines or codes that change."),
  unchanged: count("Lines or codes whose total stays the same."),
  older_than_current: count("Lines whose current total was measured later, so it stays."),
  left_out: count("Lines or codes that weren't reported, because something about them is odd."),
  rejected: count("Rows that can't be reported."),
  skipped: count("Rows that aren't about your lines or codes."),
  lines_left_out: Type.Array(LeftOutSchema, { description: "At most 500." }),
  rejected_rows: Type.Array(Type.Object({ row: Type.Integer(), reason: Type.String(), message: Type.String() }), {
    description: "At most 500, with row numbers as in a spreadsheet.",
  }),
  skipped_names: Type.Array(Type.Object({ name: Type.String(), rows: Type.Integer() }), {
    description: "At most 500.",
  }),
})
export type FileReport = Static<typeof FileReportSchema>

/** A line or code with its outcome. */
export interface ListedEntry extends EntrySummary {
  readonly isReported: boolean
}

/** What became of a file. This is kept for the page about it. */
export interface UploadResult {
  readonly report: FileReport
  readonly entries: readonly ListedEntry[]
}

interface ReportedFile {
  readonly name: string
  readonly kind: UploadKind
  readonly isDryRun: boolean
}

/** Sums up a file when only some of its lines and codes are reported. */
export function resultOf(
  { name, kind, isDryRun }: ReportedFile,
  checked: CheckedFile,
  isReported: (entry: FileEntry) => boolean,
): UploadResult {
  const { entries, rejected, skipped } = checked
  const reported = entries.filter(isReported)
  const leftOut = entries.filter((entry) => !isReported(entry))
  const countOf = (effect: FileEntry["effect"]) => reported.filter((entry) => entry.effect === effect).length
  const counts = {
    accepted: reported.reduce((sum, { items, codes, days }) => sum + items.length + codes.length + days.length, 0),
    left_out: leftOut.length,
    rejected: rejected.length,
    skipped: [...skipped.values()].reduce((sum, rows) => sum + rows.length, 0),
  }
  const report: FileReport = {
    name,
    dry_run: isDryRun,
    complete: counts.accepted > 0 && rejected.length + leftOut.length === 0,
    message: messageOf(kind, { ...counts, empty: checked.empty }, isDryRun ? "would be reported" : "reported"),
    kind,
    ...counts,
    changed: countOf("changes"),
    unchanged: countOf("unchanged"),
    older_than_current: countOf("older"),
    lines_left_out: leftOut.slice(0, LISTED_MAX).map(({ packageId, name, before, question, concern }) => {
      const current = before?.quantity ?? null
      return { package_id: packageId, name, current, reason: question ?? "", is_lower: concern === "lower" }
    }),
    rejected_rows: rejected.slice(0, LISTED_MAX),
    skipped_names: skippedNames(skipped)
      .slice(0, LISTED_MAX)
      .map(({ name, rows }) => ({ name: name.slice(0, NAME_CHARACTERS_MAX), rows })),
  }
  return { report, entries: entries.slice(0, LISTED_MAX).map((entry) => listed(entry, isReported(entry))) }
}

function listed(entry: FileEntry, isReported: boolean): ListedEntry {
  const { items: _, codes: __, days: ___, ...summary } = entry
  return { ...summary, after: isReported ? entry.after : entry.before, isReported }
}

/** The names that aren't the seller's, with the most frequent first. */
export const skippedNames = (skipped: CheckedFile["skipped"]) =>
  [...skipped].map(([name, rows]) => ({ name, rows: rows.length })).sort((a, b) => b.rows - a.rows)

const UNITS = { delivery: "total", affiliate_codes: "code", affiliate_metrics: "day" } as const

type Counts = Readonly<Record<"accepted" | "left_out" | "rejected" | "skipped" | "empty", number>>

/** "7 totals reported, 2 lines left out, 22 rows rejected." */
function messageOf(kind: UploadKind, { accepted, left_out, rejected, skipped, empty }: Counts, verb: string): string {
  if (accepted + left_out + rejected === 0 && skipped > 0)
    return kind === "affiliate_metrics"
      ? "None of its rows has one of your codes. Add the codes first."
      : "None of its rows is about one of your lines. Give your lines the IDs in the file, or match its names in the app."
  const others = [
    [left_out, kind === "delivery" ? "line" : "code", "left out"],
    [rejected, "row", "rejected"],
    [skipped, "row", "skipped"],
    [empty, "row", "without a figure"],
  ] as const
  const counts = [[accepted, UNITS[kind], verb] as const, ...others.filter(([count]) => count > 0)]
  return `${counts.map(([count, unit, words]) => `${inWords(count)} ${unit}${count === 1 ? "" : "s"} ${words}`).join(", ")}.`
}
