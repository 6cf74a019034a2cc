import { createReadStream, createWriteStream, existsSync, lstatSync, statfsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { eq, getTableName } from "drizzle-orm"
import { UserError } from "../../domain/errors.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { moveIntoPlace, PRIVATE, workFolderFor } from "../../files.ts"
import type { Database, ReadTx, Tx } from "../database.ts"
import { checkFile, readFrom, upgradeFile } from "../sqlite/copy-file.ts"
import { SCHEMA } from "../sqlite/file.ts"
import { COPIED_TABLES, copiedTables, copyTables, emptyTables, type Progress, REVOCABLE } from "./copy.ts"

const GZIP_START = "1f8b"

interface Backup {
  readonly file: string
  readonly bytes: number
  /** The rows of all tables. */
  readonly rows: number
}

/** Writes a checked copy of everything: one SQLite file, whatever the engine. Replaces a file with the same name. */
export async function createBackup(database: Database, file: string, { isPacked = false } = {}): Promise<Backup> {
  refuseTarget(file)
  using folder = workFolderFor(file)
  const copy = join(folder.path, "copy.db")
  await database.copyInto(copy)
  const { rows } = await checkBackup(copy, "The copy")
  const finished = isPacked ? join(folder.path, "copy.db.gz") : copy
  if (isPacked) await pipeline(createReadStream(copy), createGzip(), createWriteStream(finished, { mode: PRIVATE }))
  moveIntoPlace(finished, file)
  return { file, bytes: statSync(file).size, rows }
}

function refuseTarget(file: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new UserError(`The folder ${folder} doesn't exist. Create it, or choose another one.`)
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile()) throw new UserError(`${file} isn't a file that can be replaced.`)
  if (/(^|\/)(adbooth\.db(-wal|-shm)?|in-use\.lock)$/.test(resolve(file)))
    throw new UserError("A backup can't replace the database itself. Choose another name.")
}

export interface CheckedBackup {
  /** The number of migrations that the backup went through. */
  readonly schema: number
  readonly rows: number
}

/** Opens a backup, which may be compressed, and checks all of it. Errors call it by this name. */
export async function checkBackup(file: string, name = file): Promise<CheckedBackup> {
  if (!(await isPacked(file))) return check(file, name)
  using folder = workFolderFor(file)
  return check(await unpacked(file, folder.path, name), name)
}

async function check(file: string, name: string): Promise<CheckedBackup> {
  const schema = checkFile(file, name)
  // An older version had other tables, so there is nothing more to count.
  return { schema, rows: schema === SCHEMA ? await countRows(file) : 0 }
}

function countRows(file: string): Promise<number> {
  return readFrom(file, async (read) => {
    let rows = 0
    for (const table of copiedTables) {
      const query = `SELECT count(*) AS rows FROM "${getTableName(read[table])}"`
      const [count] = await read.rows(query, [], { rows: Number })
      rows += count?.rows ?? 0
    }
    return rows
  })
}

/** A copy of a backup in a folder, unpacked, checked and upgraded to this version. Returns its path. */
export async function preparedCopy(file: string, folder: string): Promise<string> {
  refuseMissing(file)
  // The copy, and the log of the transaction that restores it.
  refuseFullDisk(folder, statSync(file).size * 2)
  const copy = await unpacked(file, folder, file)
  const schema = checkFile(copy, file)
  refuseFullDisk(folder, statSync(copy).size)
  if (schema < SCHEMA) upgradeFile(copy)
  return copy
}

function refuseFullDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < bytes)
    throw new UserError(
      `The disk of ${dirname(folder)} needs ${Math.ceil(bytes / 1e6)} MB of free space. Free some first.`,
    )
}

/** Copies a file, decompressed if it's compressed. */
async function unpacked(file: string, folder: string, name: string): Promise<string> {
  const copy = join(folder, "unpacked.db")
  const target = createWriteStream(copy, { mode: PRIVATE })
  try {
    if (await isPacked(file)) await pipeline(createReadStream(file), createGunzip(), target)
    else await pipeline(createReadStream(file), target)
    return copy
  } catch (cause) {
    throw new UserError(`${name} can't be read: ${(cause as Error).message}.`, { cause })
  }
}

/** Checks the first bytes, because a file may have any name. */
async function isPacked(file: string): Promise<boolean> {
  refuseMissing(file)
  const start = await Bun.file(file).slice(0, 2).bytes()
  return start.toHex() === GZIP_START
}

function refuseMissing(file: string): void {
  const there = statSync(file, { throwIfNoEntry: false })
  if (there === undefined) throw new UserError(`There is no file ${file}.`)
  if (there.isDirectory()) throw new UserError(`${file} is a folder, not a backup.`)
}

/**
 * Replaces everything with a copy. Everyone is signed out, and what was revoked since the copy stays revoked. Returns the number of
 * rows.
 */
export async function replaceEverything(tx: Tx, from: ReadTx, progress?: Progress): Promise<number> {
  const revocations = await revocationsIn(tx)
  await emptyTables(tx)
  const copied = await copyTables(from, tx, progress)
  for (const [statement, values] of revocations) await tx.rows(statement, values, {})
  for (const table of copiedTables) if (COPIED_TABLES[table].isEmptied) await tx.db.delete(tx[table])
  await forgetCaches(tx)
  return Object.values(copied).reduce((sum, { rows }) => sum + rows, 0)
}

/** A statement that revokes a row again, and its values. */
type Revocation = readonly [statement: string, values: readonly [at: Moment, mark: string]]

async function revocationsIn(read: ReadTx): Promise<Revocation[]> {
  const found: Revocation[] = []
  for (const [table, mark] of REVOCABLE) {
    const query = `SELECT revoked_at AS at, ${mark} AS mark FROM ${table} WHERE revoked_at IS NOT NULL`
    const again = `UPDATE ${table} SET revoked_at = $1 WHERE ${mark} = $2 AND revoked_at IS NULL`
    const rows = await read.rows(query, [], { at: Number, mark: String })
    for (const row of rows) found.push([again, [row.at, row.mark]])
  }
  return found
}

/** Running servers must not mistake their cached data for the restored data. */
async function forgetCaches(tx: Tx): Promise<void> {
  const sellers = await tx.db.select({ id: tx.organization.id }).from(tx.organization)
  for (const { id } of sellers)
    await tx.db.update(tx.organization).set({ stamp: crypto.randomUUID() }).where(eq(tx.organization.id, id))
  await tx.rows("UPDATE revision SET number = number + 1", [], {})
}
