import type { PackageId } from "../campaign/line.ts"
import type { DeliveryTotal } from "../delivery/delivery.ts"
import type { CodePreview } from "./check-codes.ts"
import type { LinePreview } from "./daily.ts"
import { LISTED_MAX, NAME_CHARACTERS_MAX, type RejectedRow, type SkippedRows, type UploadKind } from "./upload.ts"

/** The effect of a file on lines and codes, and the rows that it doesn't report. */
interface FileOutcome {
  readonly lines: readonly LinePreview[]
  readonly codes: readonly CodePreview[]
  readonly rejected: readonly RejectedRow[]
  readonly skipped: SkippedRows
  readonly sums: number
  readonly empty: number
}

/** A line or code with its outcome. */
export interface ListedEntry {
  readonly name: string
  /** Null for a code. */
  readonly packageId: PackageId | null
  readonly before: DeliveryTotal | null
  readonly after: DeliveryTotal | null
  readonly effect: "changes" | "unchanged" | "older" | "left out"
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
  outcome: FileOutcome,
  isTaken: (entry: LinePreview | CodePreview) => boolean,
): UploadResult {
  const { lines, codes, rejected, skipped, sums, empty } = outcome
  const entries = [
    ...lines.map((line) => lineEntry(line, isTaken(line))),
    ...codes.map((code) => codeEntry(code, isTaken(code))),
  ]
  const countOf = (effect: ListedEntry["effect"]) => entries.filter((entry) => entry.effect === effect).length
  const taken = [...lines.filter(isTaken).map(({ items }) => items.length), ...codes.filter(isTaken).map(entriesOfCode)]
  return {
    kind,
    reported: taken.reduce((sum, count) => sum + count, 0),
    changed: countOf("changes"),
    unchanged: countOf("unchanged"),
    older: countOf("older"),
    leftOut: countOf("left out"),
    rejected: rejected.length,
    skipped: [...skipped.values()].reduce((sum, rows) => sum + rows.length, 0),
    sums,
    empty,
    entries: entries.slice(0, LISTED_MAX),
    rejectedRows: rejected.slice(0, LISTED_MAX),
    skippedNames: skippedNames(skipped).slice(0, LISTED_MAX).map(shortened),
  }
}

const shortened = ({ name, ...counts }: SkippedName): SkippedName => ({
  name: name.slice(0, NAME_CHARACTERS_MAX),
  ...counts,
})

/** The names that aren't the seller's, with the most frequent first. */
export const skippedNames = (skipped: SkippedRows): SkippedName[] =>
  [...skipped]
    .map(([name, rows]) => ({ name, rows: rows.length, firstRow: rows[0] ?? 0 }))
    .sort((a, b) => b.rows - a.rows)

function lineEntry(preview: LinePreview, isTaken: boolean): ListedEntry {
  const { line, before, after, effect, question, isDoubtful } = preview
  const { name, packageId } = line
  const isLower = preview.isLower && !isDoubtful
  return isTaken
    ? { name, packageId, before, after, effect, text: "", isLower }
    : { name, packageId, before, after, effect: "left out", text: question ?? "", isLower }
}

function codeEntry(
  { code, text, question, isLower, isDoubtful, isUnchanged }: CodePreview,
  isTaken: boolean,
): ListedEntry {
  const entry = { name: code, packageId: null, before: null, after: null, isLower: isLower && !isDoubtful }
  if (!isTaken) return { ...entry, effect: "left out", text: question ?? "" }
  return { ...entry, effect: isUnchanged ? "unchanged" : "changes", text }
}

/** A row with figures writes a day, and a row of a code writes the code. */
const entriesOfCode = ({ days, line }: CodePreview): number => (line === null ? days.length : 1)
