import { Database, SQLiteError } from "bun:sqlite"
import { LOG_BYTES_KEPT, markAsOurs } from "./open.ts"

// Runs in a thread of its own, where a slow disk holds nobody up. checkpoints.ts tells it what to do.

export type ToThread = { readonly copy: string } | "restart" | "close"
/** `failed`: SQLite's code, or the message of another error. */
export type FromThread = "copied" | "restarted" | "busy" | "closed" | { readonly failed: string }

// The server does not write meanwhile, but a command might.
const BUSY_TIMEOUT_MS = 200
const RESTART_TRIES_MAX = 5
const RESTART_PAUSE_MS = 2

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

/** Copies the rest and begins the log anew with a write that changes nothing. False while something still reads old pages. */
function restart(on: Database): boolean {
  const before = logLength(on)
  for (let tries = 0; tries < RESTART_TRIES_MAX; tries++) {
    if (tries > 0) Bun.sleepSync(RESTART_PAUSE_MS)
    on.run("PRAGMA wal_checkpoint(PASSIVE)")
    markAsOurs(on)
    if (logLength(on) < before) return true
  }
  return false
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
