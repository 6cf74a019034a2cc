import type { Database } from "bun:sqlite"

/** Counts how often a backup took the place of the content. */
export const RESTORATIONS = "restorations"

/** Whether a backup was restored since the last time somebody asked. */
export function restorationWatch(database: Database): () => boolean {
  const read = database.query<{ value: string }, [string]>("SELECT value FROM setting WHERE name = ?1")
  let known = read.get(RESTORATIONS)?.value
  return () => {
    const current = read.get(RESTORATIONS)?.value
    const isNew = current !== known
    known = current
    return isNew
  }
}
