// Promise: unfinished files of a program that was killed are told from those of one that works, and removed.
// Held by test/files/new-file.test.ts.
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { isOwnFolder, type PrivateFolder, privateFolder } from "../../../files/new-file.ts"
import { holdDirectory, holdDirectoryAlone } from "./directory-lock.ts"

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
