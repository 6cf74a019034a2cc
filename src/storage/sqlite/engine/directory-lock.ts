// Promise: one server for a directory, and none that outlives its process; commands work beside it.
// Held by test/trust/one-server.test.ts.
import { Database, SQLiteError } from "bun:sqlite"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { replaceFile } from "../../../files/new-file.ts"
import { makePrivateFile } from "./open.ts"

// An empty database that only serves as a lock: the operating system releases it when its holder dies, for whatever reason.
export const LOCK_FILE = "in-use.lock"
// Who has served last. It says nothing about whether that server still runs: the lock does.
export const SERVER_FILE = "served-by.txt"

// Long enough for what the first process does after a crash.
const PATIENCE_MS = 2_000

/** Shared lock, held while the database is open. False while the file is being replaced. */
export const holdDirectory = (dataDirectory: string): Disposable | false => hold(dataDirectory, "BEGIN", PATIENCE_MS)

/** Shared with commands, but not with another server. False while there is one, or while the file is being replaced. */
export const holdDirectoryToServe = (dataDirectory: string): Disposable | false =>
  hold(dataDirectory, "BEGIN IMMEDIATE", PATIENCE_MS)

/** The server that runs on a data directory, in words; null when none does. */
export function runningServer(dataDirectory: string): string | null {
  using free = hold(dataDirectory, "BEGIN IMMEDIATE", 0) || undefined
  if (free !== undefined) return null
  using beside = hold(dataDirectory, "BEGIN", 0) || undefined
  return beside === undefined ? null : (lastServer(dataDirectory) ?? "one that is just starting")
}

/** The server that was started last on a data directory, in words; null when none was. */
export function lastServer(dataDirectory: string): string | null {
  try {
    return readFileSync(join(dataDirectory, SERVER_FILE), "utf8").trim()
  } catch {
    return null
  }
}

const MOVED_FILE = "moved-to.txt"

/** Notes where everything went, so that nobody goes on with the old copy by mistake. */
export function noteMove(dataDirectory: string, place: string): void {
  replaceFile(join(dataDirectory, MOVED_FILE), `${place}\n`)
}

/** Throws where everything was moved to another place. */
export function refuseMoved(dataDirectory: string): void {
  const note = join(dataDirectory, MOVED_FILE)
  if (!existsSync(note)) return
  const place = readFileSync(note, "utf8").trim()
  throw new UserError(
    `Everything in ${dataDirectory} was moved to ${place}. Start the server there. What was reported since is missing here: to serve from here all the same, delete ${note}.`,
  )
}

export function noteServer(dataDirectory: string, server: string): void {
  replaceFile(join(dataDirectory, SERVER_FILE), `${server}\n`)
}

/** Exclusive lock, held while the file is replaced. False when a server or command has the database open. */
export const holdDirectoryAlone = (dataDirectory: string): Disposable | false =>
  hold(dataDirectory, "BEGIN EXCLUSIVE", 0)

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
