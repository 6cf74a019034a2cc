// Promise: what the server answers is told in words that help, without values.
// Held by test/storage/postgres/engine/access.test.ts and test/storage/postgres/engine/tls.test.ts.
import { SQL } from "bun"
import { codeOf, UserError } from "../../../domain/user-error.ts"
import { StoreUnavailable } from "../../port/unavailable.ts"

/** No server of the URL answered, or none that takes writes. */
export class DatabaseAwayError extends StoreUnavailable {
  override readonly name = "DatabaseAwayError"
}

/** The database did not answer in time. What was asked of it may still happen. */
export class DeadlineError extends StoreUnavailable {
  override readonly name: string = "DeadlineError"
}

/** The commit was sent, and not acknowledged in time. */
export class LateCommit extends DeadlineError {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const CONFLICTS = new Set(["40001", "40P01"])
const READ_ONLY = "25006"
const LOCKED = "55P03"
const TOO_SLOW = new Set(["57014", LOCKED])
// Starting up, shutting down, crashed, too many connections, silent for too long in a transaction, and whatever begins with 08.
const SILENT = "25P03"
const NONE_LEFT = "53300"
const AWAY = new Set(["57P01", "57P02", "57P03", NONE_LEFT, SILENT])
// How Bun names what happens to a connection.
const CONNECTION = /^ERR_POSTGRES_(?:CONNECTION|LIFETIME_TIMEOUT|IDLE_TIMEOUT|CLOSED)|^(?:ECONN|EPIPE|ETIMEDOUT)/

/** The database's own error, out of whatever was wrapped around it: Drizzle's wrapping tells values, which no log may show. */
export function postgresError(cause: unknown): SQL.PostgresError | null {
  for (let error = cause; error instanceof Error; error = error.cause)
    if (error instanceof SQL.PostgresError) return error
  return null
}

/** The five characters that say what kind of error the server answered with; null when no server answered. */
export function sqlState(cause: unknown): string | null {
  const error = postgresError(cause)
  return error?.code === "ERR_POSTGRES_SERVER_ERROR" ? (error.errno ?? null) : null
}

/** PgBouncer carries only settings that it knows to the server. */
export const isUnsupportedSetting = (cause: unknown): boolean =>
  /unsupported startup parameter/.test(postgresError(cause)?.message ?? "")

/** The server has no connection left for us. */
export const isRefused = (cause: unknown): boolean => sqlState(cause) === NONE_LEFT

/** Another transaction was in the way, and this one was undone: to try again is what PostgreSQL asks for. */
export const isConflict = (cause: unknown): boolean => CONFLICTS.has(sqlState(cause) ?? "")

/** The connection or the server is gone, or may not be written to (any more). */
export function isAway(cause: unknown): boolean {
  if (cause instanceof DatabaseAwayError) return true
  const state = sqlState(cause)
  if (state !== null) return AWAY.has(state) || state.startsWith("08") || state === READ_ONLY
  return CONNECTION.test(postgresError(cause)?.code ?? "")
}

/** The server ended a statement after the time that we gave it, also while it waited for a lock. */
export const wasTooSlow = (cause: unknown): boolean => TOO_SLOW.has(sqlState(cause) ?? "")

/** It waited for a lock that somebody else did not let go. */
export const wasLocked = (cause: unknown): boolean => sqlState(cause) === LOCKED

/** The server is a standby, or has become one: another host may take the writes. */
export const isReadOnly = (cause: unknown): boolean => sqlState(cause) === READ_ONLY

// Out of disk or memory, an error of the disk itself, damaged data, and a server that takes no writes.
const CANNOT_WRITE = /^(?:53[12]|58|XX00[12]|25006)/

/** The server works, but takes no writes, for a reason that is likely to last. */
export const cannotWrite = (cause: unknown): boolean => CANNOT_WRITE.test(sqlState(cause) ?? "")

/** Between two statements of a transaction we took too long: the server has undone it. */
export const wasSilent = (cause: unknown): boolean => sqlState(cause) === SILENT

export const isUniqueViolation = (cause: unknown): boolean => sqlState(cause) === "23505"

/** What a failure of the database means to the person at the keyboard; null when it is no failure of the database. */
export function postgresUserError(cause: unknown, database = "The database"): UserError | null {
  if (cause instanceof UserError) return cause
  const error = postgresError(cause)
  if (error !== null) return new UserError(inWords(error, database), { cause: error })
  if (cause instanceof StoreUnavailable)
    return new UserError(`${database} cannot be reached: ${cause.message}. Is PostgreSQL running there?`, { cause })
  // A certificate that does not fit, or whose file is not there: the words are those of TLS.
  const isOfConnecting = cause instanceof Error && /CERT|SIGNATURE|TLS|SSL|^E[A-Z]+$/.test(codeOf(cause))
  return isOfConnecting ? new UserError(`${database} cannot be reached: ${cause.message}.`, { cause }) : null
}

function inWords(error: SQL.PostgresError, database: string): string {
  const state = sqlState(error) ?? ""
  if (state.startsWith("28"))
    return `${database} does not let this user in. Check user and password in the database URL.`
  if (state === "3D000") return `${database} does not exist. Create it first: CREATE DATABASE name OWNER user.`
  if (state === "42501") {
    return `${database} does not give this user the rights that adbooth needs (${error.message}). Make the user the owner of the database or of its schema: GRANT CREATE, USAGE ON SCHEMA public TO user.`
  }
  if (state === "53100") return `The disk of ${database} is full. Free some space, then try again.`
  if (state === NONE_LEFT)
    return `${database} has no connection left. Raise max_connections, or lower pool_size in the database URL.`
  if (state === READ_ONLY) return `${database} takes no writes: it is a standby. Name the primary in the database URL.`
  if (/TLS|SSL/.test(error.code)) return `${database} cannot be reached with this sslmode: ${error.message}.`
  if (isAway(error)) return `${database} cannot be reached: ${error.message}. Is PostgreSQL running there?`
  return `${database} cannot be used: ${error.message}.`
}
