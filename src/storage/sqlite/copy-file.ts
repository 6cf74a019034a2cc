import { Database as Connection } from "bun:sqlite"
import { copyFileSync, existsSync, readdirSync, renameSync, statfsSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { UserError } from "../../domain/errors.ts"
import { createPrivate, moveIntoPlace, sync, workFolderFor } from "../../files.ts"
import { REVOCABLE } from "../copies/copy.ts"
import type { Health, ReadTx, Tx } from "../database.ts"
import { databaseFile, holdAlone, runningServer } from "./directory.ts"
import {
  COPY_PREFIX,
  inWords,
  markAsOurs,
  migrateSqlite,
  newer,
  openFile,
  openForReading,
  SCHEMA,
  schemaOf,
} from "./file.ts"
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

/** Checks that a file is an intact Adbooth database, and returns its number of migrations. Messages call it `name`. */
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

export interface Rollback {
  /** The copy that was made before the upgrade. */
  readonly copy: string
  /** The number of migrations in the database as it is, and in the copy. */
  readonly from: number
  readonly to: number
  /** When the copy was made: "2026-01-01 00:00 UTC". What was stored since would be lost. */
  readonly since: string
}

/** What going back to the copy from before the last upgrade would mean. */
export function previewRollback(directory: string): Rollback {
  const copy = latestCopy(directory)
  checkFile(copy, copy)
  using now = openForReading(databaseFile(directory))
  using before = openForReading(copy)
  const [from, to] = [schemaOf(now), schemaOf(before)]
  if (from <= to)
    throw new UserError(`The database has schema ${from}, as before the upgrade. Start the version that ran before.`)
  return { copy, from, to, since: stampOf(copy).replace(STAMP, "$1-$2-$3 $4:$5 UTC") }
}

/**
 * Puts the copy from before the last upgrade in the place of the database, and keeps the upgraded one. No server or command may have the
 * directory open. Everyone is signed out, and what was revoked since stays revoked. Returns where the upgraded database is now.
 */
export function rollBack(directory: string, stamp: string): string {
  using _ = holdAlone(directory)
  const { copy } = previewRollback(directory)
  const live = databaseFile(directory)
  using folder = workFolderFor(live)
  const prepared = join(folder.path, "copy.db")
  copyFileSync(copy, prepared)
  prepare(prepared, live)

  const aside = `${live}.before-rollback-${stamp}`
  // SQLite would apply the log of another database that it finds beside a file.
  for (const ending of ["-wal", "-shm", ""]) if (existsSync(live + ending)) renameSync(live + ending, aside + ending)
  sync(directory)
  moveIntoPlace(prepared, live)
  return aside
}

/** The copy that was made before the last upgrade. Null if there is none. */
export function copyBeforeUpgrade(directory: string): string | null {
  const start = basename(databaseFile(directory)) + COPY_PREFIX
  const copies = readdirSync(directory).filter((name) => name.startsWith(start) && name.endsWith("Z"))
  const latest = copies.sort((one, other) => (stampOf(one) < stampOf(other) ? -1 : 1)).at(-1)
  return latest === undefined ? null : join(directory, latest)
}

const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/
const stampOf = (copy: string) => copy.slice(copy.lastIndexOf("-") + 1)

function latestCopy(directory: string): string {
  const latest = copyBeforeUpgrade(directory)
  if (latest !== null) return latest
  throw new UserError(
    `No copy from before an upgrade was found in ${directory}. Restore a backup with the version that made it.`,
  )
}

/** Signs everyone out in a copy, and revokes everything in it that's revoked in the live database. */
function prepare(copy: string, live: string): void {
  using connection = openFile(copy)
  for (const table of ["session", "one_time_link", "invitation"]) connection.run(`DELETE FROM ${table}`)
  connection.query("ATTACH ? AS live").run(live)
  for (const [table, mark] of REVOCABLE)
    connection.run(
      `UPDATE main.${table} SET revoked_at = now.revoked_at FROM live.${table} AS now
       WHERE ${table}.${mark} = now.${mark} AND ${table}.revoked_at IS NULL AND now.revoked_at IS NOT NULL`,
    )
  connection.run("DETACH live")
  connection.run("PRAGMA journal_mode = DELETE")
}
