import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

/** Readable by its owner only, for files with secrets. */
export const PRIVATE = 0o600

/** Writes a small file so that readers, and a crash, see either all of it or what was there before. */
export function replaceFile(path: string, text: string, mode = PRIVATE): void {
  const partial = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}`)
  try {
    const descriptor = openSync(partial, "wx", mode)
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(partial, path)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw cause
  }
  syncFolder(dirname(resolve(path)))
}

/** Makes sure that a new, renamed or deleted name in the folder survives a power failure. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Creates a folder that only its owner may enter. Does nothing if it exists. */
export function makePrivateFolder(path: string): void {
  if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(resolve(path)))
}

/** Renames a finished file, once its content is on disk. A reader, or a crash, sees all of it or what was there before. */
export function moveIntoPlace(partial: string, path: string): void {
  const descriptor = openSync(partial, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(partial, path)
  syncFolder(dirname(resolve(path)))
}
