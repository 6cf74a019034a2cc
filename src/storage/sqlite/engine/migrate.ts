import type { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Migration, migrations } from "../../../../migrations/sqlite/index.ts"
import { UserError } from "../../../domain/user-error.ts"
import { settleAs } from "../../../files/new-file.ts"
import { workFolder } from "../backup/work-folder.ts"
import { makePrivateFile, pragmaNumber } from "./open.ts"

export const SCHEMA_VERSION = migrations.length

/** The number of migrations that the file has seen. */
export function schemaVersion(database: Database): number {
  return pragmaNumber(database, "user_version")
}

export interface Migrated {
  readonly from: number
  readonly to: number
  /** The copy of the database as it was, kept beside it; null when there was nothing to keep. */
  readonly copy: string | null
}

/** Brings the file to this version in one transaction, keeping a copy of an older one first. Refuses a newer file. */
export function migrate(database: Database, path: string, stamp: string, steps = migrations): Migrated {
  const from = schemaVersion(database)
  const to = steps.length
  if (from > to) {
    throw new UserError(
      `The database ${path} was written by a newer version of adbooth (schema ${from}; this program knows ${to}). ` +
        "Nothing was changed. Start the newer program again, or restore a backup made with this version.",
    )
  }
  if (from === to) return { from, to: from, copy: null }
  const copy = from > 0 ? keepCopy(database, path, `${from}-${stamp}`) : null
  // Rebuilding a table needs the references to it unchecked meanwhile; they are all checked before the commit.
  database.run("PRAGMA foreign_keys = OFF")
  try {
    applyPending(database, steps)
  } finally {
    database.run("PRAGMA foreign_keys = ON")
  }
  return { from, to, copy }
}

function applyPending(database: Database, steps: readonly Migration[]): void {
  const apply = database.transaction(() => {
    // Read again: another process may have migrated while this one waited for the lock.
    for (const { sql } of steps.slice(schemaVersion(database))) {
      for (const statement of sql.split("--> statement-breakpoint")) database.run(statement)
    }
    const broken = database.query("PRAGMA foreign_key_check").all()
    if (broken.length > 0) throw new Error(`a migration would leave ${broken.length} rows without what they refer to`)
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
  settleAs(partial, copy, statSync(path))
  return copy
}
