import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { isOwnFolder, type PrivateFolder, privateFolder } from "../../../files/new-file.ts"
import { holdDirectory, holdDirectoryAlone } from "../engine/directory-lock.ts"

const TRIES_MAX = 5
const PREFIX = ".adbooth-partial-"

/**
 * A private folder for files that are not finished, and for whatever SQLite puts beside them: a later database of the same name must
 * never meet the journal of an earlier one. It is held while it is used, so that what a killed program left behind is known as such.
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
    // Somebody who cleans up may have taken it for abandoned before it was held.
    if (held !== undefined && existsSync(folder.path)) return { path: folder.path, [Symbol.dispose]: release }
    release()
  }
  throw new UserError(`No file can be locked in ${parent}. Choose a place on a disk of this machine.`)
}

/** Removes what killed programs left unfinished. */
export function removeAbandoned(parent: string): void {
  const names = tryTo(() => readdirSync(parent)) || []
  for (const name of names.filter((one) => one.startsWith(PREFIX))) tryTo(() => removeIfAbandoned(join(parent, name)))
}

function removeIfAbandoned(path: string): void {
  if (!isOwnFolder(path)) return
  using alone = holdDirectoryAlone(path) || undefined
  if (alone !== undefined) rmSync(path, { recursive: true, force: true })
}

// Another user's folder, or one that goes away at this moment: cleaning up can wait.
function tryTo<Result>(work: () => Result): Result | false {
  try {
    return work()
  } catch {
    return false
  }
}
