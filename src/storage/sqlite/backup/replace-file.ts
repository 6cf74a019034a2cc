import { existsSync, readdirSync, renameSync, statSync } from "node:fs"
import { settleAs, syncFolder } from "../../../files/new-file.ts"
import { holdDirectoryAlone } from "../engine/directory-lock.ts"
import { DATABASE_FILE, databasePath } from "../engine/open.ts"

// SQLite would apply the log of another database that it finds beside a file.
const SIDE_FILES = ["-wal", "-shm", "-journal"]
const READY = `${DATABASE_FILE}.restored-`

/**
 * Replaces the database with a copy, whatever state it is in, and saves the old one as `asideOf(dataDirectory, stamp)`. Several files
 * have to be renamed: after the first rename the new database counts, and if the process dies, the next one to open it does the rest.
 * False when the database is open.
 */
export function replaceFile(dataDirectory: string, copy: string, stamp: string): boolean {
  using alone = holdDirectoryAlone(dataDirectory) || undefined
  if (alone === undefined) return false
  const live = databasePath(dataDirectory)
  const rights = existsSync(live) ? statSync(live) : { ...statSync(dataDirectory), mode: 0o600 }
  settleAs(copy, `${live}.restored-${stamp}`, rights)
  finish(dataDirectory, stamp)
  return true
}

export function asideOf(dataDirectory: string, stamp: string): string {
  return `${databasePath(dataDirectory)}.before-restore-${stamp}`
}

/** Whether there is a database, including a restored one that still has to be renamed. */
export function hasDatabase(dataDirectory: string): boolean {
  return isThere(databasePath(dataDirectory)) || readyIn(dataDirectory).length > 0
}

/** False only when there is no file or an empty one. If it cannot be looked at, opening it will say why. */
function isThere(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (cause) {
    return !(cause instanceof Error && "code" in cause && cause.code === "ENOTDIR")
  }
}

/** Finishes an interrupted restore. False when another process is doing it. */
export function finishReplacing(dataDirectory: string): boolean {
  if (readyIn(dataDirectory).length === 0) return true
  using alone = holdDirectoryAlone(dataDirectory) || undefined
  if (alone === undefined) return false
  for (const stamp of readyIn(dataDirectory)) finish(dataDirectory, stamp)
  return true
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
  renameSync(`${live}.restored-${stamp}`, live)
  syncFolder(dataDirectory)
}
