import { Database } from "bun:sqlite"
import { migrations } from "../../../../migrations/sqlite/index.ts"
import { applyPending, SCHEMA_VERSION, schemaVersion } from "./migrate.ts"

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string
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
  const objects = database.query<SchemaObject, []>(OBJECTS).all()
  const plain = (sql: string) => sql.toLowerCase().replaceAll(/[\s"`[\]]+/g, "")
  return new Map(objects.map(({ type, name, sql }) => [`the ${type} "${name}"`, plain(sql)]))
}
