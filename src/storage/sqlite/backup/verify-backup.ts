import { Database, SQLiteError } from "bun:sqlite"
import { UserError } from "../../../domain/user-error.ts"
import { schemaVersion } from "../engine/migrate.ts"
import { isOurs } from "../engine/open.ts"
import { integrityProblems } from "../tables/health.ts"

export interface VerifiedBackup {
  readonly schemaVersion: number
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

/** Opens a copy of a database, checks that it is ours and undamaged, and counts its rows. Errors refer to it by `name`. */
export function verifyBackup(path: string, name: string): VerifiedBackup {
  try {
    using database = new Database(path, { readwrite: true })
    if (!isOurs(database)) throw new UserError(`${name} is not an Adbooth backup.`)
    const problems = integrityProblems(database)
    if (problems.length > 0)
      throw new UserError(`${name} is damaged or was changed: ${problems.slice(0, 3).join("; ")}.`)
    return { schemaVersion: schemaVersion(database), rows: countRows(database) }
  } catch (cause) {
    if (!(cause instanceof SQLiteError)) throw cause
    throw new UserError(`${name} is not a valid database: ${cause.message}.`, { cause })
  }
}

export function tablesOf(database: Database): string[] {
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
  return database
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name)
}

function countRows(database: Database): Record<string, number> {
  const counted = tablesOf(database).map((table) => [table, countOf(database, table)])
  return Object.fromEntries(counted)
}

export function countOf(database: Database, table: string): number {
  return database.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()?.count ?? 0
}
