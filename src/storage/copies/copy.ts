import { type Column, getTableColumns, getTableName } from "drizzle-orm"
import { UserError } from "../../domain/user-error.ts"
import { nextTurn } from "../../next-turn.ts"
import type { ReadTx, Tx } from "../database.ts"
import { sqliteKit } from "../tables/kit.ts"
import { tablesOf } from "../tables/tables.ts"
import { COPIED_TABLES, type CopiedTable } from "./copied-tables.ts"

const ROWS_AT_ONCE = 5_000

export type Row = Record<string, string | number | null>

/** Called after each part: which table is being copied or checked, and how many of its rows are done. */
export type Progress = (step: "copy" | "check", table: string, rows: number) => void

/** The number of rows of each table, and the SHA-256 of all of them in the order of their keys. */
export type CopiedRows = Readonly<Record<string, { readonly rows: number; readonly digest: string }>>

/** The tables in an order in which each comes after those that it refers to. */
export const copiedTables = (Object.keys(tablesOf(sqliteKit)) as (CopiedTable | "revision")[]).filter(
  (table) => table !== "revision",
)

/** Copies everything into empty tables, reads it back and compares. Throws if anything differs. */
export async function copyTables(from: ReadTx, to: Tx, progress: Progress = () => undefined): Promise<CopiedRows> {
  const copied: Record<string, CopiedRows[string]> = {}
  for (const table of copiedTables) {
    const source = proofOf(from, table, (rows) => progress("copy", table, rows))
    for await (const rows of rowsOf(from, table)) {
      source.add(rows)
      await to.insertMany(to[table], rows as never)
    }
    const target = proofOf(to, table, (rows) => progress("check", table, rows))
    for await (const rows of rowsOf(to, table)) target.add(rows)
    const result = target.result()
    if (result.digest !== source.result().digest)
      throw new UserError(`The copy isn't equal to its source: ${getTableName(to[table])}. It wasn't kept.`)
    copied[table] = result
  }
  return copied
}

/** Deletes the rows of all tables, those first that refer to others. */
export async function emptyTables(tx: Tx): Promise<void> {
  for (const table of copiedTables.toReversed()) await tx.db.delete(tx[table])
}

/** Whether the database has any data that an operator would miss. */
export async function holdsData(read: ReadTx): Promise<boolean> {
  for (const table of copiedTables) {
    if (!COPIED_TABLES[table].isData) continue
    if ((await read.db.select().from(read[table]).limit(1)).length > 0) return true
  }
  return false
}

/** All rows of a table in the order of its key, some at a time. */
export async function* rowsOf(read: ReadTx, table: CopiedTable): AsyncGenerator<readonly Row[]> {
  const columns = getTableColumns(read[table]) as Record<string, Column>
  const key = COPIED_TABLES[table].key.map((field) => columns[field]?.name ?? field)
  const names = Object.entries(columns).map(([field, { name }]) => `"${name}" AS "${field}"`)
  const select = `SELECT ${names.join(", ")} FROM "${getTableName(read[table])}"`
  const order = `ORDER BY ${key.join(", ")} LIMIT ${ROWS_AT_ONCE}`
  const after = `WHERE (${key.join(", ")}) > (${key.map((_, i) => `$${i + 1}`).join(", ")})`
  const decoders = Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, decoderOf(column)]))

  let last: Row | undefined
  for (;;) {
    const values = last === undefined ? [] : COPIED_TABLES[table].key.map((field) => last?.[field] ?? null)
    const rows = await read.rows<Row>(`${select} ${last === undefined ? "" : after} ${order}`, values, decoders)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)
    // On SQLite all of this is one turn of the event loop otherwise, and requests would wait.
    await nextTurn()
  }
}

function decoderOf(column: Column): (value: unknown) => string | number | null {
  const decode = column.dataType === "number" ? Number : (value: unknown) => column.mapFromDriverValue(storable(value))
  return (value) => (value === null ? null : (decode(value) as string | number))
}

/** PostgreSQL can't store U+0000. */
const storable = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u{fffd}") : value

/** Hashes rows that are read one after the other. */
function proofOf(read: ReadTx, table: CopiedTable, progress: (rows: number) => void) {
  const hasher = new Bun.CryptoHasher("sha256")
  const fields = Object.keys(getTableColumns(read[table]))
  let count = 0
  return {
    add(rows: readonly Row[]) {
      hasher.update(JSON.stringify(rows.map((row) => fields.map((field) => row[field]))))
      count += rows.length
      progress(count)
    },
    result: () => ({ rows: count, digest: hasher.copy().digest("hex") }),
  }
}
