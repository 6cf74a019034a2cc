import { Database } from "bun:sqlite"
import { join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { makeOwnedFile, makeOwnedFolders } from "../../../files/new-file.ts"
import { sqliteUserError } from "./sqlite-errors.ts"

export const DATABASE_FILE = "adbooth.db"
// Marks our files, so that another program's database is never migrated by mistake.
const APPLICATION_ID = 0x41_44_42_54
// Short: while a statement waits here everybody waits. The write queue tries again without keeping others waiting.
const BUSY_TIMEOUT_MS = 5
const CACHE_KIB = 16_384

export function databasePath(dataDirectory: string): string {
  return join(dataDirectory, DATABASE_FILE)
}

/** Opens the database of a data directory, making it when there is none. UserError when that cannot be done. */
export function openDatabase(dataDirectory: string): Database {
  const path = databasePath(dataDirectory)
  try {
    makePrivateFile(path)
    const database = new Database(path, { create: true, strict: true })
    applyPragmas(database)
    checkOwner(database, path)
    return database
  } catch (cause) {
    throw sqliteUserError(cause, `The database ${path}`) ?? fileError(path, cause)
  }
}

/**
 * An empty file that only its owner may read; SQLite, which fills it, gives its side files the same rights. Totals and key
 * fingerprints are nobody else's business on a shared machine.
 */
export function makePrivateFile(path: string): void {
  try {
    makeOwnedFile(path)
  } catch {
    // Another process made it first, or it cannot be made, which SQLite then tells in its own words.
  }
}

/** Makes the data directory where there is none. Disposed of, it is gone again unless something was put into it. */
export function makeDirectory(dataDirectory: string): Disposable {
  try {
    return makeOwnedFolders(dataDirectory)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserError(
      `The data directory ${dataDirectory} cannot be made (${reason}). Choose another one with --data or mend its permissions.`,
      { cause },
    )
  }
}

function applyPragmas(database: Database): void {
  // The timeout comes first: switching to WAL itself may have to wait for another process.
  database.run(`PRAGMA busy_timeout = 5000`)
  database.run(`PRAGMA journal_mode = WAL`)
  // FULL: an answer that says accepted is on disk, even when the power fails.
  database.run(`PRAGMA synchronous = FULL`)
  database.run(`PRAGMA foreign_keys = ON`)
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  database.run(`PRAGMA temp_store = MEMORY`)
  // The write-ahead log shrinks again after a burst instead of keeping its largest size for ever.
  database.run(`PRAGMA journal_size_limit = 67108864`)
}

/** From here on waiting is the write queue's business. */
export function stopBlockingOnLocks(database: Database): void {
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
}

function checkOwner(database: Database, path: string): void {
  if (isOurs(database)) return
  const objects = database.query<{ count: number }, []>("SELECT count(*) AS count FROM sqlite_schema").get()
  if (pragmaNumber(database, "application_id") !== 0 || (objects?.count ?? 0) > 0) {
    throw new UserError(`${path} is a database of another program. Choose another data directory with --data.`)
  }
  database.run(`PRAGMA application_id = ${APPLICATION_ID}`)
}

export function isOurs(database: Database): boolean {
  return pragmaNumber(database, "application_id") === APPLICATION_ID
}

export function pragmaNumber(database: Database, name: string): number {
  const row = database.query<Record<string, number>, []>(`PRAGMA ${name}`).get()
  return row === null ? 0 : Number(Object.values(row)[0])
}

function fileError(path: string, cause: unknown): unknown {
  if (cause instanceof UserError || !(cause instanceof Error)) return cause
  return new UserError(
    `The database ${path} cannot be opened for writing (${cause.message}). Mend the permissions of the data directory, or choose another one with --data.`,
    { cause },
  )
}
