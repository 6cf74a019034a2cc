import { Database } from "bun:sqlite"
import { type Cell, fromLines, toLines } from "../../copy/copy-text.ts"
import { type Lines, namesOf, type ReadSide, type TableShape, type WriteSide } from "../../copy/sides.ts"
import { CATALOGUE_REVISION } from "../engine/catalogue-revision.ts"
import { migrate, schemaVersion } from "../engine/migrate.ts"
import { makePrivateFile, markAsOurs } from "../engine/open.ts"

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
function reading(database: Database): Omit<ReadSide, "name"> {
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
  const indexes = table.key.map((column) => table.columns.indexOf(column))
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
    after = indexes.map((index) => last[index] ?? null)
    limit = Math.max(1, Math.min(ROWS_AT_ONCE_MAX, Math.floor((CHARACTERS_AT_ONCE / text.length) * rows.length)))
  }
}

const marksOf = (values: readonly unknown[]) => values.map(() => "?").join(", ")

/** A new database file of this version, to be filled where nobody else sees it. It is on disk once it was closed and synced. */
export function sqliteWriteSide(path: string): WriteSide & Disposable {
  makePrivateFile(path)
  const database = new Database(path, { create: true })
  // Unfinished, it is thrown away: nothing has to survive a crash.
  database.run("PRAGMA journal_mode = OFF")
  database.run("PRAGMA synchronous = OFF")
  markAsOurs(database)
  migrate(database, path, "")
  // What refers to what was checked in the source, and is checked again in the finished file.
  database.run("PRAGMA foreign_keys = OFF")
  // The one row that a new database begins with is copied too.
  database.run("DELETE FROM agent_call_size")
  const { lines, count } = reading(database)
  return {
    name: path,
    holdsNul: true,
    lines,
    count,
    write: (table, given) => write(database, table, given),
    async finish(_tables, catalogueRevision) {
      const keep = database.query(
        `INSERT INTO setting (name, value) VALUES (?1, CAST(?2 + 1 AS TEXT))
         ON CONFLICT (name) DO UPDATE SET value = CAST(max(CAST(value AS INTEGER), ?2) + 1 AS TEXT)`,
      )
      keep.run(CATALOGUE_REVISION, catalogueRevision)
      database.run("PRAGMA journal_mode = DELETE")
    },
    [Symbol.dispose]: () => database.close(),
  }
}

async function write(database: Database, table: TableShape, given: Lines): Promise<void> {
  const insert = database.prepare<unknown, Cell[]>(
    `INSERT INTO "${table.name}" (${namesOf(table.columns)}) VALUES (${marksOf(table.columns)})`,
  )
  const all = database.transaction((rows: readonly Cell[][]) => {
    for (const row of rows) insert.run(...row)
  })
  for await (const text of given) all(fromLines(text, table))
}
