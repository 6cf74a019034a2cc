import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { Trouble } from "../../domain/trouble.ts"
import { type CheckedCopy, checkCopy, countOf } from "./check-copy.ts"
import { sync, unpack } from "./compress.ts"
import { holdDirectoryAlone } from "./directory-lock.ts"
import { integrityProblems } from "./health.ts"
import { migrate, SCHEMA_VERSION, schemaVersion } from "./migrate.ts"
import { databasePath, isOurs } from "./open.ts"
import { replaceContent } from "./replace-content.ts"

export interface Restored extends CheckedCopy {
  /** Where the database that was there is kept; null when there was none. */
  readonly aside: string | null
}

export interface RestoreOptions {
  /** Restore although there is data. */
  readonly force: boolean
  /** Names what is kept aside. */
  readonly stamp: string
}

// Whatever a fresh installation has by itself is no data.
const DATA_TABLES = ["organization", "user", "product", "creative_format", "agent_key"]

/** Puts a backup in the place of the database, after checking it. A running server goes on with what is restored. */
export async function restore(dataDirectory: string, file: string, options: RestoreOptions): Promise<Restored> {
  if (!existsSync(file)) throw new Trouble(`There is no file ${file}.`)
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  const live = databasePath(dataDirectory)
  const copy = `${live}.restoring`
  try {
    const checked = await prepare(file, copy, options.stamp)
    const state = stateOf(live)
    if (state.hasData && !options.force) {
      throw new Trouble(
        `There is data in ${dataDirectory} already. Nothing was changed. With --force it is kept aside and replaced.`,
      )
    }
    const aside = state.kind === "none" ? null : `${live}.before-restore-${options.stamp}`
    if (aside !== null && state.kind === "sound") replaceContent(live, copy, aside)
    else await replaceFile(dataDirectory, copy, aside)
    return { ...checked, aside }
  } finally {
    for (const ending of ["", "-wal", "-shm", "-journal"]) await rm(copy + ending, { force: true })
  }
}

/** A checked copy of the backup, brought to this version, in one file beside the database. */
async function prepare(file: string, copy: string, stamp: string): Promise<CheckedCopy> {
  try {
    await unpack(file, copy)
  } catch (cause) {
    throw new Trouble(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
  const checked = checkCopy(copy, file)
  using database = new Database(copy, { readwrite: true })
  const { copy: before } = migrate(database, copy, stamp)
  // What an upgrade keeps is the backup itself, which is there already.
  if (before !== null) await rm(before, { force: true })
  forgetSignIns(database)
  return checked
}

/** Whoever signed out since the backup stays signed out, and links that were used since cannot be used again. */
function forgetSignIns(database: Database): void {
  for (const table of ["session", "one_time_link"]) database.run(`DELETE FROM ${table}`)
}

type LiveState = { readonly kind: "none" | "sound" | "unusable"; readonly hasData: boolean }

function stateOf(live: string): LiveState {
  if (!existsSync(live)) return { kind: "none", hasData: false }
  try {
    using database = new Database(live, { readwrite: true })
    database.run("PRAGMA busy_timeout = 5000")
    if (!isOurs(database) || schemaVersion(database) !== SCHEMA_VERSION) return { kind: "unusable", hasData: true }
    if (integrityProblems(database).length > 0) return { kind: "unusable", hasData: true }
    return { kind: "sound", hasData: DATA_TABLES.some((table) => countOf(database, table) > 0) }
  } catch {
    return { kind: "unusable", hasData: true }
  }
}

/** For a database that SQLite cannot work on any more: its files move aside, and the copy takes their place. */
async function replaceFile(dataDirectory: string, copy: string, aside: string | null): Promise<void> {
  using alone = holdDirectoryAlone(dataDirectory) || undefined
  if (alone === undefined) {
    throw new Trouble("A server or another command has the database open. Stop it, then restore again.")
  }
  const live = databasePath(dataDirectory)
  for (const ending of ["", "-wal", "-shm"]) {
    if (aside !== null && existsSync(live + ending)) await rename(live + ending, aside + ending)
  }
  await sync(copy)
  await rename(copy, live)
  await sync(dataDirectory)
}
