import { Database } from "bun:sqlite"
import { createReadStream, statSync } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { UserError } from "../../../domain/user-error.ts"
import { newFileStream } from "../../../files/new-file.ts"
import { DATA_TABLES } from "../../copy/restore-rules.ts"
import { migrate, SCHEMA_VERSION, schemaVersion } from "../engine/migrate.ts"
import { databasePath, isOurs, makeDirectory } from "../engine/open.ts"
import { integrityProblems } from "../tables/health.ts"
import { unpack } from "./compress.ts"
import { databaseFromExport, isExport } from "./from-export.ts"
import { asideOf, finishInterrupted, replaceFile } from "./replace-file.ts"
import { restoreInPlace } from "./restore-in-place.ts"
import { countOf, type VerifiedBackup, verifyBackup } from "./verify-backup.ts"
import { workFolder } from "./work-folder.ts"

export interface Restored extends VerifiedBackup {
  /** Where the old database was saved; null when there was none. */
  readonly aside: string | null
}

export interface RestoreOptions {
  /** Restore even if there is data. */
  readonly force: boolean
  /** Part of the name of the saved old database. */
  readonly stamp: string
  /** The backup itself, if it does not come from a file. */
  readonly input?: ReadableStream<Uint8Array> | undefined
}

/**
 * Checks a backup and replaces the database with it. A running server continues with the restored data. Whatever happens, either the
 * old or the new database is left.
 */
export async function restore(dataDirectory: string, file: string, options: RestoreOptions): Promise<Restored> {
  if (options.input === undefined) refuseMissingFile(file)
  using _ = makeDirectory(dataDirectory)
  if (!finishInterrupted(dataDirectory)) throw new UserError(IN_USE)
  using backup = await checkedCopy(dataDirectory, file, options)
  const { copy, checked } = backup
  const live = databasePath(dataDirectory)
  const state = stateOf(live)
  if (state.hasData && !options.force) {
    throw new UserError(
      `There is already data in ${dataDirectory}. Nothing was changed. With --force it is saved in another file and replaced.`,
    )
  }
  const aside = state.kind === "none" ? null : asideOf(dataDirectory, options.stamp)
  if (aside !== null && state.kind === "intact") restoreInPlace(live, copy, aside)
  else if (!replaceFile(dataDirectory, copy, options.stamp)) throw new UserError(IN_USE)
  return { ...checked, aside }
}

const IN_USE = "A server or another command is using the database. Stop it, then restore again."

/** A checked copy of a backup, migrated to this version and without sign-ins, in a folder below `parent` that goes with it. */
export async function checkedCopy(parent: string, file: string, { input, stamp }: Omit<RestoreOptions, "force">) {
  using opening = new DisposableStack()
  const folder = opening.use(workFolder(parent))
  const name = input === undefined ? file : "Standard input"
  const copy = await asDatabase(await received(file, input, folder.path), name, folder.path)
  const checked = prepare(copy, name, stamp)
  const opened = opening.move()
  return { copy, checked, [Symbol.dispose]: () => opened.dispose() }
}

export function refuseMissingFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new UserError(`There is no file ${file}.`)
  if (found.isDirectory()) throw new UserError(`${file} is a folder, not a backup.`)
}

/** The path of the backup. Input that can be read only once, such as a pipe, is stored in a file first. */
async function received(file: string, input: RestoreOptions["input"], folder: string): Promise<string> {
  if (input === undefined && statSync(file).isFile()) return file
  const stored = join(folder, "received")
  await pipeline(input ?? createReadStream(file), newFileStream(stored, 0o600))
  return stored
}

/** A copy of the backup, or the database that an export of everything describes. */
async function asDatabase(file: string, name: string, folder: string): Promise<string> {
  const copy = join(folder, "copy.db")
  try {
    await unpack(file, copy)
  } catch (cause) {
    throw new UserError(`${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
  if (!(await isExport(copy))) return copy
  const made = join(folder, "made.db")
  await databaseFromExport(copy, name, made)
  return made
}

/** Checks the copy and migrates it to this version. */
function prepare(copy: string, name: string, stamp: string): VerifiedBackup {
  const checked = verifyBackup(copy, name)
  using database = new Database(copy, { readwrite: true })
  migrate(database, copy, stamp)
  deleteSignIns(database)
  return checked
}

/** So that users who signed out since the backup stay signed out, and links used since cannot be used again. */
export function deleteSignIns(database: Database): void {
  for (const table of ["session", "one_time_link"]) database.run(`DELETE FROM ${table}`)
}

type LiveState = { readonly kind: "none" | "intact" | "unusable"; readonly hasData: boolean }

function stateOf(live: string): LiveState {
  const file = statSync(live, { throwIfNoEntry: false })
  if (file === undefined) return { kind: "none", hasData: false }
  if (file.size === 0) return { kind: "unusable", hasData: false }
  try {
    using database = new Database(live, { readwrite: true })
    database.run("PRAGMA busy_timeout = 5000")
    if (!isOurs(database) || schemaVersion(database) !== SCHEMA_VERSION) return { kind: "unusable", hasData: true }
    if (integrityProblems(database).length > 0) return { kind: "unusable", hasData: true }
    return { kind: "intact", hasData: DATA_TABLES.some((table) => countOf(database, table) > 0) }
  } catch {
    return { kind: "unusable", hasData: true }
  }
}
