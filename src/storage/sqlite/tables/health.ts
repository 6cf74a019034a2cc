import type { Database } from "bun:sqlite"
import { messageOf } from "../../../domain/user-error.ts"
import type { Health } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { runningServer } from "../engine/directory-lock.ts"
import { SCHEMA_VERSION, schemaVersion } from "../engine/migrate.ts"
import { databasePath } from "../engine/open.ts"
import { schemaProblems } from "../engine/schema-problems.ts"

// A total is right when it is one of the reports with the newest as_of of its line.
const UNEXPLAINED_TOTALS = `
  WITH newest AS (SELECT line_id, max(as_of) AS as_of FROM delivery_report GROUP BY line_id),
    explained AS (
      SELECT t.line_id FROM delivery_total t
      JOIN newest n ON n.line_id = t.line_id AND n.as_of = t.as_of
      JOIN delivery_report r ON r.line_id = t.line_id AND r.as_of = t.as_of AND r.quantity = t.quantity
    )
  SELECT count(*) AS count
  FROM (SELECT line_id FROM newest UNION SELECT line_id FROM delivery_total)
  WHERE line_id NOT IN (SELECT line_id FROM explained)`

const LATEST_TIMESTAMP = `
  SELECT max(at) AS latest FROM (
    SELECT max(r.received_at) AS at FROM delivery_total t
    JOIN delivery_report r ON r.as_of = t.last_as_of AND r.line_id = t.line_id AND r.quantity = t.last_quantity
    UNION ALL SELECT max(updated_at) FROM affiliate_code
    UNION ALL SELECT max(updated_at) FROM affiliate_metric
    UNION ALL SELECT max(at) FROM audit_entry
  )`

// Any small write will do, to see whether writing works.
const TRY_WRITING = `
  INSERT INTO setting (name, value) VALUES ('writes_tried', '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`

export function health({ database, write }: Connection, dataDirectory: string): Health {
  const path = databasePath(dataDirectory)
  const ping = database.query("SELECT 1")
  const tryWriting = database.query(TRY_WRITING)
  const version = database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  return {
    async ping() {
      ping.get()
      write.checkFiles()
      // While writes fail callers stay away, so that only a write of our own can tell when the disk works again.
      if (write.isFailing()) await this.tryWriting()
    },
    tryWriting: () => write.run(() => void tryWriting.run()),
    async integrity() {
      try {
        return integrityProblems(database)
      } catch (cause) {
        // A file can be too damaged even to be checked.
        return [messageOf(cause)]
      }
    },
    async unexplainedTotals() {
      return database.query<{ count: number }, []>(UNEXPLAINED_TOTALS).get()?.count ?? 0
    },
    async latestTimestamp() {
      return database.query<{ latest: number | null }, []>(LATEST_TIMESTAMP).get()?.latest ?? null
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
      const value = `${mode}, ${(log / 1024 / 1024).toFixed(1)} MiB`
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
  const found = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const broken = database.query("PRAGMA foreign_key_check").all()
  const problems = found.map((row) => row.integrity_check).filter((text) => text !== "ok")
  if (broken.length > 0) problems.push(`${broken.length} rows refer to something that is not there`)
  return [...problems, ...schemaProblems(database)]
}
