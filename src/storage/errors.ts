import { DrizzleQueryError } from "drizzle-orm"

/**
 * The database can't be reached, is busy or takes no writes. Nothing is wrong with what was asked, so it may be asked again later. A
 * write that ends with this error may have been stored.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable"
}

// SQLite: locked, full, read-only or damaged. Bun's PostgreSQL client: no connection. Both have a text as their code.
const UNAVAILABLE_CODE =
  /^(?:SQLITE_(?:BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB|INTERRUPT)|ERR_POSTGRES_(?!SERVER_ERROR)|ECONN|EPIPE|ETIMEDOUT)/

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection, read-only, conflict, resources, lock, operator, system.
const UNAVAILABLE_STATE = /^(?:08|25006|25P0|40|53|55P03|57|58|XX00)/

/** Whether the database took no write at all. Otherwise it refused what was to be written. */
export function isUnavailable(cause: unknown): boolean {
  const error = causeOf(cause)
  if (error instanceof DatabaseUnavailable) return true
  const { code = "", errno = "" } = error as { code?: unknown; errno?: unknown }
  return UNAVAILABLE_CODE.test(String(code)) || UNAVAILABLE_STATE.test(String(errno))
}

/** The database's own error. Drizzle wraps it in a message that shows the values of the statement, which no log may have. */
export const causeOf = (cause: unknown): unknown =>
  cause instanceof DrizzleQueryError ? (cause.cause ?? new Error("A query failed.")) : cause
