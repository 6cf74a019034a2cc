import { Database, SQLiteError } from "bun:sqlite"
import { existsSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { isOwnFolder, type PrivateFolder, privateFolder, replaceFile } from "../../../files/new-file.ts"
import { StoreUnavailable } from "../../port/unavailable.ts"
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

const TRIES_MAX = 5
const PREFIX = ".adbooth-partial-"

/**
 * A private folder for unfinished files and for what SQLite puts beside them: a new database must never find the journal of an earlier
 * one with the same name. The folder is locked while it is used, so that folders of killed programs can be told apart and removed.
 */
export function workFolder(parent: string): PrivateFolder {
  removeAbandoned(parent)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const folder = privateFolder(parent, PREFIX)
    const held = tryTo(() => holdDirectory(folder.path)) || undefined
    const release = () => {
      held?.[Symbol.dispose]()
      folder[Symbol.dispose]()
    }
    // Another process may have removed it as abandoned before it was locked.
    if (held !== undefined && existsSync(folder.path)) return { path: folder.path, [Symbol.dispose]: release }
    release()
  }
  throw new UserError(`Files cannot be locked in ${parent}. Choose a folder on a local disk.`)
}

/** Removes the folders of killed programs. */
export function removeAbandoned(parent: string): void {
  for (const path of workFolders(parent)) tryTo(() => removeIfAbandoned(path))
}

function removeIfAbandoned(path: string): void {
  if (!isOwnFolder(path)) return
  using alone = holdDirectoryAlone(path) || undefined
  if (alone !== undefined) rmSync(path, { recursive: true, force: true })
}

/** Whether a program has unfinished files below this folder, as a restore has. */
export function isWorkUnderWay(parent: string): boolean {
  return workFolders(parent).some((path) =>
    tryTo(() => {
      using alone = holdDirectoryAlone(path) || undefined
      return alone === undefined
    }),
  )
}

function workFolders(parent: string): string[] {
  const names = tryTo(() => readdirSync(parent)) || []
  return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(parent, name))
}

// Another user's folder, or one that is being removed at this moment: cleaning up can wait.
function tryTo<Result>(work: () => Result): Result | false {
  try {
    return work()
  } catch {
    return false
  }
}

/**
 * Remembers which files a database was opened from. The result names one that was deleted or replaced since: whatever is written goes to
 * a file that nobody will find again. Null while all are in their place. Asked for each commit, so it must stay cheap.
 */
export function openFiles(databaseFile: string): () => string | null {
  const lock = join(dirname(databaseFile), LOCK_FILE)
  const files = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, lock].flatMap((path) => {
    const file = fileAt(path)
    return file === undefined ? [] : [{ path, dev: file.dev, ino: file.ino }]
  })
  return () => {
    for (const { path, dev, ino } of files) {
      const now = fileAt(path)
      if (now?.ino !== ino || now.dev !== dev) return path
    }
    return null
  }
}

// What cannot be looked at cannot be found at the next start either.
const fileAt = (path: string): Stats | undefined => tryTo(() => statSync(path, { throwIfNoEntry: false })) || undefined

export class FilesLost extends StoreUnavailable {
  override readonly name = "FilesLost"

  constructor(path: string) {
    super(
      `${path} was deleted or replaced while the server runs: nothing that it accepts would be there after a restart. ` +
        "Stop the server, put the file back or restore a backup, then start it again",
    )
  }
}
