import { Database } from "bun:sqlite"
import { type Cell, fromLines } from "../../copy/copy-text.ts"
import { type Lines, namesOf, type TableShape, type WriteSide } from "../../copy/sides.ts"
import { CATALOGUE_REVISION } from "../engine/catalogue-revision.ts"
import { migrate } from "../engine/migrate.ts"
import { makePrivateFile, markAsOurs } from "../engine/open.ts"
import { marksOf, reading } from "./read-side.ts"

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
