import { NotCsv } from "../../domain/csv/csv-reader.ts"
import { missingColumns } from "../../domain/csv/csv-rows.ts"
import type { Preset } from "../../domain/presets/preset.ts"
import { UPLOAD_FORMATS, type UploadKind } from "../../domain/upload/columns.ts"
import { fileReport } from "../../domain/upload/file-report.ts"
import { goesDown } from "../../domain/upload/preview-lines.ts"
import { NotText, receivedText } from "../../domain/upload/received-text.ts"
import { kindOf } from "../../domain/upload/recognize-file.ts"
import { notCsv, type PreviewedLine, type SentFile, type Upload } from "../../domain/upload/upload.ts"
import type { Context } from "../context.ts"
import { type Received, receiveUpload } from "./receive.ts"

/** A file that a program sends. */
export interface ProgramsFile {
  readonly organizationId: number
  readonly fileName: string
  readonly bytes: number
  readonly bytesMax: number
  readonly sent: SentFile
  readonly presets: readonly Preset[]
  /** Null: its columns say what it is. */
  readonly kind: UploadKind | null
}

/** Receives the file of a program, and has it reported without asking anybody. What it is comes from its columns. */
export async function acceptFile(
  context: Context,
  file: ProgramsFile,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Received> {
  const rest = chunks[Symbol.asyncIterator]()
  const start = await startOf(rest)
  try {
    const { uploads } = context.store
    const remembered = (kind: UploadKind) => uploads.columns(file.organizationId, kind)
    const text = textOf(start)
    if (text.trim() === "") return { ok: false, problem: "This file is empty. Its first row must name the columns." }
    const kind = await kindOf(text, file.presets, remembered, file.kind === null ? undefined : [file.kind])
    if (Array.isArray(kind)) return { ok: false, problem: unknownFile(file.kind, kind) }
    return await receiveUpload(context, { ...file, kind, userId: null }, followedBy(start, rest))
  } catch (cause) {
    if (cause instanceof NotText) return { ok: false, problem: cause.message }
    if (cause instanceof NotCsv) return { ok: false, problem: notCsv(cause) }
    throw cause
  }
}

// More than the start of any table.
const START_BYTES_MIN = 65_536

async function startOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const start: Uint8Array[] = []
  for (let bytes = 0; bytes < START_BYTES_MIN; ) {
    const { value, done } = await chunks.next()
    if (done) break
    start.push(value)
    bytes += value.length
  }
  return start
}

async function* followedBy(start: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  yield* start
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

const COLUMNS_NAMED_MAX = 12

function unknownFile(wanted: UploadKind | null, header: readonly string[]): string {
  const more = header.length > COLUMNS_NAMED_MAX ? ` and ${header.length - COLUMNS_NAMED_MAX} more` : ""
  const columns = header.slice(0, COLUMNS_NAMED_MAX).map((name) => `"${name.slice(0, 40)}"`)
  const missing = wanted === null ? [] : missingColumns(UPLOAD_FORMATS[wanted].csv, header)
  if (missing.length > 0)
    return `It has no column ${missing.join(" and ")}. Its columns are ${columns.join(", ")}${more}.`
  return `No preset fits the columns of this file, and they do not have our names: ${columns.join(", ")}${more}. Add a preset, or upload it once in the app and match the columns: the next file is then read the same way.`
}

/** Throws for a file that is not text. */
function textOf(start: readonly Uint8Array[]): string {
  const text = receivedText()
  return [...start.flatMap((chunk) => text.add(chunk)), ...text.end()].join("")
}

/** What happened to a file that a program of the organization sent; null for any other file. */
export async function findSentFile(context: Context, organizationId: number, id: number) {
  const upload = await context.store.uploads.find(organizationId, id)
  if (upload === null || (upload.choices.sent === null && upload.uploadedBy !== null)) return null
  return { upload, report: fileReport(upload, await linesLeftOut(context, upload)) }
}

/** From the first page of the preview, which begins with the lines that were asked about. */
async function linesLeftOut({ store }: Context, { id, state, choices }: Upload): Promise<PreviewedLine[]> {
  if (state !== "done" || choices.sent?.allowLower === true) return []
  const page = await store.uploads.part(id, "preview", 0)
  const lines = page === null ? [] : (JSON.parse(page) as PreviewedLine[])
  return lines.filter(({ question }) => question !== null && goesDown(question))
}
