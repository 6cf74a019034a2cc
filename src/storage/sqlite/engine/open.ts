// Promise: only our own database is opened, nobody else on the machine can read it, and each commit is synced.
// Held by test/trust/disk-sync.test.ts and test/storage/sqlite/engine/migrate.test.ts.
import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { dirname, join } from "node:path"
import { codeOf, forbidden, messageOf, UserError } from "../../../domain/user-error.ts"
import { makeOwnedFile, makeOwnedFolders } from "../../../files/new-file.ts"
import { sqliteUserError } from "./sqlite-errors.ts"

export const DATABASE_FILE = "adbooth.db"
// Marks our files, so that another program's database is never migrated by mistake.
const APPLICATION_ID = 0x41_44_42_54
// Short, because nothing else runs while a statement waits. The write queue retries without blocking.
const BUSY_TIMEOUT_MS = 5
const CACHE_KIB = 8_192
// To this size the file of the log shrinks when SQLite begins it anew, which it does after a checkpoint (every 1,000 pages).
const LOG_BYTES_KEPT = 67_108_864

export const databasePath = (dataDirectory: string): string => join(dataDirectory, DATABASE_FILE)

/** Opens the database of a data directory. Throws a UserError when that fails. */
export function openDatabase(dataDirectory: string): Database {
  const path = databasePath(dataDirectory)
  try {
    const file = statSync(path, { throwIfNoEntry: false })
    if (file === undefined || file.size === 0) throw lostDatabase(path, file === undefined ? "is missing" : "is empty")
    const database = new Database(path, { readwrite: true, strict: true })
    // First, because another process may be switching it to WAL.
    database.run("PRAGMA busy_timeout = 5000")
    // Before the journal's mode, which is stored in the file: it may be another program's.
    if (!isOurs(database)) throw notOurs(database, path)
    applyPragmas(database)
    return database
  } catch (cause) {
    throw sqliteUserError(cause, `The database ${path}`) ?? fileError(path, cause)
  }
}

/**
 * Creates an empty file that only its owner may read. SQLite gives its side files the same permissions. Other users of the machine
 * must not read totals and key fingerprints.
 */
export function makePrivateFile(path: string): void {
  try {
    makeOwnedFile(path)
  } catch {
    // Another process created it first, or it cannot be created; then SQLite fails with a better message.
  }
}

/** Creates the data directory if it does not exist. Disposing removes it again if it is still empty. */
export function makeDirectory(dataDirectory: string): Disposable {
  try {
    return makeOwnedFolders(dataDirectory)
  } catch (cause) {
    if (codeOf(cause) === "EACCES") throw forbidden(dataDirectory, cause)
    const why = `The data directory ${dataDirectory} cannot be created (${messageOf(cause)}).`
    throw new UserError(`${why} Choose another one with --data.`, { cause })
  }
}

function applyPragmas(database: Database): void {
  database.run(`PRAGMA journal_mode = WAL`)
  // Each commit is synced before it counts: what was answered is on disk, even when the power fails.
  database.run(`PRAGMA synchronous = FULL`)
  database.run(`PRAGMA foreign_keys = ON`)
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  database.run(`PRAGMA temp_store = MEMORY`)
  database.run(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`)
}

/** From here on the write queue waits for locks. */
export function stopBlocking(database: Database): void {
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
}

function notOurs(database: Database, path: string): UserError {
  const objects = database.query<{ count: number }, []>("SELECT count(*) AS count FROM sqlite_schema").get()
  if (pragmaNumber(database, "application_id") === 0 && objects?.count === 0) return lostDatabase(path, "is empty")
  return new UserError(`${path} is a database of another program. Choose another data directory with --data.`)
}

/** For a file that held a database: nobody begins anew without knowing it. */
export function lostDatabase(path: string, how: string): UserError {
  return new UserError(
    `The database ${path} ${how}. Put the file back, or restore a backup: adbooth backup restore FILE --data ${dirname(path)}. ` +
      "To begin a new installation, choose an empty directory with --data.",
  )
}

export function markAsOurs(database: Database): void {
  database.run(`PRAGMA application_id = ${APPLICATION_ID}`)
}

export const isOurs = (database: Database): boolean => pragmaNumber(database, "application_id") === APPLICATION_ID

export function pragmaNumber(database: Database, name: string): number {
  const row = database.query<Record<string, number>, []>(`PRAGMA ${name}`).get()
  return row === null ? 0 : Number(Object.values(row)[0])
}

function fileError(path: string, cause: unknown): unknown {
  if (cause instanceof UserError || !(cause instanceof Error)) return cause
  return new UserError(
    `The database ${path} cannot be opened for writing (${cause.message}). Run it as the owner of the data directory (for the installed service with sudo), or choose another one with --data.`,
    { cause },
  )
}
