import { Database as Connection } from "bun:sqlite"
import { UserError } from "../../domain/user-error.ts"
import type { ReadTx, Tx } from "../database.ts"
import { createPrivate } from "./directory.ts"
import { inWords } from "./errors.ts"
import { markAsOurs, openFile, openForReading } from "./file.ts"
import { integrityProblems } from "./health.ts"
import { migrateSqlite, newer, SCHEMA, schemaOf } from "./migrations.ts"
import { sqliteTx } from "./tx.ts"

const PROBLEMS_SHOWN = 3

/** Copies the database of a connection into a new file. Writers don't wait for it. */
export function vacuumInto(file: string, copy: string): void {
  createPrivate(copy)
  using connection = openForReading(file)
  connection.query("VACUUM INTO ?").run(copy)
}

/** Creates a file with all tables and fills it in one transaction. */
export async function fillNewFile(path: string, fill: (tx: Tx) => Promise<unknown>): Promise<void> {
  createPrivate(path)
  using connection = new Connection(path)
  // The file isn't used before it's finished, checked and synced.
  connection.run("PRAGMA synchronous = OFF")
  markAsOurs(connection)
  migrateSqlite(connection, path, { mayUpgrade: true })
  connection.run("BEGIN")
  await fill(sqliteTx(connection, () => undefined))
  connection.run("COMMIT")
}

/** Checks that a file is a sound database of ours. Returns its number of migrations. Errors call it by this name. */
export function checkFile(path: string, name: string): number {
  try {
    using connection = openForReading(path, name)
    const schema = schemaOf(connection)
    if (schema > SCHEMA) throw new UserError(newer(name, schema, SCHEMA))
    const problems = integrityProblems(connection)
    if (problems.length === 0) return schema
    throw new UserError(`${name} is damaged: ${problems.slice(0, PROBLEMS_SHOWN).join("; ")}.`)
  } catch (cause) {
    throw inWords(cause, name)
  }
}

/** Brings a copy to the tables of this version. */
export function upgradeFile(path: string): void {
  using connection = openFile(path)
  migrateSqlite(connection, path, { mayUpgrade: true })
  // Leaves nothing in files beside the database.
  connection.run("PRAGMA journal_mode = DELETE")
}

/** Reads a file that no process changes. */
export async function readFrom<Result>(path: string, work: (read: ReadTx) => Promise<Result>): Promise<Result> {
  using connection = openForReading(path)
  connection.run("BEGIN")
  return await work(sqliteTx(connection, () => undefined))
}
