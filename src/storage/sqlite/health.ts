import type { Database } from "bun:sqlite"
import type { Health } from "../store.ts"
import type { Connection } from "./connection.ts"
import { SCHEMA_VERSION, schemaVersion } from "./migrate.ts"

export function health({ database }: Connection, path: string): Health {
  const ping = database.query("SELECT 1")
  const version = database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  return {
    async ping() {
      ping.get()
    },
    async integrity() {
      try {
        return integrityProblems(database)
      } catch (cause) {
        // A file can be too damaged even to be checked.
        return [cause instanceof Error ? cause.message : String(cause)]
      }
    },
    async schema() {
      return { version: schemaVersion(database), expected: SCHEMA_VERSION }
    },
    async sizeBytes() {
      return Bun.file(path).size
    },
    engine: `SQLite ${version?.version ?? "unknown"}`,
  }
}

function integrityProblems(database: Database): string[] {
  const found = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const broken = database.query("PRAGMA foreign_key_check").all()
  const problems = found.map((row) => row.integrity_check).filter((text) => text !== "ok")
  if (broken.length > 0) problems.push(`${broken.length} rows refer to something that is not there`)
  return problems
}
