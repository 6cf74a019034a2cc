import { type Static, Type } from "@sinclair/typebox"
import { bothReadings, type UnreadFile } from "../actions/upload/report.ts"
import { hasDayColumns, ONE_COLUMN_PER_DAY } from "../domain/upload/reading.ts"
import type { UploadResult } from "../domain/upload/result.ts"
import { UPLOAD_KINDS, type UploadKind } from "../domain/upload/upload.ts"

const count = (description: string) => Type.Integer({ minimum: 0, description })
const orNull = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) => Type.Union([schema, Type.Null()])

const LeftOutSchema = Type.Object({
  package_id: orNull(Type.String({ description: "The line. Null for an affiliate code." })),
  name: Type.String({ description: "The name of the line, or the code." }),
  current: orNull(Type.Number({ description: "The current total." })),
  reason: Type.String({ description: "Why it was left out." }),
  is_lower: Type.Boolean({ description: "Whether it's reported with allow_lower." }),
})

/** The outcome of a file, as the API returns it. */
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

interface Sent {
  readonly name: string
  readonly isDryRun: boolean
}

export function fileReport(result: UploadResult, { name, isDryRun }: Sent): Static<typeof FileReportSchema> {
  const leftOut = result.entries.filter(({ effect }) => effect === "left out")
  return {
    name,
    dry_run: isDryRun,
    complete: result.reported > 0 && result.rejected === 0 && result.leftOut === 0,
    message: messageOf(result, isDryRun),
    kind: result.kind,
    accepted: result.reported,
    changed: result.changed,
    unchanged: result.unchanged,
    older_than_current: result.older,
    left_out: result.leftOut,
    rejected: result.rejected,
    skipped: result.skipped,
    lines_left_out: leftOut.map(({ packageId, name, before, text, isLower }) => {
      return { package_id: packageId, name, current: before?.quantity ?? null, reason: text, is_lower: isLower }
    }),
    rejected_rows: result.rejectedRows.map(({ row, reason, message }) => ({ row, reason, message })),
    skipped_names: result.skippedNames.map(({ name, rows }) => ({ name, rows })),
  }
}

const UNITS: Readonly<Record<UploadKind, string>> = {
  delivery: "total",
  affiliate_codes: "code",
  affiliate_metrics: "day",
}

/** "12 totals reported, 1 row rejected." */
function messageOf({ kind, reported, leftOut, rejected, skipped, empty }: UploadResult, isDryRun: boolean): string {
  if (reported + leftOut + rejected === 0 && skipped > 0)
    return kind === "affiliate_metrics"
      ? "None of its rows has one of your codes. Add the codes first."
      : "None of its rows is about one of your lines. Give your lines the IDs in the file."
  const parts = [`${counted(reported, UNITS[kind])} ${isDryRun ? "would be reported" : "reported"}`]
  if (leftOut > 0) parts.push(`${counted(leftOut, kind === "delivery" ? "line" : "code")} left out`)
  if (rejected > 0) parts.push(`${counted(rejected, "row")} rejected`)
  if (skipped > 0) parts.push(`${counted(skipped, "row")} skipped`)
  if (empty > 0) parts.push(`${counted(empty, "row")} without a figure`)
  return `${parts.join(", ")}.`
}

const counted = (number: number, unit: string) => `${number.toLocaleString("en")} ${unit}${number === 1 ? "" : "s"}`

const IN_THE_APP =
  "Upload it once in the app and answer there. Adbooth then reads files with the same headings by itself."
const OUR_HEADINGS = "Our own headings (package_id, impressions, downloads, as_of) always work."
const NO_LINES =
  "No column of this file has your lines, so it can only be uploaded in the app. A program’s file needs a column with the line."
const LINES_SHOWN = 20

/** Why a program's file wasn't read, and what to do about it. Both readings, if there are two. */
export function refusalOf({ loaded, errors, isSheetOpen }: UnreadFile): string {
  if (isSheetOpen) return `This workbook has several sheets with a table. ${IN_THE_APP}`
  if (hasDayColumns(loaded.headings)) return ONE_COLUMN_PER_DAY
  const { figures, ...others } = errors
  const [other] = Object.values(others)
  if (Object.keys(loaded.answers.reading.columns).length === 0)
    return `Adbooth doesn't know these headings yet. ${IN_THE_APP} ${OUR_HEADINGS}`
  // The line of all rows was an answer about one file.
  if (others["line"] !== undefined) return NO_LINES
  if (figures === undefined || other !== undefined) return `${other ?? ""} ${IN_THE_APP}`
  const { totals, daily } = bothReadings(loaded)
  const lines = totals.lines.slice(0, LINES_SHOWN).map(({ line, after }) => {
    const asDaily = daily.lines.find((other) => other.line === line)?.after
    return `${line.name} becomes ${inWords(after?.quantity)} as totals so far, and ${inWords(asDaily?.quantity)} as daily figures.`
  })
  return [
    "The rows can be totals so far or daily figures.",
    ...lines,
    "Add the parameter figures=totals or figures=daily.",
  ].join(" ")
}

const inWords = (quantity: number | undefined) => (quantity === undefined ? "nothing" : quantity.toLocaleString("en"))
