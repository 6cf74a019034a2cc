import { Database as Connection } from "bun:sqlite"
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { codeOf, messageOf, UserError } from "../../domain/errors.ts"
import { createPrivate, makePrivateFolder, moveIntoPlace, replaceFile } from "../../files.ts"
import { inWords, isBusy, markAsOurs } from "./file.ts"

// Locks on this empty database say who uses the directory. The system releases them when their holder dies, however that happens.
const LOCK_FILE = "in-use.lock"
// Says which server ran last. The lock tells whether it still runs.
const SERVER_FILE = "served-by.txt"
// Says where everything was moved, so that no server continues with the old copy by mistake.
const MOVED_FILE = "moved-to.txt"
// Long enough for what the first process does after a crash.
const PATIENCE_MS = 2_000
const CHUNK_BYTES = 1_048_576

export const databaseFile = (directory: string): string => join(directory, "adbooth.db")

// Many commands may hold the directory beside one server, but only one process may hold it alone.
const LOCKS = { command: "BEGIN", server: "BEGIN IMMEDIATE", alone: "BEGIN EXCLUSIVE" } as const

/** Holds the directory until it's disposed of. Null if another process holds it in a way that excludes this one. */
function tryToHold(directory: string, as: keyof typeof LOCKS, patienceMs = PATIENCE_MS): Disposable | null {
  const path = join(directory, LOCK_FILE)
  createPrivate(path)
  const lock = new Connection(path, { create: true })
  try {
    lock.run(`PRAGMA busy_timeout = ${patienceMs}`)
    lock.run(LOCKS[as])
    // A plain BEGIN takes its lock with the first read.
    lock.query("SELECT count(*) FROM sqlite_schema").get()
    return lock
  } catch (cause) {
    lock.close()
    if (isBusy(cause)) return null
    throw inWords(cause, `The data directory ${directory}`)
  }
}

/** Holds the directory for a command, which works beside a server, or for the server itself, which `server` describes. */
export function holdDirectory(directory: string, server: string | null): Disposable {
  if (server !== null) refuseMoved(directory)
  writeLogAgain(directory)
  // Waits while another process holds the directory alone, which takes a moment, but not for another server.
  using beside = tryToHold(directory, "command") ?? undefined
  const held = beside === undefined ? null : tryToHold(directory, server === null ? "command" : "server", 0)
  if (held === null) throw new UserError(inUse(directory))
  if (server !== null) replaceFile(join(directory, SERVER_FILE), `${server}\n`)
  return held
}

/** Holds the directory so that no other process can open it. */
export function holdAlone(directory: string): Disposable {
  writeLogAgain(directory)
  const held = tryToHold(directory, "alone", 0)
  if (held === null) throw new UserError(`${inUse(directory)} Nothing was changed.`)
  return held
}

function inUse(directory: string): string {
  const server = runningServer(directory)
  if (server === null)
    return `Another command is using the data directory ${directory}. Try again when it has finished.`
  return `The data directory ${directory} is in use by a server: ${server}. Stop it first, or choose another directory with --data.`
}

/** Notes that everything in the directory was moved to another place. */
export function noteMove(directory: string, place: string): void {
  replaceFile(join(directory, MOVED_FILE), `${place}\n`)
}

function refuseMoved(directory: string): void {
  const note = join(directory, MOVED_FILE)
  if (!existsSync(note)) return
  const place = readFileSync(note, "utf8").trim()
  throw new UserError(
    `Everything in ${directory} was moved to ${place}. Start the server there. To use this copy anyway, delete ${note}.`,
  )
}

/** The server that runs on the directory, as it describes itself. Null if there is none. */
export function runningServer(directory: string): string | null {
  const free = tryToHold(directory, "server", 0)
  if (free !== null) {
    free[Symbol.dispose]()
    return null
  }
  const beside = tryToHold(directory, "command", 0)
  beside?.[Symbol.dispose]()
  return beside === null ? null : (lastServer(directory) ?? "one that is just starting")
}

function lastServer(directory: string): string | null {
  const path = join(directory, SERVER_FILE)
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null
}

/** Refuses a directory without a database, unless it may be created, and one that has lost its database. */
export function prepareDirectory(directory: string, mayCreate: boolean): void {
  const file = databaseFile(directory)
  const size = sizeOf(file)
  if (size !== null && size > 0) return
  if (size === 0 || lastServer(directory) !== null) {
    const how = size === 0 ? "is empty" : "is missing, although a server has used it"
    throw new UserError(`The database ${file} ${how}. Put the file back, or choose an empty directory with --data.`)
  }
  if (!mayCreate)
    throw new UserError(`There is no Adbooth database in ${directory}. Check --data, or start a server there first.`)
  try {
    makePrivateFolder(directory)
  } catch (cause) {
    throw new UserError(`The data directory ${directory} can't be created (${messageOf(cause)}).`, { cause })
  }
  createDatabase(directory)
}

/**
 * Creates an empty database. The file gets its name only once it has content, so an empty file must have lost its
 * content.
 */
function createDatabase(directory: string): void {
  using alone = tryToHold(directory, "alone") ?? undefined
  // Otherwise another process is creating it at this moment.
  if (alone === undefined || sizeOf(databaseFile(directory)) !== null) return
  const partial = `${databaseFile(directory)}.new`
  rmSync(partial, { force: true })
  createPrivate(partial)
  const created = new Connection(partial)
  markAsOurs(created)
  created.close()
  moveIntoPlace(partial, databaseFile(directory))
}

/** The size of a file in bytes. Null if it doesn't exist. */
function sizeOf(file: string): number | null {
  try {
    return statSync(file).size
  } catch (cause) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(cause))) return null
    const advice = "Run the command as the owner of the data directory, or choose another one with --data."
    throw new UserError(`${file} can't be read (${messageOf(cause)}). ${advice}`, { cause })
  }
}

/**
 * Writes the log again in place, and syncs it. After a failed sync, the system may treat pages as written that aren't
 * on disk, and later writes must not follow such a gap. This is skipped if another process has the database open,
 * because that process has already done it.
 */
function writeLogAgain(directory: string): void {
  const log = `${databaseFile(directory)}-wal`
  if ((sizeOf(log) ?? 0) === 0) return
  using alone = tryToHold(directory, "alone", 0) ?? undefined
  if (alone === undefined) return
  try {
    rewrite(log)
  } catch (cause) {
    // Without permission to write, the server accepts nothing anyway.
    if (["EACCES", "EPERM", "EROFS"].includes(codeOf(cause))) return
    throw new UserError(`The log ${log} can't be stored (${messageOf(cause)}). Check the disk.`, { cause })
  }
}

function rewrite(path: string): void {
  const descriptor = openSync(path, "r+")
  const chunk = new Uint8Array(CHUNK_BYTES)
  try {
    for (let at = 0; ; ) {
      const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, at)
      if (bytes === 0) break
      for (let done = 0; done < bytes; ) done += writeSync(descriptor, chunk, done, bytes - done, at + done)
      at += bytes
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
