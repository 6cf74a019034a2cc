import { Database, SQLiteError } from "bun:sqlite"
import { LOG_BYTES_KEPT, markAsOurs } from "./open.ts"

// Runs in a thread of its own, where a slow disk holds nobody up. checkpoints.ts tells it what to do.

export type ToThread = { readonly copy: string } | "lock" | "restart" | "unlock" | "close"
/**
 * `locked`: nobody else can write until "restart" or "unlock". `restarted`: the same again, and nobody else has written meanwhile.
 * `disturbed`: the log was begun anew, but somebody may have written. `failed`: SQLite's code, or the message of another error.
 */
export type FromThread =
  | "copied"
  | "locked"
  | "restarted"
  | "disturbed"
  | "busy"
  | "unlocked"
  | "closed"
  | { readonly failed: string }

// Longer than a small command reads or writes; short, because writes of the server wait for it.
const BUSY_TIMEOUT_MS = 40

declare const self: Worker

let database: Database | undefined

function open(file: string): Database {
  const opened = new Database(file, { readwrite: true, strict: true })
  opened.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // SQLite then syncs the log before it copies it, the database after that, and the header of a new log before its first page.
  opened.run("PRAGMA synchronous = NORMAL")
  opened.run("PRAGMA wal_autocheckpoint = 0")
  opened.run(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`)
  return opened
}

const logLength = (on: Database): number => on.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)").get()?.log ?? 0

const othersWrites = (on: Database) => on.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version

let pagesBefore = 0
let writesBefore: number | undefined

/**
 * Waits for reads that need the log: those that begin once all of it is copied do not. Writing before they end would only give the next
 * ones something to need. Busy where they take too long.
 */
function lock(on: Database): FromThread {
  pagesBefore = logLength(on)
  if (on.query<{ busy: number }, []>("PRAGMA wal_checkpoint(RESTART)").get()?.busy !== 0) return "busy"
  on.run("BEGIN IMMEDIATE")
  writesBefore = othersWrites(on)
  return "locked"
}

/** Begins the log anew with a write that changes nothing. */
function restart(on: Database): FromThread {
  markAsOurs(on)
  on.run("COMMIT")
  if (logLength(on) >= pagesBefore) return "busy"
  on.run("BEGIN IMMEDIATE")
  if (othersWrites(on) === writesBefore) return "restarted"
  unlock(on)
  return "disturbed"
}

function unlock(on: Database): FromThread {
  if (on.inTransaction) on.run("ROLLBACK")
  return "unlocked"
}

function handle(message: ToThread): FromThread {
  if (message === "close") {
    database?.close()
    return "closed"
  }
  if (typeof message === "object") {
    database ??= open(message.copy)
    database.run("PRAGMA wal_checkpoint(PASSIVE)")
    return "copied"
  }
  if (database === undefined) return "busy"
  if (message === "lock") return lock(database)
  return message === "restart" ? restart(database) : unlock(database)
}

function failed(cause: unknown): FromThread {
  // Nobody could write any more.
  if (database !== undefined) unlock(database)
  const code = cause instanceof SQLiteError ? cause.code : undefined
  return code?.startsWith("SQLITE_BUSY") ? "busy" : { failed: code || String(cause) }
}

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  try {
    postMessage(handle(data))
  } catch (cause) {
    postMessage(failed(cause))
  }
}
