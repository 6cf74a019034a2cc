import { NotText, receivedText } from "../../domain/upload/received-text.ts"
import type { FilesAndBytes, Upload, UploadChange } from "../../domain/upload/upload.ts"
import { NO_CHOICES, quotaProblem } from "../../domain/upload/upload.ts"
import { type Context, type ReportContext, transact, transactBeside } from "../context.ts"
import { beginFile, moveFile, type NewUpload, savePart } from "./file-state.ts"
import { type ArrivedFile, nextStep } from "./next-step.ts"

export interface ArrivingFile extends Omit<ArrivedFile, "id"> {
  /** Null for a file that a program sent. */
  readonly userId: number | null
  readonly fileName: string
  /** As announced; infinite where that is not known. */
  readonly bytes: number
  readonly bytesMax: number
}

/** A problem is "too large", "incomplete", one of the quota, or a sentence about what is in the file. */
export type Received = Readonly<{ ok: true; id: number } | { ok: false; problem: string }>

const FILE_NAME_CHARACTERS_MAX = 100
// What a form has besides its file, and more.
const FORM_BYTES = 65_536

/** Stores a file while it arrives. Nothing stays of one that does not arrive whole. */
export async function receiveUpload(
  context: ReportContext,
  file: ArrivingFile,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Received> {
  const { organizationId, userId: uploadedBy, kind, bytesMax } = file
  // Nobody need send the rest of it.
  if (Number.isFinite(file.bytes) && file.bytes > bytesMax + FORM_BYTES) return { ok: false, problem: "too large" }
  const fileName = file.fileName.replace(/\p{C}/gu, "").slice(0, FILE_NAME_CHARACTERS_MAX) || "file.csv"
  // Room for all of it is taken before it arrives: many at the same time do not take more.
  const bytes = Math.min(file.bytes, bytesMax)
  const begun = { organizationId, uploadedBy, kind: kind ?? "delivery", fileName, bytes, uploadedAt: context.clock() }
  return storeFile(context, begun, bytesMax, async (id, save) => {
    const text = receivedText()
    for await (const chunk of chunks) {
      if (text.bytes + chunk.length > bytesMax) return "too large"
      await save(text.add(chunk))
    }
    await save(text.end())
    const next = await nextStep(context, { ...file, id })
    if (file.sent !== null && next.state === "unreadable") return next.summary?.problem ?? "unreadable"
    return { bytes: text.bytes, rows: Math.max(text.lineBreaks - 1, 0), ...next }
  })
}

/** The same file once more, to read it with other columns or to decide what was refused. What it reported stays until it is withdrawn. */
export async function readAgain(
  context: Context,
  upload: Upload,
  userId: number,
  bytesMax: number,
  to: "columns" | "preview",
): Promise<Received> {
  // It means the same as when it was uploaded: figures without a day were measured then.
  const { organizationId, kind, fileName, bytes, rows, choices, uploadedAt } = upload
  const begun = { organizationId, uploadedBy: userId, kind, fileName, bytes, uploadedAt, changedAt: context.clock() }
  const { columns, preset, layout, isOurs, figures, dates } = choices
  // Other columns are read anew; where only what was refused is decided, all that was said stays.
  const kept =
    to === "preview"
      ? { ...choices, remember: false, anyway: [], seen: "", sent: null }
      : { ...NO_CHOICES, columns, preset, layout, isOurs, figures, dates }
  return storeFile(context, begun, bytesMax, async (_, save) => {
    for (let position = 0; ; position++) {
      const part = await context.store.uploads.part(upload.id, "file", position)
      if (part === null && position === 0) return "We no longer have this file."
      if (part === null) return { state: to, rows, choices: kept }
      await save([part])
    }
  })
}

/** Makes room for a file, stores its parts and moves it on; or says why not, and nothing of it stays. */
async function storeFile(
  context: Context,
  begun: NewUpload,
  bytesMax: number,
  store: (id: number, save: (parts: readonly string[]) => Promise<void>) => Promise<UploadChange | string>,
): Promise<Received> {
  const problemOf = (waiting: FilesAndBytes) => quotaProblem(waiting, begun.bytes, bytesMax)
  const id = await transact(context, (tx) => beginFile(tx, begun, problemOf))
  if (typeof id === "string") return { ok: false, problem: id }
  const arrived = (to: UploadChange) => {
    const by = { actor: "upload", at: context.clock(), action: null }
    return transact(context, (tx) => moveFile(tx, id, ["arriving"], to, by))
  }
  let position = 0
  const save = async (parts: readonly string[]) => {
    for (const part of parts) {
      const [at, next] = [context.clock(), position++]
      if (!(await transactBeside(context, (tx) => savePart(tx, id, "file", next, part, at)))) throw new Discarded()
    }
  }
  try {
    const to = await store(id, save)
    if (typeof to !== "string") return (await arrived(to)) ? { ok: true, id } : { ok: false, problem: "incomplete" }
    await arrived({ state: "discarded" })
    return { ok: false, problem: to }
  } catch (cause) {
    // The connection broke, most likely. If the database is what broke, the sweep finds the file later.
    await arrived({ state: "discarded" }).catch(() => undefined)
    if (cause instanceof Discarded) return { ok: false, problem: "incomplete" }
    if (cause instanceof NotText) return { ok: false, problem: cause.message }
    throw cause
  }
}

/** Somebody discarded the file while it arrived. */
class Discarded extends Error {}
