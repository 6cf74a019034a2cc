import { existsSync, readdirSync, renameSync, statSync } from "node:fs"
import { settleAs, syncFolder } from "../../../files/new-file.ts"
import { holdDirectoryAlone } from "../engine/directory-lock.ts"
import { DATABASE_FILE, databasePath } from "../engine/open.ts"

// A log of another database beside a file would be played into it.
const SIDE_FILES = ["-wal", "-shm", "-journal"]
const READY = `${DATABASE_FILE}.restored-`

/**
 * Puts a copy in the place of the database, whatever state that is in, and keeps what was there as `asideOf(dataDirectory, stamp)`. Several
 * files have to be renamed: from the first step on the new database counts, and whoever opens it after a sudden end does the rest.
 * False when somebody has the database open.
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

/** Whether there is a database, also one that has not yet got its name. */
export function hasDatabase(dataDirectory: string): boolean {
  return isThere(databasePath(dataDirectory)) || readyIn(dataDirectory).length > 0
}

/** False only when there is no file, or nothing in it: what is wrong with one that may not be looked at, opening it will tell. */
function isThere(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (cause) {
    return !(cause instanceof Error && "code" in cause && cause.code === "ENOTDIR")
  }
}

/** Does the rest of a restore that ended suddenly. False when somebody else is at it. */
export function finishReplacing(dataDirectory: string): boolean {
  if (readyIn(dataDirectory).length === 0) return true
  using alone = holdDirectoryAlone(dataDirectory) || undefined
  if (alone === undefined) return false
  for (const stamp of readyIn(dataDirectory)) finish(dataDirectory, stamp)
  return true
}

/** Stamps of the copies that are to become the database. */
function readyIn(dataDirectory: string): string[] {
  try {
    const names = readdirSync(dataDirectory).filter((name) => name.startsWith(READY))
    return names.map((name) => name.slice(READY.length)).sort()
  } catch {
    // It is not there or may not be looked into.
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
