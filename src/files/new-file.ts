import {
  chmodSync,
  chownSync,
  createWriteStream,
  lstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { Trouble } from "../domain/trouble.ts"

/** Where somebody without our rights can neither look nor put anything, such as a link, in our way. */
export interface PrivateFolder extends Disposable {
  readonly path: string
}

/** A new folder of an unpredictable name that only its owner may enter; it goes away with everything in it. */
export function privateFolder(parent: string, prefix: string): PrivateFolder {
  const path = mkdtempSync(join(parent, prefix))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
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
  throw new Trouble(
    `${target} is ${kindOf(there)}, not a file that can be replaced. Choose another file, or - for standard output.`,
  )
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a link"
  if (stats.isDirectory()) return "a folder"
  if (stats.isFIFO()) return "a named pipe"
  return stats.isSocket() ? "a socket" : "a device"
}

/** Gives a file the owner and rights of another, as far as we may. */
export function takeOver(path: string, { uid, gid, mode }: Pick<Stats, "uid" | "gid" | "mode">): void {
  giveTo(path, { uid, gid })
  chmodSync(path, mode & 0o777)
}

/** Gives a file to somebody. Only root can: for everybody else their files are their own. */
export function giveTo(path: string, { uid, gid }: Pick<Stats, "uid" | "gid">): void {
  const own = statSync(path)
  if (own.uid === 0 && (own.uid !== uid || own.gid !== gid)) chownSync(path, uid, gid)
}
