import type { Database } from "bun:sqlite"

export interface ReadingTurn {
  /** Called before a read: it and the other reads of this turn of the event loop see one moment of the file. */
  join(): void
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

  function end(): void {
    if (!isOpen) return
    isOpen = false
    commit.run()
  }

  return {
    join() {
      if (database.inTransaction) return
      begin.run()
      isOpen = true
      setImmediate(end)
    },
    end,
  }
}
