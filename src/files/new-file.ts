import {
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { UserError } from "../domain/user-error.ts"

/** Where somebody without our rights can neither look nor put anything, such as a link, in our way. */
export interface PrivateFolder extends Disposable {
  readonly path: string
}

/** A new folder of an unpredictable name that only its owner may enter; it goes away with everything in it. */
export function privateFolder(parent: string, prefix: string): PrivateFolder {
  if (!existsSync(parent)) throw new UserError(`The folder ${parent} does not exist. Make it, or choose another place.`)
  const path = inWords(`No file can be made in ${parent}`, () => mkdtempSync(join(parent, prefix)))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function inWords<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserError(`${what} (${reason}). Check its permissions, or choose another place.`, { cause })
  }
}

/** The folder in which a new file named `target` is made before it gets its name. */
export function folderBeside(target: string): PrivateFolder {
  return privateFolder(dirname(resolve(target)), `.${basename(target)}.partial-`)
}

/** Opens a file that must not be there yet, not even as a link. Whoever makes it says who may read it. */
export function openNewFile(path: string, mode: number): number {
  return openSync(path, "wx", mode)
}

/** The same as a stream. */
export function newFileStream(path: string, mode: number) {
  return createWriteStream(path, { fd: openNewFile(path, mode) })
}

/**
 * What stands where a file is to be written: null when there is nothing. Only a regular file may be replaced; whoever names a device, a
 * pipe or a link means something else than to have it replaced.
 */
export function replaceable(target: string): Stats | null {
  const there = lstatSync(target, { throwIfNoEntry: false })
  if (there === undefined) return null
  if (there.isFile()) return there
  throw new UserError(
    `${target} is ${kindOf(there)}, not a file that can be replaced. Choose another file, or - for standard output.`,
  )
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a link"
  if (stats.isDirectory()) return "a folder"
  if (stats.isFIFO()) return "a named pipe"
  return stats.isSocket() ? "a socket" : "a device"
}

/** Who a file belongs to, and what others may do with it. */
export type Rights = Pick<Stats, "uid" | "gid" | "mode">

/** Makes an empty file that only its owner may read. As root, it belongs to whoever the folder belongs to. */
export function makeOwnedFile(path: string): void {
  const descriptor = openNewFile(path, 0o600)
  try {
    giveTo(descriptor, statSync(dirname(path)))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Makes a folder that only its owner may enter, with those above it that are missing. As root, they belong to whoever the folder around
 * them belongs to. Disposed of, those that are still empty are gone again.
 */
export function makeOwnedFolders(path: string): Disposable {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  const made = first === undefined ? [] : foldersBetween(resolve(first), resolve(path))
  const owner = first === undefined ? null : statSync(dirname(resolve(first)))
  if (owner !== null) for (const folder of made) giveFolderTo(folder, owner)
  return { [Symbol.dispose]: () => made.every(removeIfEmpty) }
}

/** The innermost first. */
function foldersBetween(outermost: string, innermost: string): string[] {
  return innermost === outermost ? [outermost] : [innermost, ...foldersBetween(outermost, dirname(innermost))]
}

function giveFolderTo(folder: string, owner: Stats): void {
  // Whoever owns the folder around it could put a link there meanwhile.
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    giveTo(descriptor, owner)
  } finally {
    closeSync(descriptor)
  }
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** Gives a new file its name: by then all of it is on disk, and it has the rights it is to have. */
export function settleAs(partial: string, target: string, rights: Rights | null): void {
  // Whoever owns the folder around ours could put a link there meanwhile.
  const descriptor = openSync(partial, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if (rights !== null) {
      giveTo(descriptor, rights)
      fchmodSync(descriptor, rights.mode & 0o777)
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  inWords(`${target} could not be written`, () => renameSync(partial, target))
  syncFolder(dirname(resolve(target)))
}

/** Waits until a folder's list of files is on disk. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

// Only root can give something away: for everybody else their files are their own.
function giveTo(descriptor: number, { uid, gid }: Pick<Rights, "uid" | "gid">): void {
  if (process.geteuid?.() === 0) fchownSync(descriptor, uid, gid)
}

/** Whether this is a folder of the user that we run as. */
export function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.geteuid?.()
}
