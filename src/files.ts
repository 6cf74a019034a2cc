import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { codeOf, messageOf, UserError } from "./domain/errors.ts"

/** Readable by its owner only, for files with secrets. */
export const PRIVATE = 0o600

/** Creates a file that only its owner may read. SQLite gives the same permissions to the files beside it. */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", PRIVATE))
  } catch (cause) {
    // SQLite explains any other error better.
    if (codeOf(cause) === "EEXIST") return
  }
}

/** Replaces a small file at once. Even after a crash, it's either the old or the new one. */
export function replaceFile(path: string, text: string): void {
  const partial = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}`)
  try {
    writeFileSync(partial, text, { flag: "wx", mode: PRIVATE })
    moveIntoPlace(partial, path)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw cause
  }
}

/** Renames a finished file, once its content is on disk. A reader, or a crash, sees all of it or what was there before. */
export function moveIntoPlace(partial: string, path: string): void {
  sync(partial)
  renameSync(partial, path)
  sync(dirname(resolve(path)))
}

/** Creates a folder that only its owner may enter. Does nothing if it exists. */
export function makePrivateFolder(path: string): void {
  if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) sync(dirname(resolve(path)))
}

/** Makes sure that a file, or the names in a folder, survive a power failure. */
export function sync(path: string): void {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const PREFIX = ".adbooth-partial-"
const ABANDONED_MS = 24 * 3_600_000

/** A private folder for unfinished files, deleted when it's disposed of. It's on the same disk as `path`, so files can be renamed. */
export function workFolderFor(path: string): Disposable & { readonly path: string } {
  const parent = dirname(resolve(path))
  removeAbandoned(parent)
  try {
    const folder = mkdtempSync(join(parent, PREFIX))
    return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
  } catch (cause) {
    throw new UserError(`No file can be created in ${parent} (${messageOf(cause)}). Choose another folder.`, { cause })
  }
}

/** Programs that were killed leave such folders behind. */
function removeAbandoned(parent: string): void {
  try {
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(PREFIX)) continue
      const folder = join(parent, name)
      const isAbandoned = Date.now() - statSync(folder).mtimeMs > ABANDONED_MS
      if (isAbandoned) rmSync(folder, { recursive: true, force: true })
    }
  } catch {
    // Another user's folder can stay.
  }
}
