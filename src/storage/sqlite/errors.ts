import { SQLiteError } from "bun:sqlite"
import { codeOf, UserError } from "../../domain/user-error.ts"

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
