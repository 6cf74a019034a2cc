import { Database as Connection, SQLiteError } from "bun:sqlite"
import { rmSync } from "node:fs"
import { dirname } from "node:path"
import initial from "../../../migrations/sqlite/0001_initial.sql" with { type: "text" }
import { codeOf, messageOf, UserError } from "../../domain/errors.ts"
import { createPrivate, moveIntoPlace } from "../../files.ts"

export const isBusy = (cause: unknown): boolean => codeOf(cause).startsWith("SQLITE_BUSY")

/** Whether the next write is likely to fail for the same reason. */
export const isDiskProblem = (cause: unknown): boolean =>
  /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/.test(codeOf(cause))

export const isSyncFailure = (cause: unknown): boolean => /^SQLITE_IOERR_(?:DIR_)?FSYNC/.test(codeOf(cause))

/** A SQLite error in words for the person at the keyboard. Any other error stays as it is. */
export const inWords = (cause: unknown, database: string, ifDamaged = ""): unknown =>
  cause instanceof SQLiteError ? new UserError(sentencesFor(cause, database, ifDamaged), { cause }) : cause

function sentencesFor({ code = "", message }: SQLiteError, database: string, ifDamaged: string): string {
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT"))
    return `${database} is damaged or isn't a database. ${ifDamaged}`.trim()
  if (code.startsWith("SQLITE_BUSY"))
    return `${database} is locked by another program. Stop that program, then try again.`
  if (code === "SQLITE_FULL")
    return `The disk is full, so ${database} can't be written. Free some space, then try again.`
  if (/^SQLITE_(?:READONLY|CANTOPEN|IOERR)/.test(code))
    return `${database} can't be opened for writing (${message}). Run the command as the owner of the data directory, or choose another one with --data.`
  return `${database} can't be used: ${message}.`
}

// Marks our files, so that another program's database is never changed by mistake. It's "ADBT".
const APPLICATION_ID = 0x41_44_42_54
const CACHE_KIB = 8_192
// The log shrinks to this size when SQLite restarts it after a checkpoint.
const LOG_BYTES_KEPT = 67_108_864
const OPENING_MS_MAX = 5_000

/** Opens a database of ours for reading and writing. */
export function openFile(path: string): Connection {
  try {
    const connection = new Connection(path, { readwrite: true })
    // While it's being opened, waiting for another process may block this one.
    connection.run(`PRAGMA busy_timeout = ${OPENING_MS_MAX}`)
    refuseForeign(connection, `The database ${path}`)
    connection.run("PRAGMA journal_mode = WAL")
    // Each commit is synced: what was answered is on disk, even if the power fails.
    connection.run("PRAGMA synchronous = FULL")
    connection.run("PRAGMA foreign_keys = ON")
    connection.run(`PRAGMA cache_size = -${CACHE_KIB}`)
    // Temporary files are needed by large transactions, and no other directory is certain to be writable. In memory, SQLite would
    // search all that a transaction has changed after each of its statements.
    connection.run(`PRAGMA temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`)
    connection.run(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`)
    return connection
  } catch (cause) {
    throw inWords(cause, `The database ${path}`, "Move it away, then restore a backup: adbooth backup restore FILE")
  }
}

/** Opens a database of ours for reading. Errors call it by this name. */
export function openForReading(path: string, name = path): Connection {
  try {
    const connection = new Connection(path, { readonly: true })
    connection.run(`PRAGMA busy_timeout = ${OPENING_MS_MAX}`)
    refuseForeign(connection, name)
    return connection
  } catch (cause) {
    throw inWords(cause, name)
  }
}

export const markAsOurs = (connection: Connection): void => {
  connection.run(`PRAGMA application_id = ${APPLICATION_ID}`)
}

function refuseForeign(connection: Connection, name: string): void {
  if (pragma(connection, "application_id") === APPLICATION_ID) return
  throw new UserError(`${name} isn't a database of Adbooth.`)
}

/** The value of a pragma that is a number. */
export function pragma(connection: Connection, name: string): number {
  const row = connection.query<Record<string, number>, []>(`PRAGMA ${name}`).get()
  return row === null ? 0 : Number(Object.values(row)[0])
}

const MIGRATIONS = [initial]

export const SCHEMA = MIGRATIONS.length

/** The number of migrations that a database has seen. */
export const schemaOf = (connection: Connection): number => pragma(connection, "user_version")

interface MigrateOptions {
  /** Whether tables that an older version created may be changed. */
  readonly mayUpgrade: boolean
  readonly migrations?: readonly string[]
}

/** Brings the tables up to date in one transaction, and keeps a copy of a database that had tables. Returns the copy's path. */
export function migrateSqlite(
  connection: Connection,
  path: string,
  { mayUpgrade, migrations = MIGRATIONS }: MigrateOptions,
): string | null {
  const schema = schemaOf(connection)
  if (schema > migrations.length) throw new UserError(newer(path, schema, migrations.length))
  if (schema === migrations.length) return null
  if (schema === 0) {
    apply(connection, migrations)
    return null
  }
  if (!mayUpgrade) throw new UserError(older(path, schema, migrations.length))
  const copy = keepCopy(connection, path, schema)
  try {
    apply(connection, migrations)
    return copy
  } catch (cause) {
    // A service manager starts the server again and again. A copy for each attempt would fill the disk.
    rmSync(copy, { force: true })
    throw new UserError(`${path} wasn't upgraded and is as before: ${messageOf(cause)}. Start the previous version.`, {
      cause,
    })
  }
}

function apply(connection: Connection, migrations: readonly string[]): void {
  // A migration may rebuild tables that others refer to. All references are checked before the commit.
  connection.run("PRAGMA foreign_keys = OFF")
  try {
    connection.transaction(() => applyPending(connection, migrations)).immediate()
  } finally {
    connection.run("PRAGMA foreign_keys = ON")
  }
}

function applyPending(connection: Connection, migrations: readonly string[]): void {
  // Another process may have applied them while this one waited for the lock.
  for (const migration of migrations.slice(schemaOf(connection))) connection.run(migration)
  const broken = connection.query("PRAGMA foreign_key_check").all().length
  if (broken > 0) throw new Error(`${broken} rows would refer to something that doesn't exist`)
  connection.run(`PRAGMA user_version = ${migrations.length}`)
}

// Named after the schema and the time, so that `backup rollback` finds the latest.
export const COPY_PREFIX = ".before-upgrade-from-"

function keepCopy(connection: Connection, path: string, schema: number): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "")
  const copy = `${path}${COPY_PREFIX}${schema}-${stamp}`
  const partial = `${copy}.partial`
  createPrivate(partial)
  connection.query("VACUUM INTO ?").run(partial)
  moveIntoPlace(partial, copy)
  return copy
}

export const newer = (path: string, schema: number, known: number): string =>
  `${path} was written by a newer version of Adbooth (schema ${schema}, and this version knows ${known}). Use that version.`

const older = (path: string, schema: number, known: number): string =>
  `${path} was written by an older version of Adbooth (schema ${schema}, and this version needs ${known}). Start the server of this version once: it upgrades the database and keeps a copy.`
