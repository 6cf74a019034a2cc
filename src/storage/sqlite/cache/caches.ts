import type { Database } from "bun:sqlite"

/**
 * Everything that this engine remembers of the tables, and the one way in which it is dropped. It is dropped when another process has
 * written, when a transaction failed, and after every write of our own that does not say that it changes nothing remembered: a
 * writer that nobody thought of is slow at worst, never wrong.
 */
export interface Caches {
  /** Moves on with every change that something cached, or a judgement made by it, may depend on. */
  revision(): number
  /** How often another process was seen to have written. */
  writesElsewhere(): number
  /** A map that is emptied whenever everything is dropped. */
  map<Key, Value>(): Map<Key, Value>
  /** Drops everything if another process has written. To be called inside a transaction, before anything cached is used. */
  refresh(): void
  /** Something was written that cached rows or judgements may depend on. */
  changed(): void
  /** A transaction failed: what it put into the maps was never stored. */
  rolledBack(): void
}

export function tableCaches(database: Database): Caches {
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
    revision: () => revision,
    writesElsewhere: () => writesElsewhere,
    map<Key, Value>() {
      const map = new Map<Key, Value>()
      maps.push(map as Map<never, never>)
      return map
    },
    refresh() {
      const current = version.get()?.data_version
      if (current === seenVersion) return
      seenVersion = current
      writesElsewhere += 1
      changed()
    },
    changed,
    rolledBack: drop,
  }
}
