// Promise: a directory always has the whole old database or the whole new one, and never begins anew where one was lost.
// Held by test/trust/one-server.test.ts and test/doors/cli/backup.test.ts.
import { Database } from "bun:sqlite"
import { existsSync, readdirSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { codeOf, messageOf, UserError } from "../../../domain/user-error.ts"
import { writeAgain } from "../../../files/durable.ts"
import { renameWhenOnDisk, syncFolder } from "../../../files/new-file.ts"
import * as lock from "./directory-lock.ts"
import { DATABASE_FILE, databasePath, lostDatabase, makePrivateFile, markAsOurs } from "./open.ts"
import { sqliteUserError } from "./sqlite-errors.ts"
import { workFolder } from "./work-folder.ts"

// SQLite would apply the log of another database that it finds beside a file.
const SIDE_FILES = ["-wal", "-shm", "-journal"]
const READY = `${DATABASE_FILE}.restored-`

/**
 * Replaces the database with a copy, whatever state it is in, and saves the old one as `asideOf(dataDirectory, stamp)`. Several files
 * have to be renamed: after the first rename the new database counts, and if the process dies, the next one to open it does the rest.
 * False when the database is open.
 */
export function replaceFile(dataDirectory: string, copy: string, stamp: string): boolean {
  using alone = lock.holdDirectoryAlone(dataDirectory) || undefined
  if (alone === undefined) return false
  const live = databasePath(dataDirectory)
  const rights = existsSync(live) ? statSync(live) : { ...statSync(dataDirectory), mode: 0o600 }
  renameWhenOnDisk(copy, `${live}.restored-${stamp}`, rights)
  finish(dataDirectory, stamp)
  return true
}

export const asideOf = (dataDirectory: string, stamp: string): string =>
  `${databasePath(dataDirectory)}.before-restore-${stamp}`

/** Whether there is a database, including a restored one that still has to be renamed. */
export const hasDatabase = (dataDirectory: string): boolean =>
  isThere(databasePath(dataDirectory)) || readyIn(dataDirectory).length > 0

/** False only when there is no file or an empty one. If it cannot be looked at, opening it will say why. */
function isThere(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (cause) {
    return codeOf(cause) !== "ENOTDIR"
  }
}

/** Finishes what a killed process left behind: a restore, and a log that may not be on disk. False while another process is doing it. */
export function finishInterrupted(dataDirectory: string): boolean {
  if (readyIn(dataDirectory).length === 0 && !hasLog(dataDirectory)) return true
  using alone = lock.holdDirectoryAlone(dataDirectory) || undefined
  // A process that has the database open has done it, unless it is being replaced.
  if (alone === undefined) return readyIn(dataDirectory).length === 0
  for (const stamp of readyIn(dataDirectory)) finish(dataDirectory, stamp)
  if (hasLog(dataDirectory)) storeLogAgain(logPath(dataDirectory))
  return true
}

const logPath = (dataDirectory: string) => `${databasePath(dataDirectory)}-wal`

const hasLog = (dataDirectory: string) => isThere(logPath(dataDirectory))

/** The process that wrote it may have ended because of a sync that failed, and what is committed next must not follow a gap. */
function storeLogAgain(path: string): void {
  try {
    writeAgain(path)
  } catch (cause) {
    // Without permission to write nothing is committed either.
    if (["EACCES", "EPERM", "EROFS"].includes(codeOf(cause))) return
    throw new UserError(`The write-ahead log ${path} cannot be stored (${messageOf(cause)}). Check the disk.`, {
      cause,
    })
  }
}

/** Stamps of the copies that still have to be renamed to become the database. */
function readyIn(dataDirectory: string): string[] {
  try {
    const names = readdirSync(dataDirectory).filter((name) => name.startsWith(READY))
    return names.map((name) => name.slice(READY.length)).sort()
  } catch {
    // It does not exist or may not be read.
    return []
  }
}

function finish(dataDirectory: string, stamp: string): void {
  const [live, aside] = [databasePath(dataDirectory), asideOf(dataDirectory, stamp)]
  for (const ending of [...SIDE_FILES, ""]) {
    if (existsSync(live + ending)) renameSync(live + ending, aside + ending)
  }
  // Names may reach the disk in any order: the old log must not come back beside the new database.
  syncFolder(dataDirectory)
  renameSync(`${live}.restored-${stamp}`, live)
  syncFolder(dataDirectory)
}

/** Held while working on the database of a directory, so that its file is not replaced meanwhile. */
export const holdOpen = (dataDirectory: string): Disposable => heldBy(dataDirectory, lock.holdDirectory) ?? refuse()

/** Held by a server: commands may work beside it, but no other server. */
export function holdToServe(dataDirectory: string): Disposable {
  lock.refuseMoved(dataDirectory)
  const held = heldBy(dataDirectory, lock.holdDirectoryToServe)
  if (held !== null) return held
  const server = lock.runningServer(dataDirectory)
  if (server === null) return refuse()
  throw new UserError(
    `The data directory ${dataDirectory} is in use by another server: ${server}. One directory has one server. ` +
      "Stop that one, or choose another directory with --data.",
  )
}

const heldBy = (dataDirectory: string, hold: typeof lock.holdDirectory): Disposable | null =>
  explained(dataDirectory, () => finishInterrupted(dataDirectory) && hold(dataDirectory)) || null

function explained<Result>(dataDirectory: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    throw sqliteUserError(cause, `The data directory ${dataDirectory}`) ?? cause
  }
}

function refuse(): never {
  throw new UserError("This data directory is being restored or moved. Try again when that is done.")
}

/** For every command that needs an existing database. */
export function noDatabase(dataDirectory: string): UserError {
  return new UserError(
    `There is no Adbooth database in ${dataDirectory}. Check --data. Only serve, import, backup restore and move create a database.`,
  )
}

/**
 * Creates the database of a new installation. It gets its name only with content, so that an empty file is always one that lost it. A
 * directory in which a server has run has lost its database, too.
 */
export function createIfMissing(dataDirectory: string): void {
  const path = databasePath(dataDirectory)
  const isMissing = () => !existsSync(path) && !hasDatabase(dataDirectory)
  if (!isMissing()) return
  if (lock.lastServer(dataDirectory) !== null) throw lostDatabase(path, "is missing, although a server has used it")
  explained(dataDirectory, () => {
    using alone = lock.holdDirectoryAlone(dataDirectory) || undefined
    // Where another process creates it at this moment, the process that opens it waits for that.
    if (alone !== undefined && isMissing()) create(dataDirectory, path)
  })
}

function create(dataDirectory: string, path: string): void {
  using folder = workFolder(dataDirectory)
  const partial = join(folder.path, "new.db")
  makePrivateFile(partial)
  using database = new Database(partial)
  markAsOurs(database)
  renameWhenOnDisk(partial, path, { ...statSync(dataDirectory), mode: 0o600 })
}
