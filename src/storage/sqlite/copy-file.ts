import { Database as Connection } from "bun:sqlite"
import { statfsSync, statSync } from "node:fs"
import { UserError } from "../../domain/errors.ts"
import type { Health, ReadTx, Tx } from "../database.ts"
import { createPrivate, databaseFile, runningServer } from "./directory.ts"
import { inWords, markAsOurs, openFile, openForReading } from "./file.ts"
import { migrateSqlite, newer, SCHEMA, schemaOf } from "./migrations.ts"
import { sqliteTx } from "./writer.ts"

export function sqliteHealth(reader: Connection, directory: string, writeProblem: () => string | null): Health {
  const file = databaseFile(directory)
  const opened = statSync(file).ino
  const version = reader.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()?.version ?? ""

  return {
    engine: `SQLite ${version}`,
    async problem() {
      reader.query("SELECT 1").get()
      const now = statSync(file, { throwIfNoEntry: false })
      // New data would go to a file that a restart wouldn't find.
      if (now?.ino !== opened)
        return "The database file was deleted or replaced. Stop the server and put the file back."
      return writeProblem()
    },
    schema: async () => ({ applied: schemaOf(reader), known: SCHEMA }),
    sizeBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    async freeBytes() {
      const { bavail, bsize } = statfsSync(directory)
      return bavail * bsize
    },
    integrity: async () => integrityProblems(reader),
    async facts() {
      return [
        { label: "Served by", value: runningServer(directory) ?? "no server at the moment" },
        { label: "Write-ahead log", value: `${sizeOf(`${file}-wal`)} bytes` },
      ]
    },
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** What is wrong with a database: damaged pages and indexes, dangling references, and tables that aren't ours. */
function integrityProblems(connection: Connection): string[] {
  const rows = connection.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const problems = rows.map(({ integrity_check: text }) => text).filter((text) => text !== "ok")
  const broken = connection.query("PRAGMA foreign_key_check").all().length
  if (broken > 0) problems.push(`${broken} rows refer to something that doesn't exist`)
  return problems
}

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
