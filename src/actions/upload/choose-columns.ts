import type { Change } from "../../domain/people/audit.ts"
import { columnsProblem } from "../../domain/upload/columns.ts"
import { EMPTY_SUMMARY, type Upload } from "../../domain/upload/upload.ts"
import { type Context, writesOf } from "../context.ts"
import { fileStart } from "./file-rows.ts"

export type ColumnsChosen =
  | { readonly ok: true }
  /** A sentence about the columns; null when the file has moved on meanwhile. */
  | { readonly ok: false; readonly problem: string | null }

/** Says what the columns of a file mean, and has it read. Remembered for the next file of the organization where wanted. */
export async function chooseColumns(
  context: Context,
  upload: Upload,
  columns: readonly string[],
  remember: boolean,
  change: Change,
): Promise<ColumnsChosen> {
  const problem = columnsProblem(upload.kind, columns)
  if (problem !== undefined) return { ok: false, problem }
  const start = await fileStart(context.store, upload.id, upload.choices.layout)
  if (start === null || columns.length !== start.header.length) return { ok: false, problem: null }
  const { uploads } = writesOf(context)
  const choices = { ...upload.choices, columns, anyway: [] }
  const next = { state: "reading", choices, rowsDone: 0, summary: EMPTY_SUMMARY } as const
  const moved = await uploads.move(upload.id, ["columns", "reading", "preview", "unreadable"], next, {
    ...change,
    action: null,
  })
  if (!moved) return { ok: false, problem: null }
  // A column without a name cannot be recognized again.
  const named = start.header.flatMap((name, i): [string, string][] => (name === "" ? [] : [[name, columns[i] ?? ""]]))
  if (remember) await uploads.rememberColumns(upload.organizationId, upload.kind, new Map(named))
  return { ok: true }
}
