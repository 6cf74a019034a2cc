import { Database } from "bun:sqlite"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import type { Rollback } from "../../port/copies.ts"
import { asideOf, finishInterrupted, hasDatabase, noDatabase, replaceFile } from "../engine/data-directory.ts"
import { holdDirectoryAlone } from "../engine/directory-lock.ts"
import { schemaVersion } from "../engine/migrate.ts"
import { DATABASE_FILE, databasePath } from "../engine/open.ts"
import { workFolder } from "../engine/work-folder.ts"
import { countRows, keepRevoked, unpack, verifyBackup } from "./backup-file.ts"
import { deleteSignIns } from "./restore.ts"

export interface RollbackOptions {
  /** Whether to do it; otherwise it only says what would be lost. */
  readonly apply: boolean
  /** Part of the name of the saved upgraded database. */
  readonly stamp: string
}

const COPY = `${DATABASE_FILE}.before-upgrade-from-`
const IN_USE = "A server or another command is using the database. Nothing was changed. Stop it, then try again."

/** Compares the database with the copy that was made before it was last upgraded, and replaces it with that if asked to. */
export async function rollback(dataDirectory: string, { apply, stamp }: RollbackOptions): Promise<Rollback> {
  if (!hasDatabase(dataDirectory)) throw noDatabase(dataDirectory)
  const newest = newestCopy(dataDirectory)
  if (apply) {
    using alone = holdDirectoryAlone(dataDirectory) || undefined
    if (alone === undefined) throw new UserError(IN_USE)
  }
  if (!finishInterrupted(dataDirectory)) throw new UserError(IN_USE)
  using folder = workFolder(dataDirectory)
  const copy = join(folder.path, "copy.db")
  await unpack(newest, copy)
  const checked = verifyBackup(copy, newest)
  const compared = compare(databasePath(dataDirectory), copy)
  if (compared.schema.from <= checked.schemaVersion) {
    throw new UserError(
      `The database has schema ${compared.schema.from} already, as before the upgrade. Start the version that ran before.`,
    )
  }
  if (!apply) return { copy: newest, ...compared, aside: null }
  prepare(copy, databasePath(dataDirectory))
  if (!replaceFile(dataDirectory, copy, stamp)) throw new UserError(IN_USE)
  return { copy: newest, ...compared, aside: asideOf(dataDirectory, stamp) }
}

/** The copies are named by the schema that they have and the time at which they were made. */
function newestCopy(dataDirectory: string): string {
  const names = readdirSync(dataDirectory).filter(
    (name) => name.startsWith(COPY) && !/-(?:wal|shm|journal)$/.test(name),
  )
  const stampOf = (name: string) => name.slice(COPY.length).replace(/^\d+-/, "")
  const newest = names.sort((a, b) => (stampOf(a) < stampOf(b) ? -1 : 1)).at(-1)
  if (newest === undefined) {
    throw new UserError(
      `There is no copy from before an upgrade in ${dataDirectory}. To go back further, restore a backup with the version that made it.`,
    )
  }
  return join(dataDirectory, newest)
}

function compare(live: string, copy: string): Pick<Rollback, "schema" | "difference"> {
  using now = new Database(live, { readwrite: true })
  using before = new Database(copy, { readwrite: true })
  now.run("PRAGMA busy_timeout = 5000")
  const there = countRows(before)
  const difference = Object.entries(countRows(now)).map(([table, rows]) => [table, rows - (there[table] ?? 0)] as const)
  return {
    schema: { from: schemaVersion(now), to: schemaVersion(before) },
    difference: Object.fromEntries(difference.filter(([, rows]) => rows !== 0)),
  }
}

/** What was revoked since stays revoked, and nobody is signed in again who signed out. */
function prepare(copy: string, live: string): void {
  using database = new Database(copy, { readwrite: true })
  deleteSignIns(database)
  database.query("ATTACH ? AS live").run(live)
  keepRevoked(database, "live", "main")
}
