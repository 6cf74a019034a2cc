import { Database } from "bun:sqlite"
import { existsSync, realpathSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import type { Compression } from "../../domain/backup.ts"
import { Trouble } from "../../domain/trouble.ts"
import { type CheckedCopy, checkCopy, countOf } from "./check-copy.ts"
import { pack, sync } from "./compress.ts"
import { databasePath, makePrivateFile } from "./open.ts"

// History only grows, so a copy made after a count can never hold less.
const HISTORY = "delivery_report"

export interface Backup extends CheckedCopy {
  readonly file: string
  readonly bytes: number
}

/**
 * Copies the database as it is at one moment, while others read and write it. The copy appears under its name only after it was
 * opened, found sound and counted; an earlier file of that name stays until then.
 */
export async function backUp(dataDirectory: string, file: string, compression: Compression): Promise<Backup> {
  refuseLiveFiles(dataDirectory, file)
  const plain = `${file}.partial`
  const packed = `${file}.packed.partial`
  try {
    // A killed backup may have left one behind.
    await rm(plain, { force: true })
    makePrivateFile(plain)
    const inHistory = copy(databasePath(dataDirectory), plain)
    const checked = checkCopy(plain, "The copy")
    if ((checked.rows[HISTORY] ?? 0) < inHistory) throw new Trouble("The copy holds less than the database does.")
    if (compression !== "none") await pack(plain, packed, compression)
    await settleAs(file, compression === "none" ? plain : packed)
    return { file, bytes: Bun.file(file).size, ...checked }
  } catch (cause) {
    if (cause instanceof Trouble) throw cause
    throw new Trouble(`No backup was made: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  } finally {
    for (const left of [plain, `${plain}-journal`, packed]) await rm(left, { force: true })
  }
}

/** Copies in one read transaction, without keeping writers waiting. Answers how many reports there were before. */
function copy(from: string, to: string): number {
  using database = new Database(from, { readonly: true })
  database.run("PRAGMA busy_timeout = 5000")
  const inHistory = countOf(database, HISTORY)
  database.query("VACUUM INTO ?").run(to)
  return inHistory
}

async function settleAs(file: string, partial: string): Promise<void> {
  await sync(partial)
  await rename(partial, file)
  await sync(dirname(resolve(file)))
}

function refuseLiveFiles(dataDirectory: string, file: string): void {
  const live = databasePath(dataDirectory)
  if (!existsSync(live))
    throw new Trouble(`There is no database in ${dataDirectory} to back up. --data names another place.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new Trouble(`The folder ${folder} does not exist. Make it, or choose another place.`)
  const target = resolve(realpathSync(folder), resolve(file).slice(folder.length + 1))
  const ours = realpathSync(live)
  if ([ours, `${ours}-wal`, `${ours}-shm`].includes(target)) {
    throw new Trouble("A backup cannot take the place of the database itself. Choose another file.")
  }
}
