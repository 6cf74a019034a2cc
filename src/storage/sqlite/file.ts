import { Database as Connection, SQLiteError } from "bun:sqlite"
import { codeOf, UserError } from "../../domain/errors.ts"

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
    connection.run("PRAGMA temp_store = MEMORY")
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
