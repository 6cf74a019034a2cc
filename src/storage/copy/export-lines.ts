import { UserError } from "../../domain/user-error.ts"
import { SERVICE_SECRETS } from "../port/settings.ts"
import { type Cell, fromLines, toLine } from "./copy-text.ts"
import type { Lines, ReadSide, TableShape, WriteSide } from "./sides.ts"

// Everything as JSON, one object on each line: first what it is, then every row under the name of its table, then how many there were.
// Numbers and texts are as they are stored, so that they can be read back exactly; moments are microseconds since 1970.

/** How such a file begins. */
export const EXPORT_MARK = '{"adbooth_export":1,'

interface Head {
  readonly schema: number
  readonly catalogue_revision: number
}

const SECRETS: readonly (Cell | undefined)[] = SERVICE_SECRETS

export const exportedTables = (tables: readonly TableShape[]): readonly TableShape[] =>
  tables.filter(({ exported }) => exported !== "never")

export async function* exportLines(
  from: ReadSide,
  tables: readonly TableShape[],
  schema: number,
): AsyncIterable<string> {
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

const ROWS_AT_ONCE = 1_000

/** What a file with an export is called in errors, and what it has to fit. */
interface Exported {
  readonly name: string
  readonly schema: number
  readonly tables: readonly TableShape[]
}

/** Reads an export back into an empty database. */
export async function readExport(lines: Lines, { name, schema, tables }: Exported, to: WriteSide): Promise<void> {
  const byName = new Map(exportedTables(tables).map((table) => [table.name, table]))
  let head: Head | undefined
  let isComplete = false
  let rows = 0
  let waiting: { readonly table: TableShape; readonly lines: string[] } | undefined
  const flush = async () => {
    if (waiting !== undefined) await to.write(waiting.table, [waiting.lines.join("")])
    waiting = undefined
  }
  let number = 0
  for await (const line of lines) {
    number++
    const entry = entryOf(line, name, number)
    if (head === undefined) head = headOf(entry, name, schema)
    else if ("end" in entry) isComplete = (entry["end"] as { rows?: unknown }).rows === rows
    else {
      const [tableName = "", row] = Object.entries(entry)[0] ?? []
      const table = byName.get(tableName)
      if (table === undefined) throw new UserError(`${name} has an unknown table in line ${number}: "${tableName}".`)
      if (waiting?.table !== table || waiting.lines.length >= ROWS_AT_ONCE) await flush()
      waiting ??= { table, lines: [] }
      waiting.lines.push(toLine(cellsOf(row, table, name, number)))
      rows++
    }
  }
  await flush()
  if (head === undefined || !isComplete) throw new UserError(`${name} is incomplete: its last line is missing.`)
  await to.finish(tables, head.catalogue_revision)
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
