import type { Change } from "../../domain/people/audit.ts"
import { columnsProblem } from "../../domain/upload/columns.ts"
import { EMPTY_SUMMARY, type Upload } from "../../domain/upload/upload.ts"
import { type Context, writesOf } from "../context.ts"
import { fileStart } from "./file-rows.ts"

export type ColumnsChosen =
  | { readonly ok: true }
  /** A sentence about the columns; null when the file has moved on meanwhile. */
  | { readonly ok: false; readonly problem: string | null }

export interface ColumnWishes {
  readonly columns: readonly string[]
  /** Whether the next file of the organization is read the same way. */
  readonly remember: boolean
  /** Whether each row is a total to date, although the preset adds rows up. */
  readonly rowsAreTotals: boolean
}

/** Says what the columns of a file mean, and has it read. */
export async function chooseColumns(
  context: Context,
  upload: Upload,
  { columns, remember, rowsAreTotals }: ColumnWishes,
  change: Change,
): Promise<ColumnsChosen> {
  const problem = columnsProblem(upload.kind, columns)
  if (problem !== undefined) return { ok: false, problem }
  const start = await fileStart(context.store, upload.id, upload.choices.layout)
  if (start === null || columns.length !== start.header.length) return { ok: false, problem: null }
  const { uploads } = writesOf(context)
  const preset = rowsAreTotals ? null : upload.choices.preset
  const choices = { ...upload.choices, columns, preset, anyway: [] }
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
