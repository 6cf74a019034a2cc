import { UPLOADS_KEPT_MAX } from "../../domain/limits.ts"
import { partsOf } from "../../domain/upload/received-text.ts"
import type { Sheet, Upload, UploadChange } from "../../domain/upload/upload.ts"
import { keptBytesMax, NO_CHOICES, quotaProblem } from "../../domain/upload/upload.ts"
import { type Context, type ReportContext, transact, transactBeside } from "../context.ts"
import { beginFile, moveFile, type NewUpload, removeFile, savePart } from "./file-state.ts"
import { SHEET_POSITIONS, textIn } from "./open-file.ts"
import { type NewFile, type NewReading, readAnew } from "./read-anew.ts"

export interface ArrivingFile extends NewFile {
  /** Null for a file that a program sent. */
  readonly userId: number | null
  readonly fileName: string
  readonly bytes: number
  readonly bytesMax: number
  /** The sheet that is meant of a workbook with several; null where nobody has said it. */
  readonly sheet: string | null
}

/** A problem is one of the quota, or a sentence about what is in the file. */
export type Received = Readonly<{ ok: true; id: number } | { ok: false; problem: string }>

const FILE_NAME_CHARACTERS_MAX = 100

/** Keeps a file until somebody decides about it. Nothing stays of one that cannot be read. */
export async function receiveUpload(
  context: ReportContext,
  file: ArrivingFile,
  sheets: readonly Sheet[],
): Promise<Received> {
  const chosen = sheetOf(file, sheets)
  if (typeof chosen === "string") return { ok: false, problem: chosen }
  const reading: NewReading =
    chosen === null
      ? { ok: true, kind: file.kind ?? "delivery", choices: { ...NO_CHOICES, asks: true }, rows: 0 }
      : await readAnew(context, file, chosen.text)
  if (!reading.ok) return reading
  // Of a program's workbook only the sheet that it means is kept.
  const kept = chosen === null || file.sent === null ? sheets : [chosen]
  const names = kept.length > 1 ? kept.map(({ name }) => name) : []
  const { organizationId, userId: uploadedBy, bytes, bytesMax } = file
  const fileName = file.fileName.replace(/\p{C}/gu, "").slice(0, FILE_NAME_CHARACTERS_MAX) || "file.csv"
  const { kind, rows, choices } = reading
  const begun = { organizationId, uploadedBy, kind, fileName, bytes, uploadedAt: context.clock() }
  const sheet = chosen === null ? null : kept.indexOf(chosen)
  const to = { kind, rows, choices: { ...choices, sheets: names, sheet } }
  return keep(
    context,
    begun,
    bytesMax,
    kept.map(({ text }) => text),
    to,
  )
}

/** The sheet that is read; null where a person has to choose it; a sentence where a program has to. */
function sheetOf({ sent, sheet: wanted }: ArrivingFile, sheets: readonly Sheet[]): Sheet | string | null {
  const [only, ...others] = sheets
  if (wanted === null && only !== undefined && others.length === 0) return only
  const named = sheets.find(({ name }) => name === wanted)
  if (named !== undefined || sent === null) return named ?? null
  const names = sheets.map(({ name }) => name).join(", ")
  if (names === "") return "This file is no workbook, so it has no sheets."
  return `This workbook has these sheets: ${names.slice(0, 200)}. Say which: sheet=NAME (adbooth report --sheet NAME).`
}

/** Stores the texts of a file, and has somebody decide about it; or says why not, and nothing of it stays. */
async function keep(
  context: Context,
  begun: NewUpload,
  bytesMax: number,
  texts: readonly string[],
  to: UploadChange,
): Promise<Received> {
  const kept = { files: UPLOADS_KEPT_MAX, bytes: keptBytesMax(bytesMax) }
  const problemOf = (waiting: Parameters<typeof quotaProblem>[0]) => quotaProblem(waiting, begun.bytes, bytesMax)
  const id = await transact(context, (tx) => beginFile(tx, begun, problemOf, kept))
  if (typeof id === "string") return { ok: false, problem: id }
  const by = { actor: "upload", at: context.clock(), action: null }
  try {
    for (const [sheet, text] of texts.entries())
      for (const [position, part] of [...partsOf(text)].entries())
        await transactBeside(context, (tx) => savePart(tx, id, "file", sheet * SHEET_POSITIONS + position, part))
    await transact(context, (tx) => moveFile(tx, id, ["arriving"], { ...to, state: "preview" }, by))
    return { ok: true, id }
  } catch (cause) {
    // If the database is what broke, the upkeep finds the file later.
    await transact(context, (tx) => removeFile(tx, id, by)).catch(() => undefined)
    throw cause
  }
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
  const text = await textIn(context.store, upload)
  if (text === null) return { ok: false, problem: "We no longer have this file." }
  const begun = { organizationId, uploadedBy: userId, kind, fileName, bytes, uploadedAt }
  const { columns, preset, layout, isOurs, figures, dates } = choices
  const one = { sheets: [], sheet: 0, sent: null, readAsAt: null }
  // Other columns are read anew; where only what was refused is decided, all that was said stays.
  const kept =
    to === "preview"
      ? { ...choices, ...one, remember: false, anyway: [], seen: "", asks: false }
      : { ...NO_CHOICES, ...one, columns, preset, layout, isOurs, figures, dates, asks: true }
  return keep(context, begun, bytesMax, [text], { kind, rows, choices: kept })
}
