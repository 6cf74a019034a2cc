import { Database, SQLiteError } from "bun:sqlite"
import { join } from "node:path"
import { makePrivateFile } from "./open.ts"

// An empty database that only serves as a lock: the operating system releases it when its holder dies, for whatever reason.
export const LOCK_FILE = "in-use.lock"

// Long enough for what the first process does after a crash.
const PATIENCE_MS = 2_000

/** Shared lock, held while the database is open. False while the file is being replaced. */
export function holdDirectory(dataDirectory: string): Disposable | false {
  return hold(dataDirectory, "BEGIN", PATIENCE_MS)
}

/** Exclusive lock, held while the file is replaced. False when a server or command has the database open. */
export function holdDirectoryAlone(dataDirectory: string): Disposable | false {
  return hold(dataDirectory, "BEGIN EXCLUSIVE", 0)
}

function hold(dataDirectory: string, begin: string, patienceMs: number): Disposable | false {
  const path = join(dataDirectory, LOCK_FILE)
  makePrivateFile(path)
  const lock = new Database(path, { create: true })
  try {
    lock.run(`PRAGMA busy_timeout = ${patienceMs}`)
    lock.run(begin)
    // A plain BEGIN takes its lock with the first read.
    lock.query("SELECT count(*) FROM sqlite_schema").get()
    return lock
  } catch (cause) {
    lock.close()
    if (cause instanceof SQLiteError && cause.code === "SQLITE_BUSY") return false
    throw cause
  }
}
