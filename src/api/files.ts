import { type Static, Type } from "@sinclair/typebox"
import { type Context, cancellable } from "../actions/context.ts"
import type { Admitted } from "../actions/keys.ts"
import { bothReadings } from "../actions/upload/preview.ts"
import { noteFile } from "../actions/upload/receive.ts"
import { reportSentFile, type UnreadFile } from "../actions/upload/report.ts"
import { isDate, readTimestamp } from "../domain/time/moment.ts"
import { hasDayColumns, ONE_COLUMN_PER_DAY } from "../domain/upload/reading.ts"
import { resultInWords, type UploadResult } from "../domain/upload/result.ts"
import { FIGURES, Unreadable, UPLOAD_BYTES_MAX, UPLOAD_KINDS, type UploadKind } from "../domain/upload/upload.ts"
import { readBody } from "../http/body.ts"
import { Refused, rateLimited } from "../http/problem.ts"
import { scopeOf } from "../http/request.ts"
import { sheetsOfFile } from "../http/workbook.ts"

const count = (description: string) => Type.Integer({ minimum: 0, description })
const orNull = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) => Type.Union([schema, Type.Null()])

const LeftOutSchema = Type.Object({
  package_id: orNull(Type.String({ description: "The line. Null for an affiliate code." })),
  name: Type.String({ description: "The name of the line, or the code." }),
  current: orNull(Type.Number({ description: "The current total." })),
  reason: Type.String({ description: "Why it was left out." }),
  is_lower: Type.Boolean({ description: "Whether sending the file again with allow_lower would report it." }),
})

/** The outcome of a file, as the API returns it. */
const FileReportSchema = Type.Object({
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

function fileReport(result: UploadResult, { name, isDryRun }: Sent): Static<typeof FileReportSchema> {
  const leftOut = result.entries.filter(({ isReported }) => !isReported)
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
    lines_left_out: leftOut.map(({ packageId, name, before, question, concern }) => {
      const current = before?.quantity ?? null
      return { package_id: packageId, name, current, reason: question ?? "", is_lower: concern === "lower" }
    }),
    rejected_rows: [...result.rejectedRows],
    skipped_names: [...result.skippedNames],
  }
}

function messageOf(result: UploadResult, isDryRun: boolean): string {
  const { kind, reported, leftOut, rejected, skipped } = result
  if (reported + leftOut + rejected > 0 || skipped === 0)
    return resultInWords(result, isDryRun ? "would be reported" : "reported")
  return kind === "affiliate_metrics"
    ? "None of its rows has one of your codes. Add the codes first."
    : "None of its rows is about one of your lines. Give your lines the IDs in the file."
}

const IN_THE_APP =
  "Upload it once in the app and answer there. Adbooth then reads files with the same headings by itself."
const OUR_HEADINGS = "Our own headings (package_id, impressions, downloads, as_of) always work."
const NO_LINES =
  "No column of this file has your lines, so it can only be uploaded in the app. A program’s file needs a column with the line."
const LINES_SHOWN = 20

/** Why a program's file wasn't read, and what to do about it. Both readings, if there are two. */
function refusalOf({ loaded, errors, isSheetOpen }: UnreadFile): string {
  if (isSheetOpen)
    return "This workbook has several sheets with a table. Save the one that you mean as CSV, and send that."
  if (hasDayColumns(loaded.headings)) return ONE_COLUMN_PER_DAY
  const { figures, ...others } = errors
  const [other] = Object.values(others)
  if (Object.keys(loaded.answers.reading.columns).length === 0)
    return `Adbooth doesn't know these headings yet. ${IN_THE_APP} ${OUR_HEADINGS}`
  // One line for all rows can only be chosen for a single file.
  if (others["line"] !== undefined) return NO_LINES
  if (figures === undefined || other !== undefined) return `${other ?? ""} ${IN_THE_APP}`
  const { totals, daily } = bothReadings(loaded)
  const lines = totals.entries.slice(0, LINES_SHOWN).map(({ key, name, after }) => {
    const asDaily = daily.entries.find((other) => other.key === key)?.after
    return `${name} becomes ${inWords(after?.quantity)} as totals so far, and ${inWords(asDaily?.quantity)} as daily figures.`
  })
  return [
    "The rows can be totals so far or daily figures.",
    ...lines,
    "Add the parameter figures=totals or figures=daily.",
  ].join(" ")
}

const inWords = (quantity: number | undefined) => (quantity === undefined ? "nothing" : quantity.toLocaleString("en"))

export const FILES_PATH = "/api/ingest/files"
/** Also the name of its rate window. */
export const FILES = "files"

const TYPES = [
  "text/csv",
  "text/plain",
  "text/tab-separated-values",
  "application/csv",
  "application/octet-stream",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
]

/** Reports a whole file, or says why it can't be read. The checks come in the published order. */
export async function answerFile(context: Context, { reporter, ...admission }: Admitted, request: Request) {
  if (!admission.isAllowed) throw rateLimited(admission.retryAfterSeconds)
  const { name, ...parameters } = readParameters(request)
  checkType(request)
  const bytes = await readBody(request, UPLOAD_BYTES_MAX)
  const actor = reporter.source.actor
  const about = { organizationId: reporter.sellerId, userId: null, actor, fileName: name, bytes: bytes.length }
  try {
    const sheets = await sheetsOfFile(bytes)
    const cancellableContext = cancellable(context, scopeOf(request).timeout.signal)
    const result = await reportSentFile(cancellableContext, { ...about, ...parameters, sheets })
    if ("errors" in result) throw new Unreadable(refusalOf(result))
    noteFile(context, reporter, { fileName: name, isDryRun: parameters.isDryRun }, result)
    return fileReport(result, { name, isDryRun: parameters.isDryRun })
  } catch (cause) {
    throw cause instanceof Unreadable ? new Refused("unreadable_file", cause.message) : cause
  }
}

const BOOLEANS = ["true", "false"]
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  figures: FIGURES,
  allow_lower: BOOLEANS,
  dry_run: BOOLEANS,
}
const PARAMETERS = [...Object.keys(CHOICES), "as_of", "name"]

