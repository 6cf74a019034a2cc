import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core"
import { UserError } from "../../domain/user-error.ts"
import { renameWhenOnDisk } from "../../files/new-file.ts"
import { type Cell, fromLines, toLine } from "../copy/copy-text.ts"
import type { Column, CopySource, CopyTarget, Lines, ReadSide, TableShape, WriteSide } from "../copy/sides.ts"
import { namesOf, refuseOtherVersion } from "../copy/sides.ts"
import { describedTable } from "../schema/tables.ts"
import { countOf, verifyBackup } from "./backup/backup-file.ts"
import { CATALOGUE_REVISION, counterIn, raise } from "./engine/counters.ts"
import { finishInterrupted, hasDatabase, holdOpen, noDatabase } from "./engine/data-directory.ts"
import { holdDirectoryAlone } from "./engine/directory-lock.ts"
import { migrate, SCHEMA_VERSION, schemaVersion } from "./engine/migrate.ts"
import { databasePath, makeDirectory, makePrivateFile, markAsOurs } from "./engine/open.ts"
import { sqliteTables } from "./engine/steps.ts"
import { workFolder } from "./engine/work-folder.ts"

export function sqliteSource(dataDirectory: string): CopySource {
  const path = databasePath(dataDirectory)

  function read(held: Disposable): ReadSide & AsyncDisposable {
    using resources = new DisposableStack()
    resources.use(held)
    const side = resources.use(sqliteReadSide(path))
    refuseOtherVersion(side.schemaVersion, SCHEMA_VERSION, `The database in ${dataDirectory}`)
    const opened = resources.move()
    return { ...side, [Symbol.asyncDispose]: async () => opened.dispose() }
  }

  return {
    name: dataDirectory,
    async snapshot() {
      if (!hasDatabase(dataDirectory)) throw noDatabase(dataDirectory)
      return read(holdOpen(dataDirectory))
    },
    async standStill() {
      if (!hasDatabase(dataDirectory)) throw noDatabase(dataDirectory)
      if (!finishInterrupted(dataDirectory)) return `A backup is being restored into ${dataDirectory}`
      const alone = holdDirectoryAlone(dataDirectory)
      return alone === false ? `A server or another command has ${dataDirectory} open` : read(alone)
    },
  }
}

/** A data directory without a database, to copy to. The file is filled in a folder of its own and renamed at the end. */
export function sqliteTarget(dataDirectory: string): CopyTarget {
  return {
    name: dataDirectory,
    async begin() {
      using beginning = new DisposableStack()
      beginning.use(makeDirectory(dataDirectory))
      refuseData(dataDirectory)
      const folder = beginning.use(workFolder(dataDirectory))
      const partial = join(folder.path, "copy.db")
      const side = beginning.use(sqliteWriteSide(partial))
      const opened = beginning.move()
      return {
        side,
        async keep() {
          side[Symbol.dispose]()
          verifyBackup(partial, "The copy")
          using alone = holdDirectoryAlone(dataDirectory) || undefined
          if (alone === undefined) throw new UserError(`Another command works in ${dataDirectory}. Nothing was kept.`)
          refuseData(dataDirectory)
          renameWhenOnDisk(partial, databasePath(dataDirectory), null)
        },
        [Symbol.asyncDispose]: async () => opened.dispose(),
      }
    },
  }
}

function refuseData(dataDirectory: string): void {
  if (existsSync(dataDirectory) && hasDatabase(dataDirectory)) {
    throw new UserError(
      `There is a database in ${dataDirectory} already. Nothing was changed. Choose an empty directory.`,
    )
  }
}

const CHARACTERS_AT_ONCE = 1_000_000

/** A database file as it is at one moment, while others write it. */
export function sqliteReadSide(path: string): ReadSide & Disposable & { readonly schemaVersion: number } {
  const database = new Database(path, { readonly: true })
  database.run("PRAGMA busy_timeout = 5000")
  database.run("BEGIN")
  // The transaction begins with its first read.
  const version = schemaVersion(database)
  return { ...reading(database), name: path, schemaVersion: version, [Symbol.dispose]: () => database.close() }
}

