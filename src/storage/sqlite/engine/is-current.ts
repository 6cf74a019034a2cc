import { Database } from "bun:sqlite"
import { SCHEMA_VERSION, schemaVersion } from "./migrate.ts"
import { databasePath, isOurs } from "./open.ts"

/** Whether a data directory has a database of this very version, which opening it would not change. */
export function isCurrent(dataDirectory: string): boolean {
  try {
    using database = new Database(databasePath(dataDirectory), { readonly: true })
    return isOurs(database) && schemaVersion(database) === SCHEMA_VERSION
  } catch {
    return false
  }
}
