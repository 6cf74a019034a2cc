import { join } from "node:path"
import { stringify } from "csv-stringify/sync"
import { makeOwnedFolders } from "../../../files/new-file.ts"
import type { Everything, StoredTable } from "../context.ts"
import { type Cell, readableColumns, readNames } from "./readable-columns.ts"
import { saveAs } from "./save-as.ts"

// What only the program itself needs, or holds nothing but secrets.
const LEFT_OUT = [
  "affiliate_placement",
  "agent_call_size",
  "delivery_source",
  "recovery_code",
  "setting",
  "upload_column",
  "upload_part",
]

export interface CsvFile {
  readonly file: string
  readonly rows: number
}

/** One CSV file for each table that people may want, in a folder that is created if there is none. */
export async function writeCsvFiles(everything: Everything, folder: string): Promise<CsvFile[]> {
  using _ = makeOwnedFolders(folder)
  const names = await readNames(everything.tables)
  const files: CsvFile[] = []
  for (const table of everything.tables.filter(({ name }) => !LEFT_OUT.includes(name))) {
    const columns = readableColumns(table, names)
    const file = `${table.name.replaceAll("_", "-")}.csv`
    let rows = 0
    const counted = texts(table, columns, (more) => {
      rows += more
    })
    await saveAs(join(folder, file), 0o600, counted)
    files.push({ file, rows })
  }
  return files
}

async function* texts(
  table: StoredTable,
  columns: ReturnType<typeof readableColumns>,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  yield stringify([columns.map(({ title }) => title)])
  for await (const rows of table.rows()) {
    count(rows.length)
    const cells = rows.map((row) => columns.map(({ text }) => text(row)))
    yield stringify(cells as Cell[][], { escape_formulas: true })
  }
}
