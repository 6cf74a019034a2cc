import { copyFileSync, existsSync, readdirSync, renameSync } from "node:fs"
import { basename, join } from "node:path"
import { UserError } from "../../domain/errors.ts"
import { moveIntoPlace, syncFolder, workFolderFor } from "../../files.ts"
import { REVOCABLE } from "../copies/copy.ts"
import { checkFile } from "./copy-file.ts"
import { databaseFile, holdAlone } from "./directory.ts"
import { openFile, openForReading } from "./file.ts"
import { COPY_PREFIX, schemaOf } from "./migrations.ts"

export interface Rollback {
  /** The copy that was made before the upgrade. */
  readonly copy: string
  /** The number of migrations in the database as it is, and in the copy. */
  readonly from: number
  readonly to: number
  /** When the copy was made: "2026-01-01 00:00 UTC". What was stored since would be lost. */
  readonly since: string
}

/** What going back to the copy from before the last upgrade would mean. */
export function previewRollback(directory: string): Rollback {
  const copy = latestCopy(directory)
  checkFile(copy, copy)
  using now = openForReading(databaseFile(directory))
  using before = openForReading(copy)
  const [from, to] = [schemaOf(now), schemaOf(before)]
  if (from <= to)
    throw new UserError(`The database has schema ${from}, as before the upgrade. Start the version that ran before.`)
  return { copy, from, to, since: stampOf(copy).replace(STAMP, "$1-$2-$3 $4:$5 UTC") }
}

/**
 * Puts the copy from before the last upgrade in the place of the database, and keeps the upgraded one. No server or command may have the
 * directory open. Everyone is signed out, and what was revoked since stays revoked. Returns where the upgraded database is now.
 */
export function rollBack(directory: string, stamp: string): string {
  using _ = holdAlone(directory)
  const { copy } = previewRollback(directory)
  const live = databaseFile(directory)
  using folder = workFolderFor(live)
  const prepared = join(folder.path, "copy.db")
  copyFileSync(copy, prepared)
  prepare(prepared, live)

  const aside = `${live}.before-rollback-${stamp}`
  // SQLite would apply the log of another database that it finds beside a file.
  for (const ending of ["-wal", "-shm", ""]) if (existsSync(live + ending)) renameSync(live + ending, aside + ending)
  syncFolder(directory)
  moveIntoPlace(prepared, live)
  return aside
}

/** The copy that was made before the last upgrade. Null if there is none. */
export function copyBeforeUpgrade(directory: string): string | null {
  const start = basename(databaseFile(directory)) + COPY_PREFIX
  const copies = readdirSync(directory).filter((name) => name.startsWith(start) && name.endsWith("Z"))
  const latest = copies.sort((one, other) => (stampOf(one) < stampOf(other) ? -1 : 1)).at(-1)
  return latest === undefined ? null : join(directory, latest)
}

const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/
const stampOf = (copy: string) => copy.slice(copy.lastIndexOf("-") + 1)

function latestCopy(directory: string): string {
  const latest = copyBeforeUpgrade(directory)
  if (latest !== null) return latest
  throw new UserError(
    `No copy from before an upgrade was found in ${directory}. Restore a backup with the version that made it.`,
  )
}

/** Signs everyone out in a copy, and revokes everything in it that's revoked in the live database. */
function prepare(copy: string, live: string): void {
  using connection = openFile(copy)
  for (const table of ["session", "one_time_link", "invitation"]) connection.run(`DELETE FROM ${table}`)
  connection.query("ATTACH ? AS live").run(live)
  for (const [table, mark] of REVOCABLE)
    connection.run(
      `UPDATE main.${table} SET revoked_at = now.revoked_at FROM live.${table} AS now
       WHERE ${table}.${mark} = now.${mark} AND ${table}.revoked_at IS NULL AND now.revoked_at IS NOT NULL`,
    )
  connection.run("DETACH live")
  connection.run("PRAGMA journal_mode = DELETE")
}
