import type { Database } from "bun:sqlite"

/** The setting that counts how often a backup was restored. */
export const RESTORE_COUNT = "restorations"

/** Whether a backup was restored since the last call. */
export function restoreCounter(database: Database): () => boolean {
  const read = database.query<{ value: string }, [string]>("SELECT value FROM setting WHERE name = ?1")
  let known = read.get(RESTORE_COUNT)?.value
  return () => {
    const current = read.get(RESTORE_COUNT)?.value
    const isNew = current !== known
    known = current
    return isNew
  }
}
