import { Database, SQLiteError } from "bun:sqlite"
import { LOG_BYTES_KEPT, markAsOurs } from "./open.ts"

// Runs in a thread of its own, where a slow disk holds nobody up. checkpoints.ts tells it what to do.

export type ToThread = { readonly copy: string } | "restart" | "close"
/** `failed`: SQLite's code, or the message of another error. */
export type FromThread = "copied" | "restarted" | "busy" | "closed" | { readonly failed: string }

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

function logLength(on: Database): number {
  return on.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)").get()?.log ?? 0
}

/**
 * Begins the log anew with a write that changes nothing. Waits for reads that need the log: those that begin once all of it is copied do
 * not. Writing before they end would only give the next ones something to need. False where they take too long.
 */
function restart(on: Database): boolean {
  const before = logLength(on)
  if (on.query<{ busy: number }, []>("PRAGMA wal_checkpoint(RESTART)").get()?.busy !== 0) return false
  markAsOurs(on)
  return logLength(on) < before
}

function handle(message: ToThread): FromThread {
  if (message === "restart") return database !== undefined && restart(database) ? "restarted" : "busy"
  if (message === "close") {
    database?.close()
    return "closed"
  }
  database ??= open(message.copy)
  database.run("PRAGMA wal_checkpoint(PASSIVE)")
  return "copied"
}

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  try {
    postMessage(handle(data))
  } catch (cause) {
    postMessage({ failed: (cause instanceof SQLiteError && cause.code) || String(cause) } satisfies FromThread)
  }
}
