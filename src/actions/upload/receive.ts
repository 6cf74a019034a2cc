import type { Sheet } from "../../domain/upload/upload.ts"
import { EMPTY_SUMMARY, NO_CHOICES, sheetNames } from "../../domain/upload/upload.ts"
import { type ReportContext, transact } from "../context.ts"
import { addFile, type NewUpload } from "./file-state.ts"
import { type NewFile, type NewReading, readAnew } from "./read-anew.ts"

export interface ArrivingFile extends NewFile {
  /** Null for a file that a program sent. */
  readonly userId: number | null
  readonly fileName: string
  readonly bytes: number
}

/** A problem is a sentence. */
export type Received = Readonly<{ ok: true; id: number } | { ok: false; problem: string }>

const NO_ROOM = "Too many files are waiting for a decision. Report or discard some of them first."

/** Keeps a file of a person until somebody decides about it. Nothing stays of one that cannot be read. */
export async function receiveUpload(
  context: ReportContext,
  file: ArrivingFile,
  sheets: readonly Sheet[],
): Promise<Received> {
  const [only, ...others] = sheets
  // Which of several sheets is meant, only the person knows.
  const reading =
    only === undefined || others.length > 0
      ? { ...SHEET_ASKED, kind: file.kind ?? "delivery" }
      : await readAnew(context, file, only)
  if (!reading.ok) return reading
  const names = sheetNames(sheets)
  const upload = newUpload(file, reading, context.clock())
  const choices = { ...upload.choices, sheets: names, sheet: others.length > 0 ? null : 0 }
  const texts = sheets.map(({ text }) => text)
  const id = await transact(context, (tx) => addFile(tx, { ...upload, choices }, texts))
  return id === null ? { ok: false, problem: NO_ROOM } : { ok: true, id }
}

const SHEET_ASKED = { ok: true, choices: { ...NO_CHOICES, asks: true }, table: { header: [], rows: [] } } as const

const FILE_NAME_CHARACTERS_MAX = 100

/** A file as it is before anything of it is stored. */
export function newUpload(
  { organizationId, userId: uploadedBy, fileName: name, bytes }: ArrivingFile,
  { kind, choices, table }: Pick<Extract<NewReading, { ok: true }>, "kind" | "choices" | "table">,
  uploadedAt: number,
): NewUpload {
  const fileName = name.replace(/\p{C}/gu, "").slice(0, FILE_NAME_CHARACTERS_MAX) || "file.csv"
  const summary = EMPTY_SUMMARY
  const rows = table.rows.length
  return { organizationId, uploadedBy, kind, fileName, state: "open", bytes, uploadedAt, rows, choices, summary }
}
