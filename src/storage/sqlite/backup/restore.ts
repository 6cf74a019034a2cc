import { Database } from "bun:sqlite"
import { createReadStream, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { messageOf, UserError } from "../../../domain/user-error.ts"
import { newFileStream, renameWhenOnDisk } from "../../../files/new-file.ts"
import { inWords } from "../../../files/read-text.ts"
import { EXPORT_MARK, readExport } from "../../copy/export-lines.ts"
import { DATA_TABLES } from "../../copy/sides.ts"
import type { Restored, VerifiedBackup } from "../../port/copies.ts"
import { describedTables } from "../../schema/tables.ts"
import { sqliteWriteSide, tableShapes } from "../copy.ts"
import { CATALOGUE_REVISION, counterIn, RESTORE_COUNT, raise } from "../engine/counters.ts"
import { asideOf, finishInterrupted, replaceFile } from "../engine/data-directory.ts"
import { migrate, SCHEMA_VERSION, schemaVersion } from "../engine/migrate.ts"
import { databasePath, isOurs, makeDirectory, makePrivateFile } from "../engine/open.ts"
import { workFolder } from "../engine/work-folder.ts"
import { integrityProblems } from "../tables/health.ts"
import { countOf, keepRevoked, tablesOf, unpack, verifyBackup } from "./backup-file.ts"

export interface RestoreOptions {
  /** Asked where there is data, once the backup is verified. */
  readonly mayReplace: () => Promise<boolean>
  /** Part of the name of the saved old database. */
  readonly stamp: string
  /** The backup itself, if it does not come from a file. */
  readonly input?: AsyncIterable<Uint8Array> | undefined
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
  if (state.hasData && !(await options.mayReplace()))
    throw new UserError(`There is data in ${dataDirectory} already. Nothing was changed.`)
  const aside = state.kind === "none" ? null : asideOf(dataDirectory, options.stamp)
  if (aside !== null && state.kind === "intact") restoreInPlace(live, copy, aside)
  else if (!replaceFile(dataDirectory, copy, options.stamp)) throw new UserError(IN_USE)
  return { ...checked, aside }
}

const IN_USE = "A server or another command is using the database. Stop it, then restore again."

/** A checked copy of a backup, migrated to this version and without sign-ins, in a folder below `parent` that goes with it. */
export async function checkedCopy(parent: string, file: string, { input, stamp }: Omit<RestoreOptions, "mayReplace">) {
  using resources = new DisposableStack()
  const folder = resources.use(workFolder(parent))
  const name = file === "-" ? "Standard input" : file
  const copy = await asDatabase(await received(file, input, folder.path), name, folder.path)
  const checked = prepare(copy, name, stamp)
  const opened = resources.move()
  return { copy, checked, [Symbol.dispose]: () => opened.dispose() }
}

export function refuseMissingFile(file: string): void {
  if (inWords(file, () => statSync(file)).isDirectory()) throw new UserError(`${file} is a folder, not a backup.`)
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
    throw new UserError(`${name} cannot be read: ${messageOf(cause)}.`, { cause })
  }
  const start = await Bun.file(copy).slice(0, EXPORT_MARK.length).text()
  if (start !== EXPORT_MARK) return copy
  const made = join(folder, "made.db")
  using side = sqliteWriteSide(made)
  await readExport(linesOf(copy), { name, schema: SCHEMA_VERSION, tables: tableShapes() }, side)
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

/** So that users who signed out since the backup stay signed out, and links and invitations that ended since cannot be used again. */
export function deleteSignIns(database: Database): void {
  // A copy that an upgrade left is of an earlier version, which may not have all of them.
  const there = tablesOf(database)
  const emptied = describedTables.filter(
    ({ name, properties }) => properties.isEmptiedByRestore && there.includes(name),
  )
  for (const { name } of emptied) database.run(`DELETE FROM ${name}`)
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

const GROWING = [CATALOGUE_REVISION, RESTORE_COUNT]

/**
 * Replaces all data of a database with the data of a copy of the same version, in one transaction: a running server sees either the old
 * or the new data, and a power cut leaves the old. The old data is saved in the file `aside`. Unfinished files are put beside the copy.
 */
export function restoreInPlace(live: string, copy: string, aside: string): void {
  using database = new Database(live, { readwrite: true })
  database.run("PRAGMA busy_timeout = 30000")
  database.run("PRAGMA synchronous = FULL")
  // Tables are filled in any order; references are checked in the copy.
  database.run("PRAGMA foreign_keys = OFF")
  database.query("ATTACH ? AS copy").run(copy)
  // Before the transaction, so that others can still write meanwhile.
  if (database.query("PRAGMA copy.foreign_key_check").all().length > 0)
    throw new UserError("The backup is not complete.")
  // From here on nobody else can write, so the saved old data is complete.
  database.run("BEGIN IMMEDIATE")
  try {
    saveOldData(live, join(dirname(copy), "aside.db"), aside)
    keepRevoked(database, "main", "copy")
    const before = GROWING.map((name) => counterIn(database, name))
    for (const table of tablesOf(database)) replaceTable(database, table)
    // A running server has to notice that its caches are outdated.
    for (const [place, name] of GROWING.entries()) raise(database, name, before[place])
    database.run("COMMIT")
  } catch (cause) {
    if (database.inTransaction) database.run("ROLLBACK")
    throw cause
  }
  // A running server keeps the log from being begun anew, and does that itself: waiting for it would only hold up its writes.
  database.run("PRAGMA busy_timeout = 0")
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
}

function saveOldData(live: string, partial: string, aside: string): void {
  using reader = new Database(live, { readonly: true })
  makePrivateFile(partial)
  reader.query("VACUUM INTO ?").run(partial)
  renameWhenOnDisk(partial, aside, statSync(live))
}

/** With `SELECT *` SQLite copies whole rows without decoding them, in a fifth of the time. */
function replaceTable(database: Database, table: string): void {
  const [here, there] = ["main", "copy"].map((schema) => columnsOf(database, schema, table))
  database.run(`DELETE FROM main."${table}"`)
  if (here === there) database.run(`INSERT INTO main."${table}" SELECT * FROM copy."${table}"`)
  else database.run(`INSERT INTO main."${table}" (${here}) SELECT ${here} FROM copy."${table}"`)
}

function columnsOf(database: Database, schema: string, table: string): string {
  const info = database.query<{ name: string }, []>(`PRAGMA ${schema}.table_info("${table}")`).all()
  return info.map(({ name }) => `"${name}"`).join(", ")
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let rest = ""
  for await (const chunk of Bun.file(file).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  if (rest !== "") yield rest
}