/** Reads through a connection that somebody else opened. */
function reading(database: Database): Omit<ReadSide, "name"> {
  return {
    lines: (table) => lines(database, table),
    count: async ({ name }) => countOf(database, name),
    async rowWithNul({ name, columns, key }) {
      const texts = columns.filter(({ kind }) => kind === "text")
      if (texts.length === 0) return null
      const holds = texts.map((column) => `instr("${column.name}", char(0)) > 0`).join(" OR ")
      const row = database.query(`SELECT ${namesOf(key)} FROM "${name}" WHERE ${holds} LIMIT 1`).values()[0]
      return row === undefined ? null : row.map((cell) => JSON.stringify(cell)).join(", ")
    },
    catalogueRevision: async () => counterIn(database, CATALOGUE_REVISION),
  }
}

async function* lines(database: Database, { name, columns, key }: TableShape): Lines {
  using rows = database.prepare<Record<string, Cell>, []>(
    `SELECT ${namesOf(columns)} FROM "${name}" ORDER BY ${namesOf(key)}`,
  )
  let text = ""
  for (const row of rows.iterate()) {
    text += toLine(Object.values(row))
    if (text.length < CHARACTERS_AT_ONCE) continue
    yield text
    text = ""
  }
  if (text !== "") yield text
}

/** A new database file of this version, to be filled where nobody else sees it. It is on disk once it was closed and synced. */
export function sqliteWriteSide(path: string): WriteSide & Disposable {
  makePrivateFile(path)
  const database = new Database(path, { create: true })
  // Unfinished, it is thrown away: nothing has to survive a crash.
  database.run("PRAGMA journal_mode = OFF")
  database.run("PRAGMA synchronous = OFF")
  markAsOurs(database)
  migrate(database, path, "")
  // What refers to what was checked in the source, and is checked again in the finished file.
  database.run("PRAGMA foreign_keys = OFF")
  // The one row that a new database begins with is copied too.
  database.run("DELETE FROM agent_call_size")
  const { lines, count } = reading(database)
  return {
    name: path,
    holdsNul: true,
    lines,
    count,
    write: (table, given) => write(database, table, given),
    async finish(_tables, catalogueRevision) {
      raise(database, CATALOGUE_REVISION, catalogueRevision)
      database.run("PRAGMA journal_mode = DELETE")
    },
    [Symbol.dispose]: () => database.close(),
  }
}

async function write(database: Database, table: TableShape, given: Lines): Promise<void> {
  const marks = table.columns.map(() => "?").join(", ")
  const insert = database.prepare<unknown, Cell[]>(
    `INSERT INTO "${table.name}" (${namesOf(table.columns)}) VALUES (${marks})`,
  )
  const all = database.transaction((rows: readonly Cell[][]) => {
    for (const row of rows) insert.run(...row)
  })
  for await (const text of given) all(fromLines(text, table))
}

type Config = ReturnType<typeof getTableConfig>

/** Every table, each after those that it refers to. */
export const tableShapes = (): readonly TableShape[] =>
  inOrder(Object.values<SQLiteTable>(sqliteTables).map(getTableConfig)).map(shapeOf)

const referencesOf = ({ foreignKeys }: Config): string[] =>
  foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name)

function inOrder(configs: readonly Config[]): Config[] {
  const ordered: Config[] = []
  const place = (config: Config): void => {
    if (ordered.includes(config)) return
    for (const name of referencesOf(config)) {
      const other = configs.find((table) => table.name === name)
      if (other !== undefined) place(other)
    }
    ordered.push(config)
  }
  for (const config of configs) place(config)
  return ordered
}

function shapeOf(config: Config): TableShape {
  const { properties, columnName } = describedTable(config.name)
  const hidden = properties.hidden.map(columnName)
  const columns = config.columns
    .filter(({ generated }) => generated === undefined)
    .map(
      (column): Column => ({
        name: column.name,
        kind: kindOf(column.getSQLType()),
        isHidden: hidden.includes(column.name),
      }),
    )
  const [composite] = config.primaryKeys
  const names = (composite?.columns ?? config.columns.filter(({ primary }) => primary)).map(({ name }) => name)
  const key = names.flatMap((name) => columns.filter((column) => column.name === name))
  return {
    name: config.name,
    columns,
    key,
    exported: properties.exported,
    knownBy: (properties.knownBy ?? []).map(columnName),
    isNumbered:
      key.length === 1 && key[0]?.name === "id" && key[0].kind === "whole" && config.name !== "agent_call_size",
  }
}

function kindOf(type: string): Column["kind"] {
  if (type === "integer") return "whole"
  return type === "real" ? "real" : "text"
}
