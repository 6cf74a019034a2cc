import type { Database } from "bun:sqlite"
import type { Caches } from "../cache/caches.ts"

export interface TickSnapshot {
  /** Called before a read: it and the other reads of this turn of the event loop see one moment of the file. */
  join(): void
  /** The same read, made once for each key until the caches are dropped. What is not found is looked for again each time. */
  cached<Key, Found>(most: number, read: (key: Key) => Found | null): (key: Key) => Found | null
  /** Called before a write, which must see the newest moment. */
  end(): void
}

/**
 * Reads of one turn of the event loop share one lock of the file: taking it costs ten times what a small read does. The next turn
 * looks anew whether another process wrote, so that what it changed is seen as soon as the next request comes in.
 */
export function tickSnapshot(database: Database, caches: Caches): TickSnapshot {
  const begin = database.query("BEGIN")
  const commit = database.query("COMMIT")
  let isOpen = false

  function join(): void {
    if (isOpen || database.inTransaction) return
    begin.run()
    isOpen = true
    setImmediate(end)
    caches.refresh()
  }

  function end(): void {
    if (!isOpen) return
    isOpen = false
    commit.run()
  }

  function cached<Key, Found>(most: number, read: (key: Key) => Found | null): (key: Key) => Found | null {
    const known = caches.map<Key, Found>()
    return (key) => {
      join()
      const before = known.get(key)
      if (before !== undefined) return before
      const found = read(key)
      if (found === null) return null
      if (known.size >= most) known.clear()
      known.set(key, found)
      return found
    }
  }

  return { join, cached, end }
}
