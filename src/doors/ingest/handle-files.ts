import { stringify } from "csv-stringify/sync"
import type { ReportContext } from "../../actions/context.ts"
import type { Reporter } from "../../actions/delivery/report-delivery.ts"
import type { ArrivingFile } from "../../actions/upload/receive.ts"
import { reportSent } from "../../actions/upload/report.ts"
import { bodyTooLarge, type Failure, failure } from "../../domain/failure.ts"
import { UPLOAD_BYTES_MAX } from "../../domain/limits.ts"
import { formatMoment, type Moment, parseTimestamp } from "../../domain/time/moment.ts"
import { DATE_ORDERS, type DateOrder } from "../../domain/time/typed-day.ts"
import { UPLOAD_KINDS, type UploadKind } from "../../domain/upload/columns.ts"
import { type FileReport, fileReport } from "../../domain/upload/file-report.ts"
import { NotText } from "../../domain/upload/received-text.ts"
import { FIGURES, type SentFile, type Sheet, WORKBOOK_TYPE } from "../../domain/upload/upload.ts"
import { BodyRefused, bodyChunks } from "../http/body-chunks.ts"
import { metaOf } from "../http/request-meta.ts"
import { allBytes, sheetsIn, workOnFile } from "../http/uploaded-file.ts"
import { type IngestSettings, keyHolders } from "./handle-feed.ts"

export type FileHandler = (request: Request, bearer?: string) => Promise<Response>

/** Reports a file of a program, and says what became of it. Checks in the order of the feeds: key, rate, parameters, content. */
export function fileHandler(context: ReportContext, settings: IngestSettings): FileHandler {
  const keyed = keyHolders(context, settings, { name: "files", limit: settings.requestsPerMinute })
  return async (request, bearer) => {
    const admitted = await keyed(request, bearer)
    if (admitted instanceof Response) return admitted
    const { reporter, refuse, answer } = admitted
    const file = fileOf(request, reporter, context.clock())
    if ("code" in file) return refuse(file)
    if (!isFile(request))
      return refuse(failure("unsupported_media_type", "Send the header Content-Type: text/csv, also for a workbook."))
    const reported = await received(context, file, request)
    return "code" in reported ? refuse(reported) : answer(reported)
  }
}

type FileOfProgram = ArrivingFile & Readonly<{ sent: SentFile; sheet: string | null }>

const BOOLEAN = ["true", "false"]
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  kind: UPLOAD_KINDS,
  figures: FIGURES,
  dates: DATE_ORDERS,
  allow_lower: BOOLEAN,
  dry_run: BOOLEAN,
}
const PARAMETERS = ["name", "modified", "sheet", ...Object.keys(CHOICES)]
const anyOf = new Intl.ListFormat("en-GB", { type: "disjunction" })

/** What the parameters say about a file. Strict, because a misspelled allow_lower must not be ignored. */
function fileOf(request: Request, { organizationId, source }: Reporter, now: Moment): FileOfProgram | Failure {
  const { searchParams } = new URL(request.url)
  const given = (name: string) => searchParams.get(name)
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) return failure("invalid_request", `There is no parameter ${unknown}.`)
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = given(name)
    if (value !== null && !choices.includes(value))
      return failure("invalid_request", `The parameter ${name} must be ${anyOf.format(choices)}.`)
  }
  const madeAt = parseTimestamp(given("modified") ?? formatMoment(now))
  if (madeAt === undefined)
    return failure("invalid_request", "The parameter modified must be a time such as 2026-11-14T18:30:00Z.")
  return {
    ...{ organizationId, userId: null, bytes: 0, sheet: given("sheet") },
    fileName: given("name") ?? "file.csv",
    kind: given("kind") as UploadKind | null,
    sent: {
      keyId: source.reference,
      modifiedAt: Math.min(madeAt, now),
      allowLower: given("allow_lower") === "true",
      dryRun: given("dry_run") === "true",
      figures: given("figures"),
      dates: given("dates") as DateOrder | null,
    },
  }
}

const FILE_TYPES = [
  "text/csv",
  "text/tab-separated-values",
  "text/plain",
  "application/csv",
  "application/octet-stream",
  WORKBOOK_TYPE,
]

function isFile(request: Request): boolean {
  const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";")
  const encoding = request.headers.get("content-encoding")
  return FILE_TYPES.includes(type.trim()) && (encoding === null || encoding === "identity")
}

/** Whatever is left of a file that is refused is not waited for. */
async function received(context: ReportContext, file: FileOfProgram, request: Request): Promise<FileReport | Failure> {
  const { length } = metaOf(request)
  if (Number.isFinite(length) && length > UPLOAD_BYTES_MAX) return bodyTooLarge(UPLOAD_BYTES_MAX)
  try {
    const bytes = await allBytes(bodyChunks(request, Math.min(length, UPLOAD_BYTES_MAX)), length)
    if (bytes === null) return bodyTooLarge(UPLOAD_BYTES_MAX)
    return await workOnFile(bytes.length, async () => {
      const sheet = sheetOf(file.sheet, await sheetsIn(bytes))
      const outcome = await reportSent(context, { ...file, bytes: bytes.length }, sheet)
      if (!outcome.ok) return failure("unreadable_file", outcome.problem)
      const { header, rows } = outcome.rejected
      return fileReport(outcome.upload, rows.length === 0 ? "" : stringify([header, ...rows]))
    })
  } catch (cause) {
    if (cause instanceof NotText) return failure("unreadable_file", cause.message)
    if (cause instanceof BodyRefused) return cause.failure
    throw cause
  }
}

/** The sheet that is meant. Throws where several are there, or none of that name. */
function sheetOf(wanted: string | null, sheets: readonly Sheet[]): Sheet {
  const [only, ...others] = sheets
  if (wanted === null && only !== undefined && others.length === 0) return only
  const named = sheets.find(({ name }) => name === wanted)
  if (named !== undefined) return named
  const names = sheets.map(({ name }) => name).join(", ")
  if (names === "") throw new NotText("This file is no workbook, so it has no sheets.")
  throw new NotText(
    `This workbook has these sheets: ${names.slice(0, 200)}. Say which: sheet=NAME (adbooth report --sheet NAME).`,
  )
}
