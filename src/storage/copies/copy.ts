import { stringify } from "csv-stringify/sync"
import { type Column, getTableColumns, getTableName } from "drizzle-orm"
import { UserError } from "../../domain/errors.ts"
import { nextTurn } from "../../within.ts"
import type { ReadTx, Tx } from "../database.ts"
import type { Tables } from "../tables/tables.ts"

/** What a copy must know about a table besides its columns. */
interface TableFacts {
  /** The fields of its primary key: rows are read in this order. */
  readonly key: readonly string[]
  /** Fields that no export has: secrets and hashes of secrets. */
  readonly secrets?: readonly string[]
  /** It's left out of exports, because all it holds is secrets. */
  readonly isSecret?: true
  /** A restore empties it, so that sessions and one-time links that ended since the backup don't work again. */
  readonly isEmptied?: true
  /** Its rows are data: a database with any of them isn't replaced without a question. */
  readonly isData?: true
}

/**
 * All tables but `revision`, which only counts, and so must never go back to an earlier number. Each comes after those that it
 * refers to.
 */
export const COPIED_TABLES: Readonly<Record<Exclude<keyof Tables, "revision">, TableFacts>> = {
  organization: { key: ["id"], secrets: ["stamp", "previousStamp"], isData: true },
  organizationLogo: { key: ["organizationId"] },
  apiKey: { key: ["id"], secrets: ["fingerprint"] },
  auditEntry: { key: ["id"] },
  user: { key: ["id"], secrets: ["passwordHash", "totpSecret", "totpStep"], isData: true },
  membership: { key: ["userId", "organizationId"] },
  session: { key: ["id"], isSecret: true, isEmptied: true },
  recoveryCode: { key: ["userId", "codeHash"], isSecret: true },
  oneTimeLink: { key: ["id"], isSecret: true, isEmptied: true },
  invitation: { key: ["id"], secrets: ["tokenHash"], isEmptied: true },
  signInFailure: { key: ["subject"], isSecret: true },
  campaign: { key: ["id"] },
  line: { key: ["id"] },
  shareLink: { key: ["id"], secrets: ["tokenHash"] },
  deliverySource: { key: ["id"] },
  deliveryReport: { key: ["asOf", "lineId", "receivedAt"] },
  deliveryDay: { key: ["day", "lineId"] },
  deliveryTotal: { key: ["lineId"] },
  withdrawnReport: { key: ["id"] },
  affiliateCode: { key: ["id"] },
  affiliateMetric: { key: ["codeId", "date"] },
  buyerKey: { key: ["id"], secrets: ["fingerprint"], isData: true },
  product: { key: ["productId"], isData: true },
  creativeFormat: { key: ["formatId"], isData: true },
  opening: { key: ["buyerKeyId", "productId"] },
  agentCall: { key: ["id"] },
  setting: { key: ["name"] },
  alert: { key: ["kind", "subject"] },
  alertMessage: { key: ["id"] },
  refusal: { key: ["hour", "way", "status"] },
  feedCount: { key: ["apiKeyId", "hour", "feed", "unit", "outcome"] },
  feedLastRequest: { key: ["apiKeyId"] },
  rejectedItem: { key: ["id"] },
  order: { key: ["id"], secrets: ["codeHash", "linkHash"] },
  statement: { key: ["id"] },
  statementLine: { key: ["statementId", "lineId", "currency"] },
  upload: { key: ["id"] },
  uploadMemory: { key: ["organizationId", "kind", "name"] },
}

export type CopiedTable = keyof typeof COPIED_TABLES

/** Tables whose rows stay revoked when an older copy replaces them, and the column by which a row is recognized: IDs may belong to something else. */
export const REVOCABLE = [
  ["api_key", "fingerprint"],
  ["buyer_key", "fingerprint"],
  ["share_link", "token_hash"],
] as const

/** Settings whose names begin like this are secrets. */
const SECRET_SETTINGS = "secret."

const ROWS_AT_ONCE = 5_000

type Row = Record<string, string | number | null>

/** Called after each part: which table is being copied or checked, and how many of its rows are done. */
export type Progress = (step: "copy" | "check", table: string, rows: number) => void

/** The number of rows of each table, and the SHA-256 of all of them in the order of their keys. */
export type CopiedRows = Readonly<Record<string, { readonly rows: number; readonly digest: string }>>

export const copiedTables = Object.keys(COPIED_TABLES) as CopiedTable[]

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
    // Otherwise, on SQLite, all of this would be one turn of the event loop, and requests would wait.
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

/** A table without its secrets, some rows at a time. */
interface ExportedTable {
  /** As in the database, such as "delivery_report". */
  readonly name: string
  readonly fields: readonly string[]
  rows(): AsyncGenerator<readonly Row[]>
}

/** Everything but secrets. Read it inside `snapshot`, so that all of it is from one moment. */
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
