import { type Column, getTableColumns } from "drizzle-orm"
import { COPIED_TABLES, type CopiedTable, copiedTables } from "../../../src/storage/copies/copy.ts"
import type { Tx } from "../../../src/storage/database.ts"
import { randomNumbers } from "../../harness/data/random.ts"

const ROWS = 7
/** Reports are read some thousand at a time, so there must be more of them where every row counts. */
export const MANY = 12_000

/** The tables that fields refer to. */
const REFERENCES: Readonly<Record<string, CopiedTable>> = {
  organizationId: "organization",
  buyerId: "organization",
  ownerId: "organization",
  sellerId: "organization",
  userId: "user",
  uploadedBy: "user",
  campaignId: "campaign",
  lineId: "line",
  sourceId: "deliverySource",
  codeId: "affiliateCode",
  statementId: "statement",
  buyerKeyId: "buyerKey",
  productId: "product",
}

const TEXTS = [
  "",
  "Jürgen",
  '"quoted"',
  "back\\slash",
  "{1,NULL}",
  "two\nlines",
  "🎧 {}",
  "O'Neil",
  "\u2028",
  "NULL",
] as const
const NUMBERS = [0, 1, -1, 2 ** 53 - 1, 1_772_452_800_000_000] as const
const REALS = [0, 0.1, 1e-7, 1e21, 123_456.789, 9_007_199_254_740_991] as const
const VALUES: readonly unknown[] = [[], ["DE", "🎧"], { a: { b: null } }, "text", 1.5, { __proto__: null, "a\\": '"' }]

/** A text that every field has that may be in no export. */
export const SECRET = "s3cret"

/** Fills every table with odd values. */
export async function fillWithRandomContent(tx: Tx, seed: number, reports = ROWS): Promise<void> {
  const random = randomNumbers(seed)
  const keys = new Map<CopiedTable, readonly unknown[]>()

  function cell(table: CopiedTable, field: string, column: Column, row: number): unknown {
    const { key, secrets = [], isSecret } = COPIED_TABLES[table]
    const pool = keys.get(REFERENCES[field] ?? table)
    if (pool !== undefined) return pool[row % pool.length]
    if (column.enumValues !== undefined) return column.enumValues[row % column.enumValues.length]
    if (!column.notNull && random.below(3) === 0) return null
    if (column.dataType === "custom") return VALUES[random.below(VALUES.length)]
    if (column.dataType !== "number")
      return `${random.oneOf(TEXTS)}${secrets.includes(field) || isSecret === true ? SECRET : ""} ${row}`
    if (column.getSQLType() === "real" || column.getSQLType() === "double precision") return random.oneOf(REALS)
    // A key must be new. IDs have gaps.
    return key.includes(field) ? row * 3 + 5 : random.oneOf(NUMBERS)
  }

  for (const table of copiedTables) {
    const columns = Object.entries(getTableColumns(tx[table]) as Record<string, Column>)
    const rows = Array.from({ length: table === "deliveryReport" ? reports : ROWS }, (_, row) =>
      Object.fromEntries(columns.map(([field, column]) => [field, cell(table, field, column, row)])),
    )
    await tx.insertMany(tx[table], rows as never)
    const [key = ""] = COPIED_TABLES[table].key
    keys.set(
      table,
      rows.map((row) => row[key]),
    )
  }
}
