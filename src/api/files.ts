import { type Context, cancellable } from "../actions/context.ts"
import type { Admitted } from "../actions/keys.ts"
import { type BothReadings, bothReadings } from "../actions/upload/preview.ts"
import { noteFile } from "../actions/upload/receive.ts"
import { reportSentFile, type UnreadFile } from "../actions/upload/report.ts"
import { isDate, readTimestamp } from "../domain/time/moment.ts"
import { hasDayColumns, ONE_COLUMN_PER_DAY } from "../domain/upload/reading.ts"
import { FileReportSchema } from "../domain/upload/result.ts"
import { FIGURES, Unreadable, UPLOAD_BYTES_MAX } from "../domain/upload/upload.ts"
import { readBody } from "../http/body.ts"
import { Refused, rateLimited } from "../http/problem.ts"
import { scopeOf } from "../http/request.ts"
import { sheetsOfFile } from "../http/workbook.ts"

const IN_THE_APP = "Upload it in the app and answer there. Adbooth remembers how files with these headings are read."
const OUR_HEADINGS = "Our own headings (package_id, impressions, downloads, as_of) always work."
const NO_LINES =
  "No column of this file has your lines, so it can only be uploaded in the app. A program’s file needs a column with the line."
const LINES_SHOWN = 20

/** Why a program's file wasn't read, and what to do about it. Both readings, if there are two. */
async function refusalOf({ loaded, errors, isSheetOpen }: UnreadFile): Promise<string> {
  if (isSheetOpen)
    return "This workbook has several sheets with a table. Save the one that you mean as CSV, and send that."
  if (hasDayColumns(loaded.headings)) return ONE_COLUMN_PER_DAY
  if (Object.keys(loaded.reading.columns).length === 0)
    return `Adbooth doesn't know these headings yet. ${IN_THE_APP} ${OUR_HEADINGS}`
  const { figures, line, ...others } = errors
  // One line for all rows can only be chosen for a single file.
  if (line !== undefined) return NO_LINES
  // The answer isn't remembered if no column tells rows apart.
  if (others["parts"] !== undefined) return `${others["parts"]} Upload it in the app and answer there.`
  const [other = ""] = Object.values(others)
  return figures === undefined || other !== "" ? `${other} ${IN_THE_APP}` : bothInWords(await bothReadings(loaded))
}

function bothInWords({ totals, daily }: BothReadings): string {
  const lines = totals.entries.slice(0, LINES_SHOWN).map(({ key, name, after }) => {
    const asDaily = daily.entries.find((entry) => entry.key === key)?.after
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
  checkType(request)
  const bytes = await readBody(request, UPLOAD_BYTES_MAX)
  const { name, ...parameters } = readParameters(request)
  const actor = reporter.source.actor
  const about = { organizationId: reporter.sellerId, userId: null, actor, fileName: name, bytes: bytes.length }
  try {
    const sheets = await sheetsOfFile(bytes)
    const cancellableContext = cancellable(context, scopeOf(request).timeout.signal)
    const result = await reportSentFile(cancellableContext, { ...about, ...parameters, sheets })
    if ("errors" in result) throw new Unreadable(await refusalOf(result))
    noteFile(context, reporter, result.report)
    return result.report
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
