// Promise: a database is brought to this version as a whole, after a copy was kept, or is left as it was.
// Held by test/storage/sqlite/engine/migrate.test.ts.
import { Database } from "bun:sqlite"
import { rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Migration, migrations } from "../../../../migrations/sqlite/index.ts"
import { notUpgraded, writtenByNewer } from "../../../domain/operations/backup.ts"
import { UserError } from "../../../domain/user-error.ts"
import { renameWhenOnDisk } from "../../../files/new-file.ts"
import { databasePath, isOurs, makePrivateFile, pragmaNumber } from "./open.ts"
import { sqliteUserError } from "./sqlite-errors.ts"
import { workFolder } from "./work-folder.ts"

export const SCHEMA_VERSION = migrations.length

/** The number of migrations that were applied to the file. */
export const schemaVersion = (database: Database): number => pragmaNumber(database, "user_version")

interface Migrated {
  readonly from: number
  readonly to: number
  /** The copy of the old database, beside the new one; null when nothing was migrated. */
  readonly copy: string | null
}

/** Migrates the file to this version in one transaction, after copying it. Refuses a newer file. */
export function migrate(database: Database, path: string, stamp: string, steps = migrations): Migrated {
  const from = schemaVersion(database)
  const to = steps.length
  if (from > to) throw new UserError(writtenByNewer(path, from, to))
  if (from === to) return { from, to: from, copy: null }
  let copy: string | null = null
  try {
    copy = from > 0 ? keepCopy(database, path, `${from}-${stamp}`) : null
    applyPending(database, steps)
    return { from, to, copy }
  } catch (cause) {
    if (from === 0) throw cause
    // A service manager starts it again and again: a copy for each attempt would fill the disk.
    if (copy !== null && schemaVersion(database) === from) rmSync(copy)
    const { message } = sqliteUserError(cause, "The database") ?? { message: String(cause) }
    throw new UserError(notUpgraded(path, { from, to }, message), { cause })
  }
}

/** Brings a database to the version that these steps lead to. */
function applyPending(database: Database, steps: readonly Migration[]): void {
  // Foreign keys must not be enforced while a table is rebuilt. They are all checked before the commit.
  database.run("PRAGMA foreign_keys = OFF")
  using _ = { [Symbol.dispose]: () => void database.run("PRAGMA foreign_keys = ON") }
  const apply = database.transaction(() => {
    // Read again: another process may have migrated while this one waited for the lock.
    for (const { sql } of steps.slice(schemaVersion(database))) {
      for (const statement of sql.split("--> statement-breakpoint")) database.run(statement)
    }
    const broken = database.query("PRAGMA foreign_key_check").all()
    if (broken.length > 0) throw new Error(`a migration would break the references of ${broken.length} rows`)
    database.run(`PRAGMA user_version = ${steps.length}`)
  })
  apply.immediate()
}

function keepCopy(database: Database, path: string, name: string): string {
  const copy = `${path}.before-upgrade-from-${name}`
  using folder = workFolder(dirname(path))
  const partial = join(folder.path, "copy.db")
  makePrivateFile(partial)
  database.query("VACUUM INTO ?").run(partial)
  renameWhenOnDisk(partial, copy, statSync(path))
  return copy
}

/** Whether a data directory has a database of this very version, which opening it would not change. */
export const isCurrent = (dataDirectory: string) => storedSchema(dataDirectory) === SCHEMA_VERSION

/** Throws where only a server of this version may go on: a command must not change the database under an older one. */
export function refuseOlder(dataDirectory: string): void {
  const schema = storedSchema(dataDirectory)
  // One without tables is new: another process has just begun it, or was ended then.
  if (schema === null || schema === 0 || schema >= SCHEMA_VERSION) return
  throw new UserError(
    `The database in ${dataDirectory} is of an older version (schema ${schema}; this program has ${SCHEMA_VERSION}). Start the server of this version once: it upgrades the database and keeps a copy.`,
  )
}

/** Null where there is none of ours that can be read. */
function storedSchema(dataDirectory: string): number | null {
  try {
    using database = new Database(databasePath(dataDirectory), { readonly: true })
    return isOurs(database) ? schemaVersion(database) : null
  } catch {
    return null
  }
}

// What SQLite itself adds: indexes without a text, and tables of its own.
const OBJECTS = `
  SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))
  ORDER BY type, name`

/** What a database has besides what the migrations up to its version make, or has not, or has otherwise: a trigger would act for us. */
export function schemaProblems(database: Database): string[] {
  const version = schemaVersion(database)
  // A newer one is refused for that.
  if (version > SCHEMA_VERSION) return []
  using ours = new Database(":memory:")
  applyPending(ours, migrations.slice(0, version))
  const [expected, actual] = [objectsOf(ours), objectsOf(database)]
  const foreign = [...actual].filter(([name]) => !expected.has(name)).map(([name]) => `${name} is not Adbooth's`)
  const missing = [...expected].filter(([name]) => !actual.has(name)).map(([name]) => `${name} is missing`)
  const changed = [...actual].filter(([name, sql]) => (expected.get(name) ?? sql) !== sql)
  return [...foreign, ...missing, ...changed.map(([name]) => `${name} was changed`)]
}

/** The texts by type and name. Versions of SQLite differ in how they quote and space what a migration renames. */
function objectsOf(database: Database): Map<string, string> {
  const objects = database.query<Readonly<Record<"type" | "name" | "sql", string>>, []>(OBJECTS).all()
  const plain = (sql: string) => sql.toLowerCase().replaceAll(/[\s"`[\]]+/g, "")
  return new Map(objects.map(({ type, name, sql }) => [`the ${type} "${name}"`, plain(sql)]))
}
