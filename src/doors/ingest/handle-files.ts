import { stringify } from "csv-stringify/sync"
import type { ReportContext } from "../../actions/context.ts"
import type { Reporter } from "../../actions/delivery/report-delivery.ts"
import { rejectedRows } from "../../actions/upload/check-file.ts"
import { type ArrivingFile, receiveUpload } from "../../actions/upload/receive.ts"
import { reportSent } from "../../actions/upload/report.ts"
import { bodyTooLarge, type Failure, failure } from "../../domain/failure.ts"
import { UPLOADS_WAITING_MAX } from "../../domain/limits.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { Preset } from "../../domain/presets/preset.ts"
import { formatMoment, type Moment, parseTimestamp } from "../../domain/time/moment.ts"
import { DATE_ORDERS, type DateOrder } from "../../domain/time/typed-day.ts"
import { UPLOAD_KINDS, type UploadKind } from "../../domain/upload/columns.ts"
import { fileReport } from "../../domain/upload/file-report.ts"
import { NotText } from "../../domain/upload/received-text.ts"
import { FIGURES, keptBytesMax, type Upload } from "../../domain/upload/upload.ts"
import { BodyRefused, bodyChunks } from "../http/body-chunks.ts"
import { metaOf } from "../http/request-meta.ts"
import { textStream } from "../http/text-stream.ts"
import { allBytes, sheetsIn } from "../http/workbook.ts"
import { type IngestSettings, keyHolders } from "./handle-feed.ts"

export interface FileSettings extends IngestSettings {
  readonly fileBytesMax: number
  readonly presets: () => readonly Preset[]
}

export type FileHandlers = ReturnType<typeof fileHandlers>

/** Receives files of programs and says what became of them. Checks in the order of the feeds: key, rate, parameters, content. */
export function fileHandlers(context: ReportContext, settings: FileSettings) {
  const keyed = keyHolders(context, settings, { name: "files", limit: settings.requestsPerMinute })

  return {
    async send(request: Request, bearer?: string) {
      const admitted = await keyed(request, bearer)
      if (admitted instanceof Response) return admitted
      const { reporter, refuse, answer } = admitted
      const file = fileOf(request, reporter, settings, context.clock())
      if ("code" in file) return refuse(file)
      if (!isCsv(request)) return refuse(failure("unsupported_media_type", "Send the header Content-Type: text/csv."))
      const received = await receive(context, file, request)
      if ("code" in received) return refuse(received)
      const arrived = await sentFile(reporter, String(received.id))
      if (arrived !== null) await reportSent(context, arrived)
      const found = await sentFile(reporter, String(received.id))
      return found === null ? refuse(NO_SUCH_FILE) : answer(fileReport(found))
    },
    async status(request: Request, id: string, bearer?: string) {
      const admitted = await keyed(request, bearer)
      if (admitted instanceof Response) return admitted
      const found = await sentFile(admitted.reporter, id)
      return found === null ? admitted.refuse(NO_SUCH_FILE) : admitted.answer(fileReport(found))
    },
    async rejected(request: Request, id: string, bearer?: string) {
      const admitted = await keyed(request, bearer)
      if (admitted instanceof Response) return admitted
      const found = await sentFile(admitted.reporter, id)
      const refused = found && (await rejectedRows(context, found))
      return refused ? csvOf(refused, settings.headers) : admitted.refuse(NO_SUCH_FILE)
    },
  }

  /** A file that a program of the organization sent; null for any other. */
  async function sentFile({ organizationId }: Reporter, id: string): Promise<Upload | null> {
    const upload = /^\d{1,15}$/.test(id) ? await context.store.uploads.find(organizationId, Number(id)) : null
    return upload?.choices.sent ? upload : null
  }
}

const ROWS_AT_ONCE = 250
const NO_SUCH_FILE = failure("not_found", "You have sent no file with this id.")

function csvOf(
  { header, rows }: NonNullable<Awaited<ReturnType<typeof rejectedRows>>>,
  headers: IngestSettings["headers"],
) {
  async function* texts() {
    yield stringify([header])
    for (const group of inParts(rows, ROWS_AT_ONCE)) yield stringify(group)
  }
  return new Response(textStream(texts()), { headers: { ...headers, "Content-Type": "text/csv; charset=utf-8" } })
}

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
function fileOf(
  request: Request,
  { organizationId, source }: Reporter,
  { fileBytesMax: bytesMax, presets }: FileSettings,
  now: Moment,
): ArrivingFile | Failure {
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
    ...{ organizationId, userId: null, bytes: 0, bytesMax, presets: presets(), sheet: given("sheet") },
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

const CSV_TYPES = ["text/csv", "text/tab-separated-values", "text/plain", "application/csv", "application/octet-stream"]

function isCsv(request: Request): boolean {
  const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";")
  const encoding = request.headers.get("content-encoding")
  return CSV_TYPES.includes(type.trim()) && (encoding === null || encoding === "identity")
}

/** Whatever is left of a file that is refused is not waited for. */
async function receive(context: ReportContext, file: ArrivingFile, request: Request) {
  try {
    if (metaOf(request).length > file.bytesMax && Number.isFinite(metaOf(request).length))
      return bodyTooLarge(file.bytesMax)
    const bytes = await allBytes(bodyChunks(request), file.bytesMax)
    if (bytes === null) return bodyTooLarge(file.bytesMax)
    const received = await receiveUpload(context, { ...file, bytes: bytes.length }, await sheetsIn(bytes))
    return received.ok ? received : failureOf(received.problem, file.bytesMax)
  } catch (cause) {
    if (cause instanceof NotText) return failure("unreadable_file", cause.message)
    if (cause instanceof BodyRefused) return cause.failure
    throw cause
  }
}

function failureOf(reason: string, bytesMax: number): Failure {
  const busy: Readonly<Record<string, string>> = {
    "too many": `${UPLOADS_WAITING_MAX} files of your organization are being read.`,
    "no room": `Files of your organization that are being read take all of the ${keptBytesMax(bytesMax)} bytes that it has.`,
  }
  const why = busy[reason]
  if (why === undefined) return failure("unreadable_file", reason)
  return failure("quota_exceeded", `${why} Send this one again later.`, { "Retry-After": "10" })
}
