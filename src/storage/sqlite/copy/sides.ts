import { Database } from "bun:sqlite"
import { type Cell, fromLines, toLine } from "../../copy/copy-text.ts"
import { type Lines, namesOf, type ReadSide, type TableShape, type WriteSide } from "../../copy/sides.ts"
import { CATALOGUE_REVISION, counterIn, raise } from "../engine/counters.ts"
import { migrate, schemaVersion } from "../engine/migrate.ts"
import { makePrivateFile, markAsOurs } from "../engine/open.ts"

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
    catalogueRevision: async () => counterIn(database, CATALOGUE_REVISION),
  }
}

async function* lines(database: Database, { name, columns, key }: TableShape): Lines {
  using rows = database.prepare<Record<string, Cell>, []>(
    `SELECT ${namesOf(columns)} FROM "${name}" ORDER BY ${namesOf(key)}`,
  )
  let text = ""
  for (const row of rows.iterate()) {
    text += toLine(Object.values(row))
    if (text.length < CHARACTERS_AT_ONCE) continue
    yield text
    text = ""
  }
  if (text !== "") yield text
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
      raise(database, CATALOGUE_REVISION, catalogueRevision)
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
