import type { Database } from "bun:sqlite"
import { sizeInWords } from "../../../domain/text/short-text.ts"
import { messageOf } from "../../../domain/user-error.ts"
import type { Health } from "../../port/store.ts"
import type { SharedHealth } from "../../steps/operations.ts"
import type { Connection } from "../engine/connection.ts"
import { runningServer } from "../engine/directory-lock.ts"
import { SCHEMA_VERSION, schemaProblems, schemaVersion } from "../engine/migrate.ts"
import { databasePath } from "../engine/open.ts"

export function health({ database, write }: Connection, shared: SharedHealth, dataDirectory: string): Health {
  const path = databasePath(dataDirectory)
  const ping = database.query("SELECT 1")
  const version = database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  return {
    ...shared,
    async ping() {
      ping.get()
      write.checkFiles()
    },
    isInDoubt: () => write.isFailing(),
    whyNotWritten: async () => null,
    async integrity() {
      try {
        return [...integrityProblems(database), ...(await shared.strayReports())]
      } catch (cause) {
        // A file can be too damaged even to be checked.
        return [messageOf(cause)]
      }
    },
    async schema() {
      const version = schemaVersion(database)
      return { version, expected: SCHEMA_VERSION, fits: version === SCHEMA_VERSION }
    },
    async sizeBytes() {
      return Bun.file(path).size
    },
    async facts() {
      const mode = database.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get()?.journal_mode ?? "unknown"
      const log = Bun.file(`${path}-wal`).size
      const value = `${mode}, ${sizeInWords(log)}`
      return [
        { label: "served by", value: runningServer(dataDirectory) ?? "no server at the moment" },
        { label: "journal", value, figures: { journal_bytes: log } },
      ]
    },
    engine: `SQLite ${version?.version ?? "unknown"}`,
  }
}

/** Descriptions of what is wrong with a database file: damaged pages, indexes, references to missing rows, and a schema that is not ours. */
export function integrityProblems(database: Database): string[] {
  const rows = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const broken = database.query("PRAGMA foreign_key_check").all()
  const problems = rows.map((row) => row.integrity_check).filter((text) => text !== "ok")
  if (broken.length > 0) problems.push(`${broken.length} rows refer to something that is not there`)
  return [...problems, ...schemaProblems(database)]
}