/** Strict, because a misspelled `dry_run` must not write. */
function readParameters({ url }: Request) {
  const { searchParams } = new URL(url)
  for (const name of searchParams.keys()) {
    if (!PARAMETERS.includes(name))
      throw new Refused("invalid_request", `The parameter ${name.slice(0, 40)} doesn't exist.`)
    if (searchParams.getAll(name).length > 1) throw new Refused("invalid_request", `Send the parameter ${name} once.`)
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = searchParams.get(name)
    if (value !== null && !choices.includes(value))
      throw new Refused("invalid_request", `The parameter ${name} must be ${choices.join(" or ")}.`)
  }
  return {
    name: searchParams.get("name") ?? "file.csv",
    figures: FIGURES.find((each) => each === searchParams.get("figures")) ?? null,
    asOf: readAsOf(searchParams.get("as_of")),
    allowLower: searchParams.get("allow_lower") === "true",
    isDryRun: searchParams.get("dry_run") === "true",
  }
}

function readAsOf(text: string | null) {
  if (text === null || isDate(text)) return text
  const moment = readTimestamp(text)
  if (moment !== null) return moment
  throw new Refused("invalid_request", "The parameter as_of must be a day or a time such as 2026-11-14T18:30:00Z.")
}

function checkType(request: Request): void {
  const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";")
  const encoding = request.headers.get("content-encoding") ?? "identity"
  if (TYPES.includes(type.trim()) && encoding.toLowerCase() === "identity") return
  const detail = "Send the header Content-Type: text/csv for any file, and no Content-Encoding."
  throw new Refused("unsupported_media_type", detail)
}

const query = (name: string, description: string, schema: object) =>
  ({ name, in: "query", description, schema }) as const

/** What OpenAPI says about the address, beside what it says about every feed. */
export const FILES_OPERATION = {
  operationId: FILES,
  summary: "Report a whole file",
  description:
    "Sends a CSV file or an Excel workbook of delivery totals, affiliate codes or affiliate figures. Our own headings are " +
    "always read; other headings are read as somebody answered in the app. Lines about which something is odd are left out.",
  parameters: [
    query("name", "The name of the file.", { type: "string" }),
    query("figures", "What the rows of delivery files are: totals so far, or what was delivered on each day.", {
      type: "string",
      enum: FIGURES,
    }),
    query("as_of", "When totals without a day were measured. Default: the time of receipt.", { type: "string" }),
    query("allow_lower", "Whether totals may go down.", { type: "boolean", default: false }),
    query("dry_run", 'With "true", the answer is the same, but nothing is stored.', {
      type: "boolean",
      default: false,
    }),
  ],
  requestBody: {
    required: true,
    content: { "text/csv": { schema: { type: "string", description: "The file as it is, at most 20 MB." } } },
  },
  answer: FileReportSchema,
} as const
