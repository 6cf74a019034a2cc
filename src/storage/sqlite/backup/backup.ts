import { Database } from "bun:sqlite"
import { createReadStream, existsSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { messageOf, UserError } from "../../../domain/user-error.ts"
import { renameWhenOnDisk, replaceable } from "../../../files/new-file.ts"
import type { Backup } from "../../port/copies.ts"
import { hasDatabase, holdOpen, noDatabase } from "../engine/data-directory.ts"
import { LOCK_FILE } from "../engine/directory-lock.ts"
import { databasePath, makePrivateFile } from "../engine/open.ts"
import { workFolder } from "../engine/work-folder.ts"
import { countOf, pack, verifyBackup } from "./backup-file.ts"

// History only grows, so a copy made after counting cannot have fewer reports.
const HISTORY = "delivery_report"

/** Receives a finished copy in chunks. */
export type Sink = (bytes: Uint8Array) => void

/**
 * Copies the database as it is at one moment, while others read and write it. Only after the copy was opened, checked and counted does
 * it go to the sink, or appear under its name; until then an earlier file with that name stays.
 */
export async function backUp(dataDirectory: string, to: string | Sink, isPacked: boolean): Promise<Backup> {
  if (!hasDatabase(dataDirectory)) throw noDatabase(dataDirectory)
  if (typeof to === "string") refuseDatabaseItself(dataDirectory, to)
  using _ = holdOpen(dataDirectory)
  return await writeBackup({ to, isPacked, folderOfOutput: dataDirectory }, async (file) => {
    makePrivateFile(file)
    return copyInto(databasePath(dataDirectory), file)
  })
}

export interface BackupTarget {
  readonly to: string | Sink
  readonly isPacked: boolean
  /** Where the copy is made that goes to a sink. */
  readonly folderOfOutput: string
}

/** Makes a new database file and returns how many reports have to be in it at least. */
type MakeFile = (file: string) => Promise<number>

/** A backup out of a file that `make` makes: checked, packed, and only then under its name. */
export async function writeBackup({ to, isPacked, folderOfOutput }: BackupTarget, make: MakeFile): Promise<Backup> {
  if (typeof to === "string") refuseTarget(to)
  using folder = workFolder(typeof to === "string" ? dirname(resolve(to)) : folderOfOutput)
  const { copy, checked } = await makeCopy(make, folder.path, isPacked).catch((cause) => {
    throw cause instanceof UserError ? cause : new UserError(`No backup was made: ${messageOf(cause)}.`, { cause })
  })
  const { size: bytes } = statSync(copy)
  if (typeof to === "string") renameWhenOnDisk(copy, to, null)
  else for await (const chunk of createReadStream(copy)) to(chunk)
  return { file: typeof to === "string" ? to : "-", bytes, ...checked }
}

async function makeCopy(make: MakeFile, folder: string, isPacked: boolean) {
  const plain = join(folder, "copy.db")
  const inHistory = await make(plain)
  const checked = verifyBackup(plain, "The copy")
  if ((checked.rows[HISTORY] ?? 0) < inHistory) throw new UserError("The copy is not complete.")
  if (!isPacked) return { copy: plain, checked }
  const packed = join(folder, "copy.packed")
  await pack(plain, packed)
  return { copy: packed, checked }
}

/** Copies in one read transaction, which does not block writers. Returns how many reports there were before. */
function copyInto(from: string, to: string): number {
  using database = new Database(from, { readonly: true })
  database.run("PRAGMA busy_timeout = 5000")
  const inHistory = countOf(database, HISTORY)
  database.query("VACUUM INTO ?").run(to)
  return inHistory
}

function refuseTarget(file: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder))
    throw new UserError(`The folder ${folder} does not exist. Create it, or choose another folder.`)
  replaceable(file)
}

function refuseDatabaseItself(dataDirectory: string, file: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) return
  const target = join(realpathSync(folder), basename(file))
  const live = databasePath(realpathSync(dataDirectory))
  if ([live, `${live}-wal`, `${live}-shm`, join(dirname(live), LOCK_FILE)].includes(target)) {
    throw new UserError("A backup cannot overwrite the database itself. Choose another file.")
  }
}
