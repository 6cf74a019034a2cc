import { SQLiteError } from "bun:sqlite"
import { codeOf, UserError } from "../../../domain/user-error.ts"

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
