import type { Database } from "bun:sqlite"
import type { Health, SetUpProgress } from "../store.ts"
import type { Connection } from "./connection.ts"
import { SCHEMA_VERSION, schemaVersion } from "./migrate.ts"

const SET_UP = `
  SELECT EXISTS (SELECT 1 FROM organization) AS organization, EXISTS (SELECT 1 FROM package_line) AS line,
    EXISTS (SELECT 1 FROM ingest_key) AS ingestKey, EXISTS (SELECT 1 FROM delivery_total) AS delivery,
    EXISTS (SELECT 1 FROM product) AS product, EXISTS (SELECT 1 FROM agent_key) AS agentKey,
    EXISTS (SELECT 1 FROM opening) AS opening`

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
    async setUp() {
      const row = database.query<Record<keyof SetUpProgress, number>, []>(SET_UP).get()
      const reached = (step: keyof SetUpProgress) => row?.[step] === 1
      return {
        organization: reached("organization"),
        line: reached("line"),
        ingestKey: reached("ingestKey"),
        delivery: reached("delivery"),
        product: reached("product"),
        agentKey: reached("agentKey"),
        opening: reached("opening"),
      }
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
