import { stringify } from "csv-stringify/sync"
import { getTableColumns, getTableName } from "drizzle-orm"
import type { ReadTx } from "../database.ts"
import { COPIED_TABLES, type CopiedTable, SECRET_SETTINGS } from "./copied-tables.ts"
import { copiedTables, type Row, rowsOf } from "./copy.ts"

/** A table without its secrets, some rows at a time. */
export interface ExportedTable {
  /** As in the database, such as "delivery_report". */
  readonly name: string
  readonly fields: readonly string[]
  rows(): AsyncGenerator<readonly Row[]>
}

/** Everything but secrets. Read it inside `snapshot`, so that it's as it was at one moment. */
export const exportedTables = (read: ReadTx): ExportedTable[] =>
  copiedTables
    .filter((table) => COPIED_TABLES[table].isSecret !== true)
    .map((table) => ({
      name: getTableName(read[table]),
      fields: Object.keys(getTableColumns(read[table])).filter((field) => !secretsOf(table).includes(field)),
      rows: () => rowsWithoutSecrets(read, table),
    }))

const secretsOf = (table: CopiedTable): readonly string[] => COPIED_TABLES[table].secrets ?? []

/** Everything as JSON lines: `{"line":{"id":1,"packageId":"…"}}`. */
export async function* exportLines(read: ReadTx): AsyncGenerator<string> {
  for (const { name, rows } of exportedTables(read))
    for await (const some of rows()) yield some.map((row) => `${JSON.stringify({ [name]: row })}\n`).join("")
}

/** A table as CSV, with a line of headings. */
export async function* csvLines({ fields, rows }: ExportedTable): AsyncGenerator<string> {
  yield stringify([fields], { ...CSV_FORMAT, bom: true })
  for await (const some of rows())
    yield stringify(
      some.map((row) => Object.values(row)),
      CSV_FORMAT,
    )
}

// A spreadsheet would run a text that begins like a formula.
const CSV_FORMAT = { record_delimiter: "windows", escape_formulas: true } as const

async function* rowsWithoutSecrets(read: ReadTx, table: CopiedTable): AsyncGenerator<readonly Row[]> {
  const secrets = secretsOf(table)
  for await (const rows of rowsOf(read, table)) {
    const shown = table === "setting" ? rows.filter(({ name }) => !String(name).startsWith(SECRET_SETTINGS)) : rows
    yield shown.map((row) => withoutFields(row, secrets))
  }
}

const withoutFields = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)))
