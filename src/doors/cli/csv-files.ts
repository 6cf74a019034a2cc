import { join } from "node:path"
import { stringify } from "csv-stringify/sync"
import { formatMoment } from "../../domain/time/moment.ts"
import { inWords, makeOwnedFolders } from "../../files/new-file.ts"
import type { Everything, StoredTable } from "../../storage/port/copies.ts"
import { saveAs } from "./write-fully.ts"

/** One CSV file for each table that people may want, in a folder that is created if there is none. */
export async function writeCsvFiles(everything: Everything, folder: string) {
  using _ = inWords(`The folder ${folder} cannot be created`, () => makeOwnedFolders(folder))
  const names = await readNames(everything.tables)
  const files: { readonly file: string; readonly rows: number }[] = []
  for (const table of everything.tables.filter(({ isForPeople }) => isForPeople)) {
    const columns = readableColumns(table, names)
    const file = `${table.name.replaceAll("_", "-")}.csv`
    const written = { file, rows: 0 }
    await saveAs(join(folder, file), 0o600, texts(table, columns, written))
    files.push(written)
  }
  return files
}

async function* texts(table: StoredTable, columns: readonly ReadableColumn[], written: { rows: number }) {
  yield stringify([columns.map(({ title }) => title)])
  for await (const rows of table.rows()) {
    written.rows += rows.length
    const cells = rows.map((row) => columns.map(({ text }) => text(row)))
    yield stringify(cells as Cell[][], { escape_formulas: true })
  }
}

export type Cell = string | number | null

type ReadableColumn = Readonly<{ title: string; text: (row: readonly Cell[]) => Cell }>

/** What numbers stand for: by the name of the table, then by number. */
export type Names = ReadonlyMap<string, ReadonlyMap<Cell, Cell>>

// Columns that refer to a table whose rows people know by a name, and what they are called then.
const REFERENCES: Readonly<Record<string, readonly [table: string, title: string]>> = {
  organization_id: ["organization", "organization"],
  buyer_id: ["organization", "buyer"],
  seller_id: ["organization", "seller"],
  user_id: ["user", "user"],
  uploaded_by: ["user", "uploaded_by"],
  campaign_id: ["campaign", "campaign"],
  line_id: ["package_line", "package_id"],
  code_id: ["affiliate_code", "code"],
  source_id: ["delivery_source", "source"],
  ingest_key_id: ["ingest_key", "ingest_key"],
  agent_key_id: ["agent_key", "agent_key"],
}

const MOMENT = /(?:^|_)(?:at|as_of|until)$|^hour$/

/** Reads what numbers stand for. Only tables that grow with the people and the things sold: they fit into memory. */
export async function readNames(tables: readonly StoredTable[]): Promise<Names> {
  const names = new Map<string, ReadonlyMap<Cell, Cell>>()
  for (const table of tables) {
    const indexOf = (column: string) => table.columns.findIndex(({ name }) => name === column)
    if (table.knownBy.length === 0) continue
    names.set(table.name, await namesIn(table, indexOf("id"), table.knownBy.map(indexOf)))
  }
  return names
}

async function namesIn(table: StoredTable, key: number, columns: readonly number[]): Promise<ReadonlyMap<Cell, Cell>> {
  const names = new Map<Cell, Cell>()
  for await (const rows of table.rows())
    for (const row of rows) {
      const texts = columns.map((index) => row[index]).filter((cell) => cell !== "")
      names.set(row[key] ?? null, texts.join(" "))
    }
  return names
}

/** The columns of a table as people read them: names for numbers, times in UTC, and no secrets. */
export const readableColumns = ({ columns }: Pick<StoredTable, "columns">, names: Names): ReadableColumn[] =>
  columns.flatMap(({ name, kind, isHidden }, index): ReadableColumn[] => {
    if (isHidden) return []
    const cell = (row: readonly Cell[]) => row[index] ?? null
    const [table = "", title = ""] = REFERENCES[name] ?? []
    const cached = names.get(table)
    if (cached !== undefined) return [{ title, text: (row) => cached.get(cell(row)) ?? cell(row) }]
    if (name === "value_micros") return [{ title: "value", text: (row) => decimal(cell(row)) }]
    if (kind === "whole" && MOMENT.test(name)) return [{ title: name, text: (row) => moment(cell(row)) }]
    return [{ title: name, text: cell }]
  })

const moment = (cell: Cell) => (typeof cell === "number" ? formatMoment(cell) : cell)

/** Exact: 1234567 is 1.234567. */
function decimal(cell: Cell): Cell {
  if (typeof cell !== "number") return cell
  const text = String(cell).padStart(7, "0")
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, "")
}
