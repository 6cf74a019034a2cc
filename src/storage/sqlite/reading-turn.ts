import type { Database } from "bun:sqlite"

export interface ReadingTurn {
  /** Called before a read: it and the other reads of this turn of the event loop see one moment of the file. */
  join(): void
  /** The same read, made once a turn for each key: in that moment of the file it finds nothing else. */
  once<Key, Found>(read: (key: Key) => Found): (key: Key) => Found
  /** Called before a write, which must see the newest moment. */
  end(): void
}

/**
 * Reads of one turn of the event loop share one lock of the file: taking it costs ten times what a small read does. The next turn
 * looks anew, so that what another process changed is seen as soon as the next request comes in.
 */
export function readingTurn(database: Database): ReadingTurn {
  const begin = database.query("BEGIN")
  const commit = database.query("COMMIT")
  let isOpen = false
  let turn = 0

  function join(): void {
    if (isOpen || database.inTransaction) return
    begin.run()
    isOpen = true
    turn++
    setImmediate(end)
  }

  function end(): void {
    if (!isOpen) return
    isOpen = false
    commit.run()
  }

  function once<Key, Found>(read: (key: Key) => Found): (key: Key) => Found {
    const known = new Map<Key, Found>()
    let knownIn = 0
    return (key) => {
      join()
      if (knownIn !== turn) known.clear()
      knownIn = turn
      const before = known.get(key)
      if (before !== undefined) return before
      const found = read(key)
      known.set(key, found)
      return found
    }
  }

  return { join, once, end }
}
