import type { Database as Connection } from "bun:sqlite"
import { statfsSync, statSync } from "node:fs"
import type { Health } from "../health.ts"
import { databaseFile, runningServer } from "./directory.ts"
import { SCHEMA, schemaOf } from "./migrations.ts"

export function sqliteHealth(reader: Connection, directory: string, writeProblem: () => string | null): Health {
  const file = databaseFile(directory)
  const opened = statSync(file).ino
  const version = reader.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()?.version ?? ""

  return {
    engine: `SQLite ${version}`,
    async problem() {
      reader.query("SELECT 1").get()
      const now = statSync(file, { throwIfNoEntry: false })
      // New data would go to a file that a restart wouldn't find.
      if (now?.ino !== opened)
        return "The database file was deleted or replaced. Stop the server and put the file back."
      return writeProblem()
    },
    schema: async () => ({ applied: schemaOf(reader), known: SCHEMA }),
    sizeBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    async freeBytes() {
      const { bavail, bsize } = statfsSync(directory)
      return bavail * bsize
    },
    integrity: async () => integrityProblems(reader),
    async facts() {
      return [
        { label: "Served by", value: runningServer(directory) ?? "no server at the moment" },
        { label: "Write-ahead log", value: `${sizeOf(`${file}-wal`)} bytes` },
      ]
    },
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** What is wrong with a database: damaged pages and indexes, references to nothing, and tables that aren't ours. */
export function integrityProblems(connection: Connection): string[] {
  const rows = connection.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const problems = rows.map(({ integrity_check: text }) => text).filter((text) => text !== "ok")
  const broken = connection.query("PRAGMA foreign_key_check").all().length
  if (broken > 0) problems.push(`${broken} rows refer to something that doesn't exist`)
  return problems
}
