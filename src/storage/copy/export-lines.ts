import { UserError } from "../../domain/user-error.ts"
import { SERVICE_SECRETS } from "../port/settings.ts"
import { type Cell, fromLines, toLines } from "./copy-text.ts"
import type { Lines, ReadSide, TableShape } from "./sides.ts"

// Everything as JSON, one object on each line: first what it is, then every row under the name of its table, then how many there were.
// Numbers and texts are as they are stored, so that they can be read back exactly; moments are microseconds since 1970.

/** How such a file begins. */
export const EXPORT_MARK = '{"adbooth_export":1,'

interface Head {
  readonly schema: number
  readonly catalogue_revision: number
}

// Nobody stays signed in, and no open link works, in a copy.
const LEFT_OUT = ["session", "one_time_link"]

const SECRETS: readonly (Cell | undefined)[] = SERVICE_SECRETS

export const exportedTables = (tables: readonly TableShape[]): readonly TableShape[] =>
  tables.filter(({ name }) => !LEFT_OUT.includes(name))

export async function* exportLines(from: ReadSide, tables: readonly TableShape[], schema: number): Lines {
  const head = { schema, catalogue_revision: await from.catalogueRevision() }
  yield `${EXPORT_MARK}${JSON.stringify(head).slice(1)}\n`
  let rows = 0
  for (const table of exportedTables(tables)) {
    const names = table.columns.map(({ name }) => name)
    for await (const text of from.lines(table)) {
      const exported = fromLines(text, table).filter(([name]) => table.name !== "setting" || !SECRETS.includes(name))
      rows += exported.length
      yield exported.map((cells) => `${JSON.stringify({ [table.name]: asObject(names, cells) })}\n`).join("")
    }
  }
  yield `${JSON.stringify({ end: { rows } })}\n`
}

const asObject = (names: readonly string[], cells: readonly Cell[]): Record<string, Cell> =>
  Object.fromEntries(names.map((name, place) => [name, cells[place] ?? null]))

/** Rows of one table, as text that an engine can write. */
export interface ExportedRows {
  readonly table: TableShape
  readonly text: string
}

export interface ExportTarget {
  readonly schema: number
  readonly tables: readonly TableShape[]
  /** Called with rows, in the order of the file. */
  write(rows: ExportedRows): Promise<void>
}

const ROWS_AT_ONCE = 1_000

/** Reads an export back. `name` is what to call the file in errors. Returns the revision of its catalogue. */
export async function readExport(lines: AsyncIterable<string>, name: string, target: ExportTarget): Promise<number> {
  const byName = new Map(exportedTables(target.tables).map((table) => [table.name, table]))
  let head: Head | undefined
  let isComplete = false
  let rows = 0
  let waiting: { readonly table: TableShape; readonly rows: Cell[][] } | undefined
  const flush = async () => {
    if (waiting !== undefined) await target.write({ table: waiting.table, text: toLines(waiting.rows) })
    waiting = undefined
  }
  let number = 0
  for await (const line of lines) {
    number++
    const entry = entryOf(line, name, number)
    if (head === undefined) head = headOf(entry, name, target.schema)
    else if ("end" in entry) isComplete = (entry["end"] as { rows?: unknown }).rows === rows
    else {
      const [tableName = "", row] = Object.entries(entry)[0] ?? []
      const table = byName.get(tableName)
      if (table === undefined) throw new UserError(`${name} has an unknown table in line ${number}: "${tableName}".`)
      if (waiting?.table !== table || waiting.rows.length >= ROWS_AT_ONCE) await flush()
      waiting ??= { table, rows: [] }
      waiting.rows.push(cellsOf(row, table, name, number))
      rows++
    }
  }
  await flush()
  if (head === undefined || !isComplete) throw new UserError(`${name} is incomplete: its last line is missing.`)
  return head.catalogue_revision
}

function entryOf(line: string, name: string, number: number): Record<string, unknown> {
  try {
    const entry: unknown = JSON.parse(line)
    if (typeof entry === "object" && entry !== null) return entry as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new UserError(`${name} is damaged: line ${number} is not a JSON object.`)
}

function headOf(entry: Record<string, unknown>, name: string, schema: number): Head {
  if (entry["schema"] === schema) return entry as unknown as Head
  throw new UserError(
    `${name} is an export of another version of adbooth (schema ${entry["schema"]}; this program has ${schema}). Read it back with that version, then update.`,
  )
}

function cellsOf(row: unknown, { columns }: TableShape, name: string, number: number): Cell[] {
  const given = (row ?? {}) as Record<string, unknown>
  return columns.map(({ name: column, kind }) => {
    const cell = given[column]
    const isRight = cell === null || typeof cell === (kind === "text" ? "string" : "number")
    if (!isRight) throw new UserError(`${name} is damaged: line ${number} has no valid ${column}.`)
    return cell as Cell
  })
}
