import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs"
import { join, parse } from "node:path"
import type { FileReport } from "../../../domain/upload/file-report.ts"
import { UserError } from "../../../domain/user-error.ts"
import { replaceFile } from "../../../files/new-file.ts"

/** Where files go, inside the folder that is watched. */
const DONE = "done"
const FAILED = "failed"

export interface FoundFile {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  /** Changes whenever the file does. */
  readonly signature: string
}

// Names that programs give to files which are not complete yet.
const UNFINISHED = /^[.~]|(?:\.(?:part|partial|tmp|temp|crdownload|download|filepart|swp|lock)|~)$/i

/**
 * The files that may be reported, the oldest first, so that totals are reported in their order; the names of links, which are not followed,
 * because they may point anywhere; and the names of folders that are not the watcher's own. Throws when the folder cannot be read.
 */
export function contentOf(folder: string) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !UNFINISHED.test(name))
  const files = entries.filter((entry) => entry.isFile()).flatMap(({ name }) => filesIn(folder, name))
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
  const folders = entries.filter((entry) => entry.isDirectory() && ![DONE, FAILED].includes(entry.name))
  files.sort((a, b) => a.modifiedMs - b.modifiedMs || (a.name < b.name ? -1 : 1))
  return { files, links, folders: folders.map(({ name }) => name) }
}

/** The file as it is now; none when it is gone. */
export function filesIn(folder: string, name: string): FoundFile[] {
  const path = join(folder, name)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return []
  const { size, mtimeMs, ctimeMs, ino } = stats
  return [{ name, path, size, modifiedMs: mtimeMs, signature: `${ino}:${size}:${mtimeMs}:${ctimeMs}` }]
}

// Of the flags in /proc/PID/fdinfo: opened for writing, or for reading and writing.
const WRITING = 0o3

/** Whether a process has the file open for writing, as far as this system lets us see it: Linux, and mostly processes of the same user. */
export function isOpenForWriting(path: string): boolean {
  try {
    const target = realpathSync(path)
    return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && hasOpen(join("/proc", pid), target))
  } catch {
    return false
  }
}

function hasOpen(process: string, target: string): boolean {
  try {
    return readdirSync(join(process, "fd")).some((descriptor) => {
      if (readlinkSync(join(process, "fd", descriptor)) !== target) return false
      const [, flags = "0"] = /^flags:\s*(\d+)/m.exec(readFileSync(join(process, "fdinfo", descriptor), "utf8")) ?? []
      return (Number.parseInt(flags, 8) & WRITING) !== 0
    })
  } catch {
    // The process has ended, or belongs to somebody else.
    return false
  }
}

/** What happened to a file. It is kept beside the file, as NAME.result.json. */
export interface FileResult {
  readonly file: string
  /** incomplete: some of it was reported, but not everything that is about lines of the organization. */
  readonly status: "reported" | "duplicate" | "incomplete" | "failed"
  readonly message: string
  readonly at: string
  readonly sha256: string | null
  readonly report: FileReport | null
}

/** A name in done or failed that no file has yet, relative to the watched folder. */
export function freePlace(folder: string, { file, status }: Pick<FileResult, "file" | "status">): string {
  const kind = status === "reported" || status === "duplicate" ? DONE : FAILED
  const { name, ext } = shortEnough(file)
  for (let count = 1; ; count++) {
    const place = join(kind, `${name}${count === 1 ? "" : `-${count}`}${ext}`)
    if (!existsSync(join(folder, place)) && !existsSync(resultPath(folder, place))) return place
  }
}

// File systems take 255 bytes. The result has a longer name, and while it is written one that is longer still.
const NAME_BYTES_MAX = 200
const EXTENSION_LENGTH_MAX = 20

function shortEnough(file: string): { readonly name: string; readonly ext: string } {
  const parts = parse(file)
  const ext = parts.ext.length > EXTENSION_LENGTH_MAX ? "" : parts.ext
  const characters = [...(ext === "" ? file : parts.name)]
  while (Buffer.byteLength(characters.join("")) > NAME_BYTES_MAX) characters.pop()
  return { name: characters.join(""), ext }
}

// As `folderBeside` names the folders in which new files are written.
const PARTIAL = /^\..+\.partial-/

/** Refuses links and files in the place of the watcher's own folders: whoever may drop files must not choose where they go. */
export function refuseNoFolders(folder: string): void {
  for (const name of [DONE, FAILED]) refuseNoFolder(join(folder, name))
}

function refuseNoFolder(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there === undefined || there.isDirectory()) return
  throw new UserError(
    `${path} is ${there.isSymbolicLink() ? "a link, and links are not followed" : "no folder"}. Remove it.`,
  )
}

/** Removes what a watcher left behind that was killed while it wrote. */
export function removeLeftovers(folder: string): void {
  for (const place of [DONE, FAILED].map((name) => join(folder, name)).filter(existsSync)) {
    for (const name of readdirSync(place).filter((name) => PARTIAL.test(name)))
      rmSync(join(place, name), { recursive: true, force: true })
  }
}

/** A file that was reported completely, and where it is put aside. */
export interface ReportedFile extends Pick<FileResult, "file" | "message" | "at"> {
  readonly place: string
}

/** What the results in done tell of earlier starts, by the content of the files. One that cannot be read tells nothing. */
export function reportedIn(folder: string): Map<string, ReportedFile> {
  const names = existsSync(join(folder, DONE)) ? readdirSync(join(folder, DONE)) : []
  const results = names
    .filter((name) => name.endsWith(RESULT))
    .flatMap((name) => {
      const { sha256 = null, status, ...result }: Partial<FileResult> = jsonIn(join(folder, DONE, name))
      const place = join(DONE, name.slice(0, -RESULT.length))
      return sha256 !== null && status === "reported" ? [[sha256, { ...result, place } as ReportedFile] as const] : []
    })
  return new Map(results)
}

function jsonIn(path: string): object {
  try {
    return Object(JSON.parse(readFileSync(path, "utf8")))
  } catch {
    return {}
  }
}

const RESULT = ".result.json"
const resultPath = (folder: string, place: string) => join(folder, place + RESULT)

/** Writes the result, then moves the file, unless it is gone: a file that is aside always has its result. */
export function putAside(folder: string, file: FoundFile | null, place: string, result: FileResult): void {
  const target = join(folder, parse(place).dir)
  // It may have been put there since the start.
  refuseNoFolder(target)
  mkdirSync(target, { recursive: true })
  replaceFile(resultPath(folder, place), `${JSON.stringify(result, null, 2)}\n`)
  if (file === null) return
  try {
    renameSync(file.path, join(folder, place))
  } catch (cause) {
    // Gone, perhaps because another watcher has it.
    if (!existsSync(join(folder, place))) rmSync(resultPath(folder, place), { force: true })
    throw cause
  }
}
