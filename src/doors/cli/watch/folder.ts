import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** Where files go, inside the folder that is watched. */
export const DONE = "done"
export const FAILED = "failed"
/** What the watcher remembers, in the same place. */
export const OWN = ".adbooth-watch"

export interface FoundFile {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  /** Changes whenever the file does. */
  readonly signature: string
}

export interface FolderContent {
  /** The oldest first, so that totals are reported in their order. */
  readonly files: readonly FoundFile[]
  /** Names of links, which are not followed: they may point anywhere. */
  readonly links: readonly string[]
  /** Names of folders that are not the watcher's own. */
  readonly folders: readonly string[]
}

// Names that programs give to files which are not complete yet.
const UNFINISHED = /^[.~]|(?:\.(?:part|partial|tmp|temp|crdownload|download|filepart|swp|lock)|~)$/i

/** The files that may be reported. Throws when the folder cannot be read. */
export function contentOf(folder: string): FolderContent {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !UNFINISHED.test(name))
  const files = entries.filter((entry) => entry.isFile()).flatMap(({ name }) => found(folder, name))
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
  const folders = entries.filter((entry) => entry.isDirectory() && ![DONE, FAILED].includes(entry.name))
  files.sort((one, other) => one.modifiedMs - other.modifiedMs || (one.name < other.name ? -1 : 1))
  return { files, links, folders: folders.map(({ name }) => name) }
}

/** The file as it is now; none when it is gone. */
export function found(folder: string, name: string): FoundFile[] {
  const path = join(folder, name)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return []
  const { size, mtimeMs, ctimeMs, ino } = stats
  return [{ name, path, size, modifiedMs: mtimeMs, signature: `${ino}:${size}:${mtimeMs}:${ctimeMs}` }]
}
