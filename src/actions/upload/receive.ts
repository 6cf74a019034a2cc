import type { Preset } from "../../domain/presets/preset.ts"
import type { UploadKind } from "../../domain/upload/columns.ts"
import { NotText, receivedText } from "../../domain/upload/received-text.ts"
import { type QuotaProblem, quotaProblem, type SentFile, type UploadChange } from "../../domain/upload/upload.ts"
import { type ReportContext as Context, transact, transactBeside } from "../context.ts"
import { beginFile, moveFile, savePart } from "./file-state.ts"
import { nextStep } from "./next-step.ts"

export interface ArrivingFile {
  readonly organizationId: number
  /** Null for a file that a program sent. */
  readonly userId: number | null
  readonly sent: SentFile | null
  /** The systems whose exports are known. */
  readonly presets: readonly Preset[]
  /** Null: its columns say what it is. */
  readonly kind: UploadKind | null
  readonly fileName: string
  /** As announced; infinite where that is not known. */
  readonly bytes: number
  readonly bytesMax: number
}

export type Received =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly problem: "too large" | "incomplete" | QuotaProblem | string }

const FILE_NAME_CHARACTERS_MAX = 100
// What a form has besides its file, and more.
const FORM_BYTES = 65_536

/** Stores a file while it arrives. Nothing stays of one that does not arrive whole. */
export async function receiveUpload(
  context: Context,
  file: ArrivingFile,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Received> {
  const { organizationId, userId: uploadedBy, kind } = file
  // Nobody need send the rest of it.
  if (Number.isFinite(file.bytes) && file.bytes > file.bytesMax + FORM_BYTES) return { ok: false, problem: "too large" }
  const fileName = file.fileName.replace(/\p{C}/gu, "").slice(0, FILE_NAME_CHARACTERS_MAX) || "file.csv"
  // Room for all of it is taken before it arrives: many at the same time do not take more.
  const bytes = Math.min(file.bytes, file.bytesMax)
  const begun = { organizationId, uploadedBy, kind: kind ?? "delivery", fileName, bytes, uploadedAt: context.clock() }
  const id = await transact(context, (tx) =>
    beginFile(tx, begun, (waiting) => quotaProblem(waiting, bytes, file.bytesMax)),
  )
  if (typeof id === "string") return { ok: false, problem: id }
  try {
    const problem = await store(context, id, file, chunks)
    if (problem === null) return { ok: true, id }
    await discard(context, id)
    return { ok: false, problem }
  } catch (cause) {
    // The connection broke, most likely. If the database is what broke, the sweep finds the file later.
    await discard(context, id).catch(() => undefined)
    if (cause instanceof NotText) return { ok: false, problem: cause.message }
    throw cause
  }
}

const discard = (context: Context, id: number) => arrived(context, id, { state: "discarded" })

function arrived(context: Context, id: number, to: UploadChange): Promise<boolean> {
  const by = { actor: "upload", at: context.clock(), action: null }
  return transact(context, (tx) => moveFile(tx, id, ["arriving"], to, by))
}

/** Null when all of it is stored; otherwise why not. */
async function store(context: Context, id: number, file: ArrivingFile, chunks: AsyncIterable<Uint8Array>) {
  const text = receivedText()
  let position = 0
  const save = async (parts: readonly string[]) => {
    for (const part of parts) {
      const at = context.clock()
      const next = position++
      if (!(await transactBeside(context, (tx) => savePart(tx, id, "file", next, part, at)))) return false
    }
    return true
  }
  for await (const chunk of chunks) {
    if (text.bytes + chunk.length > file.bytesMax) return "too large"
    if (!(await save(text.add(chunk)))) return "incomplete"
  }
  if (!(await save(text.end()))) return "incomplete"
  const { bytes, lineBreaks } = text
  const start = { bytes, digest: text.digest(), rows: Math.max(lineBreaks - 1, 0) }
  const next = await nextStep(context, { ...file, id })
  if (file.sent !== null && next.state === "unreadable") return next.summary?.problem ?? "unreadable"
  return (await arrived(context, id, { ...start, ...next })) ? null : "incomplete"
}
