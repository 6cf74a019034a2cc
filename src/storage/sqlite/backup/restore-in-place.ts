import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { dirname, join } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { settleAs } from "../../../files/new-file.ts"
import { REVOCABLE } from "../../copy/restore-rules.ts"
import { CATALOGUE_REVISION } from "../engine/catalogue-revision.ts"
import { makePrivateFile } from "../engine/open.ts"
import { RESTORE_COUNT } from "./restore-counter.ts"
import { tablesOf } from "./verify-backup.ts"

/**
 * Replaces all data of a database with the data of a copy of the same version, in one transaction: a running server sees either the old
 * or the new data, and a power cut leaves the old. The old data is saved in the file `aside`. Unfinished files are put beside the copy.
 */
export function restoreInPlace(live: string, copy: string, aside: string): void {
  using database = new Database(live, { readwrite: true })
  database.run("PRAGMA busy_timeout = 30000")
  database.run("PRAGMA synchronous = FULL")
  // Tables are filled in any order; references are checked in the copy.
  database.run("PRAGMA foreign_keys = OFF")
  database.query("ATTACH ? AS copy").run(copy)
  // Before the transaction, so that others can still write meanwhile.
  if (database.query("PRAGMA copy.foreign_key_check").all().length > 0)
    throw new UserError("The backup is not complete.")
  // From here on nobody else can write, so the saved old data is complete.
  database.run("BEGIN IMMEDIATE")
  try {
    saveOldData(live, join(dirname(copy), "aside.db"), aside)
    const before = counters(database)
    rememberRevoked(database)
    for (const table of tablesOf(database)) replaceTable(database, table)
    revokeAgain(database)
    raiseCounters(database, before)
    database.run("COMMIT")
  } catch (cause) {
    if (database.inTransaction) database.run("ROLLBACK")
    throw cause
  }
  // A running server keeps the log from being begun anew, and does that itself: waiting for it would only hold up its writes.
  database.run("PRAGMA busy_timeout = 0")
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
}

function saveOldData(live: string, partial: string, aside: string): void {
  using reader = new Database(live, { readonly: true })
  makePrivateFile(partial)
  reader.query("VACUUM INTO ?").run(partial)
  settleAs(partial, aside, statSync(live))
}

/** With `SELECT *` SQLite copies whole rows without decoding them, in a fifth of the time. */
function replaceTable(database: Database, table: string): void {
  const [here, there] = ["main", "copy"].map((schema) => columnsOf(database, schema, table))
  database.run(`DELETE FROM main."${table}"`)
  if (here === there) database.run(`INSERT INTO main."${table}" SELECT * FROM copy."${table}"`)
  else database.run(`INSERT INTO main."${table}" (${here}) SELECT ${here} FROM copy."${table}"`)
}

function columnsOf(database: Database, schema: string, table: string): string {
  const info = database.query<{ name: string }, []>(`PRAGMA ${schema}.table_info("${table}")`).all()
  return info.map(({ name }) => `"${name}"`).join(", ")
}

/** What was revoked after the backup stays revoked. */
function rememberRevoked(database: Database): void {
  for (const [table, identity] of REVOCABLE) {
    database.run(
      `CREATE TEMP TABLE revoked_${table} AS
       SELECT ${identity} AS identity, revoked_at FROM main.${table} WHERE revoked_at IS NOT NULL`,
    )
  }
}

function revokeAgain(database: Database): void {
  for (const [table, identity] of REVOCABLE) {
    database.run(
      `UPDATE main.${table} SET revoked_at = old.revoked_at FROM temp.revoked_${table} AS old
       WHERE ${table}.${identity} = old.identity AND ${table}.revoked_at IS NULL`,
    )
  }
}

type Counters = readonly (readonly [name: string, value: number])[]

const KEEP_SETTING =
  "INSERT INTO main.setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2"
const READ_SETTING = "SELECT CAST(value AS INTEGER) AS value FROM main.setting WHERE name = ?1"

function counters(database: Database): Counters {
  const read = database.query<{ value: number }, [string]>(READ_SETTING)
  return [CATALOGUE_REVISION, RESTORE_COUNT].map((name) => [name, read.get(name)?.value ?? 0] as const)
}

/** Raises both counters above their values here and in the copy, so that a running server notices that its caches are outdated. */
function raiseCounters(database: Database, before: Counters): void {
  const keep = database.query<unknown, [string, string]>(KEEP_SETTING)
  const restored = new Map(counters(database))
  for (const [name, value] of before) keep.run(name, String(Math.max(value, restored.get(name) ?? 0) + 1))
}
