import type { Change } from "../../domain/people/audit.ts"
import { columnsProblem } from "../../domain/upload/columns.ts"
import {
  EMPTY_SUMMARY,
  UNDECIDED,
  type Upload,
  type UploadChoices,
  type UploadState,
} from "../../domain/upload/upload.ts"
import { type Context, transact } from "../context.ts"
import { moveFile } from "./file-state.ts"
import { fileStart } from "./read-rows.ts"

export type ColumnsChosen =
  | { readonly ok: true }
  /** A sentence about the columns; null when the file has moved on meanwhile. */
  | { readonly ok: false; readonly problem: string | null }

export interface ColumnWishes {
  readonly columns: readonly string[]
  /** Whether the next file of the organization is read the same way, once this one is reported. */
  readonly remember: boolean
  /** Whether each row is a total to date, although the preset adds rows up. */
  readonly rowsAreTotals: boolean
}

/** Says what the columns of a file mean, and has it read. */
export async function chooseColumns(
  context: Context,
  upload: Upload,
  { columns, remember, rowsAreTotals }: ColumnWishes,
  author: Change,
): Promise<ColumnsChosen> {
  const problem = columnsProblem(upload.kind, columns)
  if (problem !== undefined) return { ok: false, problem }
  const start = await fileStart(context.store, upload.id, upload.choices.layout)
  if (start === null || columns.length !== start.header.length) return { ok: false, problem: null }
  const preset = rowsAreTotals ? null : upload.choices.preset
  const isMoved = await readWith(context, upload, { columns, preset, remember }, UNDECIDED, author)
  return isMoved ? { ok: true } : { ok: false, problem: null }
}

/** Says how to read numbers or days that can be read in two ways, for the whole file, and has it read again. */
export function chooseReadings(
  context: Context,
  upload: Upload,
  readings: Partial<Pick<UploadChoices, "numbers" | "dates">>,
  author: Change,
): Promise<boolean> {
  return readWith(context, upload, readings, ["preview"], author)
}

function readWith(
  context: Context,
  upload: Upload,
  chosen: Partial<UploadChoices>,
  from: readonly UploadState[],
  author: Change,
): Promise<boolean> {
  const choices = { ...upload.choices, ...chosen, anyway: [] }
  const next = { state: "reading", choices, rowsDone: 0, summary: EMPTY_SUMMARY } as const
  return transact(context, (tx) => moveFile(tx, upload.id, from, next, { ...author, action: null }))
}

/** Has a previewed file reported. Odd lines are left out, except those in `anyway`. False when it was decided about already. */
export function reportUpload(
  context: Context,
  upload: Upload,
  anyway: UploadChoices["anyway"],
  author: Change,
): Promise<boolean> {
  const next = {
    state: "reporting",
    rowsDone: 0,
    choices: { ...upload.choices, anyway },
    summary: { ...upload.summary, notice: "" },
    receivedAt: author.at,
  } as const
  return transact(context, (tx) => moveFile(tx, upload.id, ["preview"], next, { ...author, action: "report upload" }))
}

/** Cancels the reading of a file, or discards it. False when it is being reported, or was. */
export function discardUpload(context: Context, uploadId: number, author: Change): Promise<boolean> {
  const by = { ...author, action: "discard upload" }
  return transact(context, (tx) => moveFile(tx, uploadId, UNDECIDED, { state: "discarded" }, by))
}
