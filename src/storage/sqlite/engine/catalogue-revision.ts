import type { Database } from "bun:sqlite"

export const CATALOGUE_REVISION = "catalogue_revision"

/** Call it inside the transaction of the change, so that what was checked at a revision is written at the same revision. */
export function catalogueRevision({ database }: { readonly database: Database }): number {
  const stored = database
    .query<{ value: string }, [string]>("SELECT value FROM setting WHERE name = ?1")
    .get(CATALOGUE_REVISION)
  return Number(stored?.value ?? 0)
}

/** Increases the revision, so that every process rebuilds what it has cached of the catalogue. Call it inside a transaction. */
export function catalogueChanged({ database }: { readonly database: Database }): void {
  database
    .query(
      `INSERT INTO setting (name, value) VALUES (?1, '1')
       ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
    )
    .run(CATALOGUE_REVISION)
}
