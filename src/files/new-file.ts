import * as fs from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { messageOf, UserError } from "../domain/user-error.ts"

/** A folder that other users can neither read nor write. */
export interface PrivateFolder extends Disposable {
  readonly path: string
}

/** A new folder with a random name that only its owner may enter; disposing deletes it with its content. */
export function privateFolder(parent: string, prefix: string): PrivateFolder {
  if (!fs.existsSync(parent))
    throw new UserError(`The folder ${parent} does not exist. Create it, or choose another one.`)
  const path = inWords(`No file can be created in ${parent}`, () => fs.mkdtempSync(join(parent, prefix)))
  return { path, [Symbol.dispose]: () => fs.rmSync(path, { recursive: true, force: true }) }
}

/** Does something with a folder, and says for people what could not be done. */
export function inWords<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    throw new UserError(`${what} (${messageOf(cause)}). Check its permissions, or choose another folder.`, { cause })
  }
}

/** The folder in which a new file is written before it is renamed to `target`. */
export const folderBeside = (target: string): PrivateFolder =>
  privateFolder(dirname(resolve(target)), `.${basename(target)}.partial-`)

/** Creates a file that must not exist yet, not even as a link. */
export const openNewFile = (path: string, mode: number): number => fs.openSync(path, "wx", mode)

export const newFileStream = (path: string, mode: number) => fs.createWriteStream(path, { fd: openNewFile(path, mode) })

/** The existing file at `target`, or null. Only a regular file may be replaced: a device, a pipe or a link is meant to stay. */
export function replaceable(target: string): fs.Stats | null {
  const there = fs.lstatSync(target, { throwIfNoEntry: false })
  if (there === undefined) return null
  if (there.isFile()) return there
  throw new UserError(
    `${target} is ${kindOf(there)}, not a file that can be replaced. Choose another file, or - for standard output.`,
  )
}

function kindOf(stats: fs.Stats): string {
  if (stats.isSymbolicLink()) return "a link"
  if (stats.isDirectory()) return "a folder"
  if (stats.isFIFO()) return "a named pipe"
  return stats.isSocket() ? "a socket" : "a device"
}

/** Owner and permissions of a file. */
export type Rights = Pick<fs.Stats, "uid" | "gid" | "mode">

/** Creates an empty file that only its owner may read. As root, the owner is that of the folder. */
export function makeOwnedFile(path: string): void {
  andClose(openNewFile(path, 0o600), (descriptor) => giveTo(descriptor, fs.statSync(dirname(path))))
}

/**
 * Creates a folder that only its owner may enter, with missing parents, and syncs their names to disk. As root, the owner is that of the existing parent. Disposing
 * removes those that are still empty.
 */
export function makeOwnedFolders(path: string): Disposable {
  const first = fs.mkdirSync(path, { recursive: true, mode: 0o700 })
  const made = first === undefined ? [] : foldersBetween(resolve(first), resolve(path))
  const owner = first === undefined ? null : fs.statSync(dirname(resolve(first)))
  if (owner !== null) for (const folder of made) giveFolderTo(folder, owner)
  for (const folder of made) syncFolder(dirname(folder))
  return { [Symbol.dispose]: () => made.every(removeIfEmpty) }
}

/** The innermost first. */
const foldersBetween = (outermost: string, innermost: string): string[] =>
  innermost === outermost ? [outermost] : [innermost, ...foldersBetween(outermost, dirname(innermost))]

function giveFolderTo(folder: string, owner: fs.Stats): void {
  // The owner of the parent folder could put a link there meanwhile.
  const descriptor = fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW)
  andClose(descriptor, () => giveTo(descriptor, owner))
}

function removeIfEmpty(folder: string): boolean {
  try {
    fs.rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** Renames a new file to its target, once it is on disk with its final owner and permissions. */
export function renameWhenOnDisk(partial: string, target: string, rights: Rights | null): void {
  // The owner of the parent folder could put a link there meanwhile.
  andClose(fs.openSync(partial, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW), (descriptor) => {
    if (rights !== null) {
      giveTo(descriptor, rights)
      fs.fchmodSync(descriptor, rights.mode & 0o777)
    }
    fs.fsyncSync(descriptor)
  })
  inWords(`${target} could not be written`, () => fs.renameSync(partial, target))
  syncFolder(dirname(resolve(target)))
}

export function syncFolder(path: string): void {
  andClose(fs.openSync(path, "r"), fs.fsyncSync)
}

function andClose(descriptor: number, work: (descriptor: number) => void): void {
  try {
    work(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

// Only root can change the owner.
function giveTo(descriptor: number, { uid, gid }: Pick<Rights, "uid" | "gid">): void {
  if (process.geteuid?.() === 0) fs.fchownSync(descriptor, uid, gid)
}

/** Whether this is a folder of the current user. */
export function isOwnFolder(path: string): boolean {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.geteuid?.()
}

/** Writes a small file so that readers, and a crash, see either all of it or what was there before. */
export function replaceFile(path: string, text: string, mode = 0o666): void {
  using folder = folderBeside(path)
  const partial = join(folder.path, "file")
  fs.writeFileSync(partial, text, { flag: "wx", mode })
  renameWhenOnDisk(partial, path, null)
}
