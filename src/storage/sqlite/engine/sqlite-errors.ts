// Promise: a failure of the database is told in words that help, and a failed sync as what it is.
// Held by test/trust/disk-sync.test.ts.
import { SQLiteError } from "bun:sqlite"
import { codeOf, messageOf, UserError } from "../../../domain/user-error.ts"
import { StoreUnavailable } from "../../port/unavailable.ts"

/** A database error in words for the person at the keyboard; null for any other error. */
export function sqliteUserError(cause: unknown, database = "The database"): UserError | null {
  if (!(cause instanceof SQLiteError)) return null
  return new UserError(inWords(cause, database), { cause })
}

function inWords({ code = "", message }: SQLiteError, database: string): string {
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT")) {
    return `${database} is damaged or not a database. Nothing was changed. Restore a backup with "adbooth backup restore FILE", or move the file away to start over.`
  }
  if (code.startsWith("SQLITE_BUSY")) {
    return `${database} is locked by another program. Stop that program, then try again.`
  }
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code.startsWith("SQLITE_IOERR")) {
    return `${database} cannot be opened for writing (${message}). Run it as the owner of the data directory (for the installed service with sudo), or choose another one with --data.`
  }
  if (code === "SQLITE_FULL") return `The disk is full: ${database} cannot be written. Free some space, then try again.`
  return `${database} cannot be used: ${message}.`
}

export const isBusy = (cause: unknown): boolean => codeOf(cause).startsWith("SQLITE_BUSY")

export const isDiskError = (cause: unknown): boolean =>
  /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/.test(codeOf(cause))

export const isSyncFailure = (cause: unknown): boolean => /^SQLITE_IOERR_(?:DIR_)?FSYNC/.test(codeOf(cause))

/**
 * The disk did not take what was committed. The kernel may have dropped the pages that it could not write, so that a later sync would
 * succeed without them: only opening the database anew, which writes the log again, makes sure of it.
 */
export class SyncFailed extends StoreUnavailable {
  override readonly name = "SyncFailed"

  constructor(cause: unknown) {
    super(
      `the disk failed to store the write-ahead log (${messageOf(cause)}). Check the disk. The next start stores it again`,
      { cause },
    )
  }
}
