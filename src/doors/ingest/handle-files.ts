import { stringify } from "csv-stringify/sync"
import type { ReportContext } from "../../actions/context.ts"
import type { Reporter } from "../../actions/delivery/report-delivery.ts"
import { rejectedRows } from "../../actions/upload/check-file.ts"
import { type ArrivingFile, receiveUpload } from "../../actions/upload/receive.ts"
import { bodyTooLarge, type Failure, failure } from "../../domain/failure.ts"
import { UPLOADS_WAITING_MAX } from "../../domain/limits.ts"
import type { Preset } from "../../domain/presets/preset.ts"
import { type Moment, parseTimestamp } from "../../domain/time/moment.ts"
import { DATE_ORDERS, type DateOrder, isDateOrder } from "../../domain/time/typed-day.ts"
import { isUploadKind, UPLOAD_KINDS, type UploadKind } from "../../domain/upload/columns.ts"
import { fileReport } from "../../domain/upload/file-report.ts"
import { FIGURES, roomFor, type Upload } from "../../domain/upload/upload.ts"
import { BodyRefused, bodyChunks } from "../http/body-chunks.ts"
import { metaOf } from "../http/request-meta.ts"
import { textStream } from "../http/text-stream.ts"
import { withoutWorkbook } from "../http/workbook.ts"
import { type IngestSettings, keyHolders } from "./handle-feed.ts"

export interface FileSettings extends IngestSettings {
  readonly fileBytesMax: number
  readonly presets: () => readonly Preset[]
  /** Reports a file that has arrived, and resolves when that is done or takes a while. */
  readonly report: (organizationId: number, id: number) => Promise<void>
}

export interface FileHandlers {
  send(request: Request, bearer?: string): Promise<Response>
  status(request: Request, id: string, bearer?: string): Promise<Response>
  rejected(request: Request, id: string, bearer?: string): Promise<Response>
}

