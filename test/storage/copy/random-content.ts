import { Database } from "bun:sqlite"
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core"
import fc from "fast-check"
import { sqliteReadSide, tableShapes } from "../../../src/storage/sqlite/copy.ts"
import { databasePath } from "../../../src/storage/sqlite/engine/open.ts"
import { sqliteTables } from "../../../src/storage/sqlite/engine/steps.ts"
import { sqliteStore } from "../../../src/storage/sqlite/index.ts"

// Content that no action would write, row by row, so that every table, column and odd value is moved.

const configs = new Map(
  Object.values<SQLiteTable>(sqliteTables)
    .map((table) => getTableConfig(table))
    .map((config) => [config.name, config]),
)

const text = fc.oneof(
  fc.string({ unit: "binary" }).map((value) => value.toWellFormed().replaceAll("\0", "")),
  fc.constantFrom(
    "",
    "\\N",
    "\\.",
    "NULL",
    "{}",
    '"',
    "\\",
    "a\tb\nc\rd\\n",
    "\b\v\f",
    "ä€😀",
    "\u{10ffff}",
    "'; --",
    "e-0",
  ),
)
const whole = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER))
const real = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e-7, 1e15, 1e21, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, 2 ** 53),
)

/** As many as the widest table has columns. */
const CELLS = 24

/** Values of one row, by column; references and keys are made of them later. */
const row = fc.record({
  texts: fc.array(text, { minLength: CELLS, maxLength: CELLS }),
  wholes: fc.array(whole, { minLength: CELLS, maxLength: CELLS }),
  reals: fc.array(real, { minLength: CELLS, maxLength: CELLS }),
  nulls: fc.array(fc.boolean(), { minLength: CELLS, maxLength: CELLS }),
})
export type RandomRow = typeof row extends fc.Arbitrary<infer Value> ? Value : never

/** Some rows for each table. */
export const randomContent = fc.dictionary(fc.constantFrom(...configs.keys()), fc.array(row, { maxLength: 5 }), {
  noNullPrototype: true,
})

/** Puts the rows into a new data directory. */
export async function fill(
  dataDirectory: string,
  content: Readonly<Record<string, readonly RandomRow[]>>,
): Promise<void> {
  const { store } = sqliteStore(dataDirectory, "test")
  await store[Symbol.asyncDispose]()
  using database = new Database(databasePath(dataDirectory))
  database.run("PRAGMA foreign_keys = ON")
  for (const { name, columns } of tableShapes()) {
    const config = configs.get(name)
    if (config === undefined) continue
    for (const [number, random] of (content[name] ?? []).entries()) {
      const cells = columns.map(({ name: column, kind }, place) => {
        const reference = config.foreignKeys
          .map((key) => key.reference())
          .find((one) => one.columns[0]?.name === column)
        const declared = config.columns.find((one) => one.name === column)
        if (reference !== undefined) {
          const there = getTableConfig(reference.foreignTable).name
          const ids = database.query(`SELECT "${reference.foreignColumns[0]?.name}" AS id FROM "${there}"`).values()
          return ids[number % Math.max(1, ids.length)]?.[0] ?? null
        }
        if (column === "id" && kind === "whole") return number + 1
        if (random.nulls[place] && declared?.notNull === false) return null
        if (kind === "whole") return random.wholes[place] ?? 0
        // The number at the end keeps what must be unique unique.
        return kind === "real" ? (random.reals[place] ?? 0) : `${random.texts[place]}${number}`
      })
      // A row that has nothing to refer to is left out, as is one that repeats a key.
      const isOrphan = config.foreignKeys.some((key) => {
        const [column] = key.reference().columns
        const place = columns.findIndex((one) => one.name === column?.name)
        return cells[place] === null && (column?.notNull === true || column?.primary === true)
      })
      if (isOrphan) continue
      const marks = columns.map(() => "?").join(", ")
      const names = columns.map((column) => `"${column.name}"`).join(", ")
      database.query(`INSERT OR IGNORE INTO "${name}" (${names}) SELECT ${marks}`).run(...(cells as string[]))
    }
  }
}

/** Everything in a data directory, as text by table. */
export async function contentOf(dataDirectory: string): Promise<Record<string, string>> {
  using side = sqliteReadSide(databasePath(dataDirectory))
  const content: Record<string, string> = {}
  for (const table of tableShapes()) {
    content[table.name] = ""
    for await (const text of side.lines(table)) content[table.name] += text
  }
  // Every copy counts it on.
  content["setting"] = (content["setting"] ?? "").replace(/^catalogue_revision\t.*\n/m, "")
  return content
}
