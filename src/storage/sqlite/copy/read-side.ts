import { Database } from "bun:sqlite"
import { type Cell, toLines } from "../../copy/copy-text.ts"
import { type Lines, namesOf, type ReadSide, type TableShape } from "../../copy/sides.ts"
import { CATALOGUE_REVISION } from "../engine/catalogue-revision.ts"
import { schemaVersion } from "../engine/migrate.ts"

const ROWS_AT_ONCE_MAX = 5_000
const CHARACTERS_AT_ONCE = 1_000_000

/** A database file as it is at one moment, while others write it. */
export function sqliteReadSide(path: string): ReadSide & Disposable & { readonly schemaVersion: number } {
  const database = new Database(path, { readonly: true })
  database.run("PRAGMA busy_timeout = 5000")
  database.run("BEGIN")
  // The transaction begins with its first read.
  const version = schemaVersion(database)
  return { ...reading(database), name: path, schemaVersion: version, [Symbol.dispose]: () => database.close() }
}

/** Reads through a connection that somebody else opened. */
export function reading(database: Database): Omit<ReadSide, "name"> {
  return {
    lines: (table) => lines(database, table),
    async count({ name }) {
      return database.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${name}"`).get()?.count ?? 0
    },
    async rowWithNul({ name, columns, key }) {
      const texts = columns.filter(({ kind }) => kind === "text")
      if (texts.length === 0) return null
      const holds = texts.map((column) => `instr("${column.name}", char(0)) > 0`).join(" OR ")
      const row = database.query(`SELECT ${namesOf(key)} FROM "${name}" WHERE ${holds} LIMIT 1`).values()[0]
      return row === undefined ? null : row.map((cell) => JSON.stringify(cell)).join(", ")
    },
    async catalogueRevision() {
      const read = database.query<{ value: string }, [string]>("SELECT value FROM setting WHERE name = ?1")
      return Number(read.get(CATALOGUE_REVISION)?.value ?? 0)
    },
  }
}

async function* lines(database: Database, table: TableShape): Lines {
  const select = `SELECT ${namesOf(table.columns)} FROM "${table.name}"`
  const key = namesOf(table.key)
  const places = table.key.map((column) => table.columns.indexOf(column))
  let after: Cell[] = []
  // Few at first: rows of some tables are long.
  let limit = 100
  for (;;) {
    const next = after.length === 0 ? "" : ` WHERE (${key}) > (${marksOf(after)})`
    const rows = database
      .query<Cell[], Cell[]>(`${select}${next} ORDER BY ${key} LIMIT ${limit}`)
      .values(...after) as Cell[][]
    const last = rows.at(-1)
    if (last === undefined) return
    const text = toLines(rows)
    yield text
    if (rows.length < limit) return
    after = places.map((place) => last[place] ?? null)
    limit = Math.max(1, Math.min(ROWS_AT_ONCE_MAX, Math.floor((CHARACTERS_AT_ONCE / text.length) * rows.length)))
  }
}

export const marksOf = (values: readonly unknown[]) => values.map(() => "?").join(", ")
