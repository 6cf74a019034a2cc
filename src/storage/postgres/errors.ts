import { SQL } from "bun"
import { codeOf, UserError } from "../../domain/errors.ts"
import { causeOf, DatabaseUnavailable } from "../database.ts"

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const CONFLICTS = new Set(["40001", "40P01"])
const LOCKED = "55P03"
const READ_ONLY = "25006"
const NO_CONNECTION_LEFT = "53300"
// The server is starting, stopping or has crashed, or it ended a transaction in which we were silent for too long.
const LOST = new Set(["57P01", "57P02", "57P03", "25P03"])
const CANNOT_WRITE = /^(?:53[12]|58|XX00|25006)/
// How Bun names what happens to a connection.
const CONNECTION = /^(?:ERR_POSTGRES_(?:CONNECTION|LIFETIME|IDLE|CLOSED)|ECONN|EPIPE|ETIMEDOUT)/

/** The five-character code of the server's error. Empty if the server didn't answer. */
function stateOf(cause: unknown): string {
  const error = causeOf(cause)
  return error instanceof SQL.PostgresError && error.code === "ERR_POSTGRES_SERVER_ERROR" ? (error.errno ?? "") : ""
}

/** The connection or the server is gone. */
export function isLost(cause: unknown): boolean {
  const state = stateOf(cause)
  return state === "" ? CONNECTION.test(codeOf(causeOf(cause))) : LOST.has(state) || state.startsWith("08")
}

/** This transaction conflicted with another one and was rolled back. PostgreSQL asks to try again. */
export const isConflict = (cause: unknown): boolean => CONFLICTS.has(stateOf(cause))

export const isLockTimeout = (cause: unknown): boolean => stateOf(cause) === LOCKED

/** The server works, but doesn't accept writes. */
export const cannotWrite = (cause: unknown): boolean => CANNOT_WRITE.test(stateOf(cause))

/** PgBouncer only lets settings through that it knows. */
export const isUnsupportedSetting = (cause: unknown): boolean =>
  cause instanceof Error && cause.message.includes("unsupported startup parameter")

/** The error for logs and callers: without Drizzle's message, which shows values, and with advice for a read-only server. */
export function plain(cause: unknown): unknown {
  const error = causeOf(cause)
  const state = stateOf(error)
  if (state === READ_ONLY) return new DatabaseUnavailable(READ_ONLY_SERVER, { cause: error })
  if (state === LOCKED) return new DatabaseUnavailable("Another session held a lock for too long.", { cause: error })
  return isLost(error)
    ? new DatabaseUnavailable(`The database can't be reached: ${(error as Error).message}`, { cause: error })
    : error
}

const READ_ONLY_SERVER =
  "The PostgreSQL server doesn't accept writes: it's a standby, or default_transaction_read_only is on. Check which server the address in the database URL leads to."

/** Explains to the person at the keyboard why the database couldn't be opened. */
export function explained(cause: unknown, database: string): unknown {
  const error = causeOf(cause)
  if (error instanceof UserError) return error
  if (error instanceof SQL.PostgresError || error instanceof DatabaseUnavailable)
    return new UserError(sentencesFor(error, `The database ${database}`), { cause: error })
  // A certificate that doesn't fit, or whose file doesn't exist.
  const isTls = error instanceof Error && /CERT|SIGNATURE|TLS|SSL|^E[A-Z]+$/.test(codeOf(error))
  return isTls ? new UserError(`The database ${database} can't be reached: ${error.message}.`, { cause: error }) : error
}

function sentencesFor(error: Error, database: string): string {
  const state = stateOf(error)
  if (state.startsWith("28"))
    return `${database} refused this user. Check the user and the password in the database URL.`
  if (state === "3D000") return `${database} doesn't exist. Create it first: CREATE DATABASE name OWNER user.`
  if (state === "42501")
    return `${database} doesn't give this user the rights that Adbooth needs (${error.message}). Make it the owner of the schema: GRANT CREATE, USAGE ON SCHEMA public TO user.`
  if (state === NO_CONNECTION_LEFT)
    return `${database} has no connection left. Raise max_connections, or lower pool_size in the database URL.`
  if (state === READ_ONLY) return READ_ONLY_SERVER
  if (isLost(error) || error instanceof DatabaseUnavailable)
    return `${database} can't be reached: ${error.message.replace(/\.$/, "")}. Is PostgreSQL running there?`
  return `${database} can't be used: ${error.message}.`
}
