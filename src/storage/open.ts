import { existsSync, readdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import type { StorageConfig } from "../config.ts"
import type { Moment } from "../domain/time/moment.ts"
import { codeOf, forbidden, UserError } from "../domain/user-error.ts"
import { makeOwnedFolders, renameWhenOnDisk } from "../files/new-file.ts"
import { copyTables, move as moveBetween } from "./copy/copy-tables.ts"
import { fromLines } from "./copy/copy-text.ts"
import { exportedTables, exportLines } from "./copy/export-lines.ts"
import type { CopySource, CopyTarget, ReadSide } from "./copy/sides.ts"
import type { Backup, Everything, Moved, MoveOptions, Restored, Rollback, VerifiedBackup } from "./port/copies.ts"
import type { Store } from "./port/store.ts"
import { postgresUserError } from "./postgres/engine/postgres-errors.ts"
import { backUp as backUpFile, type Sink, writeBackup } from "./sqlite/backup/backup.ts"
import { verifyBackup } from "./sqlite/backup/backup-file.ts"
import { checkedCopy, type RestoreOptions, refuseMissingFile, restore as restoreFile } from "./sqlite/backup/restore.ts"
import { type RollbackOptions, rollback as rollbackFile } from "./sqlite/backup/rollback.ts"
import { sqliteReadSide, sqliteSource, sqliteTarget, sqliteWriteSide, tableShapes } from "./sqlite/copy.ts"
import { hasDatabase, noDatabase } from "./sqlite/engine/data-directory.ts"
import { noteMove } from "./sqlite/engine/directory-lock.ts"
import { isCurrent, refuseOlder, SCHEMA_VERSION } from "./sqlite/engine/migrate.ts"
import { sqliteUserError } from "./sqlite/engine/sqlite-errors.ts"
import { workFolder } from "./sqlite/engine/work-folder.ts"
import { type StoreOpening, sqliteStore } from "./sqlite/index.ts"

// The only file that knows both engines. Everybody else hands it the settings that say where everything is stored.

export type { Watching } from "./sqlite/index.ts"

export interface OpenedStore {
  readonly store: Store
  readonly migrated: {
    readonly from: number
    readonly to: number
    /** The copy of the old database; null where none was made. */
    readonly copy: string | null
  }
}

interface OpenOptions extends StoreOpening {
  /** Whether a database that does not exist yet is created. */
  readonly create: boolean
  /** Names the copy that is made before an upgrade. */
  readonly stamp: string
  /** In tests: what a database that many servers share times its limits and leases by, instead of its own clock. */
  readonly sharedClock?: () => Moment
}

/** Opens the store that the settings name and brings it to this version. */
export async function openStore(place: StorageConfig, options: OpenOptions): Promise<OpenedStore> {
  const { create, stamp, sharedClock, server, ...watching } = options
  const url = databaseUrlOf(place)
  if (url === null) {
    if (!create) refuseMissing(place)
    if (server === undefined) refuseOlder(place.data)
    return sqliteStore(place.data, stamp, { ...watching, ...(server !== undefined && { server }) })
  }
  // Loaded on demand: commands on a data directory should not wait for it.
  const { postgresStore } = await import("./postgres/index.ts")
  const { store, migrated } = await postgresStore(url, {
    creates: create,
    upgrades: server !== undefined,
    ...watching,
    ...(sharedClock !== undefined && { clock: sharedClock }),
  })
  return { store, migrated: { ...migrated, copy: null } }
}

/** Whether everything is in a data directory, in a database of this very version, so that opening it changes nothing. */
export const hasCurrentDatabase = (place: StorageConfig): boolean =>
  databaseUrlOf(place) === null && isCurrent(place.data)

/** Throws where the settings name a data directory without a database, or of another user. */
export function refuseMissing(place: StorageConfig): void {
  if (databaseUrlOf(place) !== null) return
  refuseForbidden(place.data)
  if (!hasDatabase(place.data)) throw noDatabase(place.data)
}

function refuseForbidden(folder: string): void {
  try {
    readdirSync(folder)
  } catch (cause) {
    if (codeOf(cause) === "EACCES") throw forbidden(folder, cause)
  }
}

/** The database URL in force; null when everything is in the data directory. */
export const databaseUrlOf = ({ databaseUrl = null }: Partial<StorageConfig>): string | null => databaseUrl

/** Writes a verified copy of everything as it is at one moment, to a file or piece by piece: one SQLite file, whatever the engine. */
export async function backUp(place: StorageConfig, to: string | Sink, isPacked: boolean): Promise<Backup> {
  refuseMissing(place)
  const url = databaseUrlOf(place)
  if (url === null) return backUpFile(place.data, to, isPacked)
  const { postgresSource } = await import("./postgres/copy.ts")
  await using snapshot = await postgresSource(url).snapshot()
  // A container may have a root that is read-only, and no /tmp.
  const folderOfOutput = existsSync(tmpdir()) ? tmpdir() : nearestFolder(backupDirectory(place))
  return await writeBackup({ to, isPacked, folderOfOutput }, async (file) => {
    await copyToFile(snapshot, file)
    // All of it was compared.
    return 0
  })
}

async function copyToFile(from: ReadSide, file: string): Promise<void> {
  using target = sqliteWriteSide(file)
  await copyTables(from, target, tableShapes())
}

/** Everything as it is at one moment, to be written down in another form. */
export async function readEverything(place: StorageConfig): Promise<Everything> {
  const side = await (await sourceAt(databaseUrlOf(place) ?? place.data)).snapshot()
  const tables = tableShapes()
  return {
    tables: exportedTables(tables).map((table) => ({
      name: table.name,
      columns: table.columns,
      isForPeople: table.exported === "csv and json",
      knownBy: table.knownBy,
      async *rows() {
        for await (const text of side.lines(table)) yield fromLines(text, table)
      },
    })),
    jsonLines: () => exportLines(side, tables, SCHEMA_VERSION),
    [Symbol.asyncDispose]: () => side[Symbol.asyncDispose](),
  }
}

/** Checks a backup and replaces everything with it. Whatever happens, either the old or the new data is left. */
export async function restore(place: StorageConfig, file: string, options: RestoreOptions): Promise<Restored> {
  const url = databaseUrlOf(place)
  if (url === null) return restoreFile(place.data, file, options)
  if (options.input === undefined) refuseMissingFile(file)
  const { postgresTarget } = await import("./postgres/copy.ts")
  const folder = backupDirectory(place)
  using _ = makeOwnedFolders(folder)
  using backup = await checkedCopy(folder, file, options)
  using from = sqliteReadSide(backup.copy)
  const tables = tableShapes()
  let aside: string | null = null
  const target = postgresTarget(url, {
    tables,
    async onData(present) {
      if (!(await options.mayReplace())) throw dataPresent(present, "")
      aside = await keepAside(present, join(folder, `before-restore-${options.stamp}.db`))
    },
  })
  await using inProgress = await target.begin()
  await copyTables(from, inProgress.side, tables)
  await inProgress.keep()
  return { ...backup.checked, aside }
}

/** Compares with the copy from before the last upgrade, and goes back to it if asked to. */
export async function rollback(place: StorageConfig, options: RollbackOptions): Promise<Rollback> {
  if (databaseUrlOf(place) === null) {
    refuseForbidden(place.data)
    return rollbackFile(place.data, options)
  }
  throw new UserError(
    "PostgreSQL keeps no copy from before an upgrade. Stop every server, put the version that ran before back, and restore the backup " +
      "that you made before the upgrade with it, into an empty database: adbooth backup restore FILE --database-url URL",
  )
}

/** Verifies that a backup is sound and can be brought to this version, on a copy beside it. */
export async function checkBackup(file: string, stamp: string): Promise<VerifiedBackup> {
  refuseMissingFile(file)
  using backup = await checkedCopy(dirname(resolve(file)), file, { stamp })
  return backup.checked
}

async function keepAside(present: ReadSide, aside: string): Promise<string> {
  using folder = workFolder(dirname(aside))
  const partial = join(folder.path, "aside.db")
  await copyToFile(present, partial)
  verifyBackup(partial, "The copy of the present data")
  renameWhenOnDisk(partial, aside, statSync(partial))
  return aside
}

const dataPresent = ({ name }: ReadSide, advice: string): UserError =>
  new UserError(`There is data in ${name} already. Nothing was changed.${advice}`)

/** Copies everything from one place to another, each a data directory or a database URL, and proves that it is equal. */
export async function move(from: string, to: string, options: MoveOptions): Promise<Moved> {
  const [source, target] = [await sourceAt(from), await targetAt(to)]
  if (source.name === target.name) throw new UserError(`--from and --to are the same place: ${source.name}.`)
  const copied = await moveBetween(source, target, tableShapes(), options)
  if (!isUrl(from)) noteMove(from, target.name)
  return { ...copied, from: source.name, to: target.name }
}

const isUrl = (place: string) => /^postgres(ql)?:/.test(place)

async function sourceAt(place: string): Promise<CopySource> {
  if (!isUrl(place)) return sqliteSource(place)
  const { postgresSource } = await import("./postgres/copy.ts")
  return postgresSource(place)
}

async function targetAt(place: string): Promise<CopyTarget> {
  if (!isUrl(place)) return sqliteTarget(place)
  const { postgresTarget } = await import("./postgres/copy.ts")
  const onData = async (present: ReadSide) => {
    throw dataPresent(present, " Choose an empty database.")
  }
  return postgresTarget(place, { tables: tableShapes(), onData })
}

/** A message for people about a failure of either database; null for any other failure. */
export const databaseUserError = (cause: unknown): UserError | null =>
  sqliteUserError(cause) ?? postgresUserError(cause)

/** Where scheduled backups go. */
export const backupDirectory = ({ backupDir, data }: StorageConfig): string =>
  resolve(backupDir ?? join(data, "backups"))

/** The folder whose disk can fill up: it holds the database or, with PostgreSQL, at least the backups. */
export const diskFolder = (place: StorageConfig): string =>
  databaseUrlOf(place) === null ? place.data : nearestFolder(backupDirectory(place))

/** The folder that other users must not read; null where it holds no database. */
export const secretFolder = (place: StorageConfig): string | null => (databaseUrlOf(place) === null ? place.data : null)

const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))

/** Whether there is a database in this directory. */
export const hasDatabaseIn = hasDatabase