/** Receives files of programs and says what became of them. Checks in the order of the feeds: key, rate, parameters, content. */
export function fileHandlers(context: ReportContext, settings: FileSettings): FileHandlers {
  const keyed = keyHolders(context, settings, { name: "files", limit: settings.requestsPerMinute })

  return {
    async send(request, bearer) {
      const admitted = await keyed(request, bearer)
      if (admitted instanceof Response) return admitted
      const { reporter, refuse, answer } = admitted
      const given = parametersOf(request, context.clock())
      if ("code" in given) return refuse(given)
      if (!isCsv(request)) return refuse(failure("unsupported_media_type", "Send the header Content-Type: text/csv."))
      const file = fileOf(request, reporter, given, settings)
      if (file.presets.length === 0)
        return refuse(failure("invalid_request", `There is no preset named ${given.preset}.`))
      const received = await receive(context, file, request)
      if ("code" in received) return refuse(received)
      await settings.report(reporter.organizationId, received.id)
      const found = await sentFile(reporter, String(received.id))
      if (found === null) return refuse(failure("not_found", "This file has been discarded."))
      const report = fileReport(found)
      return answer(report, report.state === "working" ? 202 : 200)
    },
    async status(request, id, bearer) {
      const admitted = await keyed(request, bearer)
      if (admitted instanceof Response) return admitted
      const found = await sentFile(admitted.reporter, id)
      return found === null ? admitted.refuse(NO_SUCH_FILE) : admitted.answer(fileReport(found))
    },
    async rejected(request, id, bearer) {
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
    return upload?.choices.sent === null && upload.uploadedBy !== null ? null : upload
  }
}

const NO_SUCH_FILE = failure("not_found", "You have sent no file with this id.")
const ADDED = ["row", "reason", "message"]

/** The rejected rows as they came, with the reason in extra columns. The corrected file can be sent again: other columns are ignored. */
function csvOf(
  { header, rows }: NonNullable<Awaited<ReturnType<typeof rejectedRows>>>,
  headers: IngestSettings["headers"],
) {
  // A corrected file that is rejected again already has our columns.
  const sent = header.flatMap((name, i) => (ADDED.includes(name) ? [] : [i]))
  async function* texts() {
    yield stringify([[...sent.map((i) => header[i]), ...ADDED]])
    for await (const group of rows)
      yield stringify(
        group.map(({ number, cells, reason, why }) => [...sent.map((i) => cells[i]), number, reason, why]),
      )
  }
  return new Response(textStream(texts()), { headers: { ...headers, "Content-Type": "text/csv; charset=utf-8" } })
}

interface Parameters {
  readonly name: string
  readonly preset: string | null
  readonly modified: Moment
  readonly allowLower: boolean
  readonly dryRun: boolean
  readonly kind: UploadKind | null
  readonly figures: string | null
  readonly dates: DateOrder | null
}

function fileOf(
  request: Request,
  { organizationId, source }: Reporter,
  { name: fileName, preset, modified: modifiedAt, allowLower, dryRun, kind, figures, dates }: Parameters,
  { fileBytesMax: bytesMax, presets }: FileSettings,
): ArrivingFile {
  return {
    ...{ organizationId, fileName, bytes: metaOf(request).length, bytesMax },
    presets: presets().filter(({ name }) => preset === null || name === preset),
    userId: null,
    sent: { keyId: source.reference, modifiedAt, allowLower, dryRun, figures, dates },
    kind,
  }
}

const PARAMETERS = ["name", "preset", "modified", "allow_lower", "dry_run", "kind", "figures", "dates"]

/** Strict, because a misspelled allow_lower must not be ignored. */
function parametersOf(request: Request, now: Moment): Parameters | Failure {
  const { searchParams } = new URL(request.url)
  const unknown = [...searchParams.keys()].find((key) => !PARAMETERS.includes(key))
  if (unknown !== undefined) return failure("invalid_request", `There is no parameter ${unknown}.`)
  const modified = searchParams.get("modified")
  const at = modified === null ? now : parseTimestamp(modified)
  if (at === undefined)
    return failure("invalid_request", "The parameter modified must be a time such as 2026-11-14T18:30:00Z.")
  const flags = ["allow_lower", "dry_run"].map((name) => ({ name, value: searchParams.get(name) ?? "false" }))
  const wrong = flags.find(({ value }) => value !== "true" && value !== "false")
  if (wrong !== undefined) return failure("invalid_request", `The parameter ${wrong.name} must be "true" or "false".`)
  const kind = searchParams.get("kind")
  if (kind !== null && !isUploadKind(kind))
    return failure("invalid_request", `The parameter kind must be one of ${UPLOAD_KINDS.join(", ")}.`)
  const figures = searchParams.get("figures")
  if (figures !== null && !FIGURES.includes(figures))
    return failure("invalid_request", `The parameter figures must be ${FIGURES.join(" or ")}.`)
  const dates = searchParams.get("dates")
  if (dates !== null && !isDateOrder(dates))
    return failure("invalid_request", `The parameter dates must be ${DATE_ORDERS.join(" or ")}.`)
  const [allowLower, dryRun] = flags.map(({ value }) => value === "true")
  return {
    name: searchParams.get("name") ?? "file.csv",
    preset: searchParams.get("preset"),
    modified: Math.min(at, now),
    allowLower: allowLower === true,
    dryRun: dryRun === true,
    kind,
    figures,
    dates,
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
    const received = await receiveUpload(context, file, withoutWorkbook(bodyChunks(request), file.bytesMax))
    return received.ok ? received : failureOf(received.problem, file.bytesMax)
  } catch (cause) {
    if (cause instanceof BodyRefused) return cause.failure
    throw cause
  }
}

function failureOf(reason: string, bytesMax: number): Failure {
  if (reason === "too large") return bodyTooLarge(bytesMax)
  if (reason === "incomplete") return failure("invalid_request", "The file did not arrive completely. Send it again.")
  const busy: Readonly<Record<string, string>> = {
    "too many": `${UPLOADS_WAITING_MAX} files of your organization are being read.`,
    "no room": `Files of your organization that are being read take all of the ${roomFor(bytesMax)} bytes that it has.`,
  }
  const why = busy[reason]
  if (why === undefined) return failure("unreadable_file", reason)
  return failure("quota_exceeded", `${why} Send this one again later.`, { "Retry-After": "10" })
}
