import type { Database } from "bun:sqlite"

export type Caches = ReturnType<typeof tableCaches>

/**
 * All cached rows of this engine, and the only way to drop them. They are dropped when another process has written, when a
 * transaction fails, and after every write of ours that is not declared to keep them (`runKeepingCaches`). Steps keep them by the tables
 * that they write (steps/cache-drops.ts): a table that is forgotten there costs speed, SQL in `statement` needs `movesCatalogue`.
 */
export function tableCaches(database: Database) {
  const version = database.query<{ data_version: number }, []>("PRAGMA data_version")
  const maps: Map<never, never>[] = []
  let seenVersion = version.get()?.data_version
  let revision = 0
  let writesElsewhere = 0

  function drop(): void {
    for (const map of maps) map.clear()
  }

  function changed(): void {
    revision += 1
    drop()
  }

  return {
    /** Increases with every change that may affect cached rows or a decision that was based on them. */
    revision: () => revision,
    /** How often another process was seen to have written. */
    writesElsewhere: () => writesElsewhere,
    /** A new map that is cleared whenever the caches are dropped. */
    map<Key, Value>() {
      const map = new Map<Key, Value>()
      maps.push(map as Map<never, never>)
      return map
    },
    /** Drops everything if another process has written. Call it inside a transaction, before using anything cached. */
    refresh() {
      const current = version.get()?.data_version
      if (current === seenVersion) return
      seenVersion = current
      writesElsewhere += 1
      changed()
    },
    /** Call it after a write that may affect cached rows or decisions based on them. */
    changed,
    /** Call it when a transaction fails: what it put into the maps was never stored. */
    rolledBack: drop,
  }
}
