// Promise: a change of the catalogue, or a restored backup, is noticed by every other process.
// Held by test/storage/contract/catalogue.test.ts and test/storage/sqlite/engine/write-queue.test.ts.
import type { Database } from "bun:sqlite"

// Numbers that only grow, as settings: so every process notices what another one has done.

/** Of products, formats and openings: with each change of them, processes rebuild what they have cached of the catalogue. */
export const CATALOGUE_REVISION = "catalogue_revision"
/** How often a backup was restored. */
export const RESTORE_COUNT = "restorations"

export const counterIn = (database: Database, name: string): number =>
  Number(database.query<{ value: string }, [string]>("SELECT value FROM setting WHERE name = ?1").get(name)?.value ?? 0)

/** Makes it larger than it is, and than it was elsewhere. Call it inside the transaction of the change. */
export function raise(database: Database, name: string, elsewhere = 0): void {
  const raised = database.query<unknown, [string, number]>(
    `INSERT INTO setting (name, value) VALUES (?1, CAST(?2 + 1 AS TEXT))
     ON CONFLICT (name) DO UPDATE SET value = CAST(max(CAST(value AS INTEGER), ?2) + 1 AS TEXT)`,
  )
  raised.run(name, elsewhere)
}
