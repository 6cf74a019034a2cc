// Promise: reads of one tick see one state of the database, and a write sees the newest.
// Held by test/trust/running-server.test.ts.
import type { Database, Statement } from "bun:sqlite"
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite"
import type { Caches } from "../cache/caches.ts"
import type { WriteQueue } from "./write-queue.ts"

/** What every part of this engine gets. Drizzle is for queries that need not be fast; `write` is the only way to write. */
export interface Connection {
  readonly database: Database
  readonly drizzle: BunSQLiteDatabase
  readonly caches: Caches
  readonly reading: ReturnType<typeof tickSnapshot>
  readonly write: WriteQueue
}

/**
 * All reads of one tick of the event loop share one lock of the file, because taking it costs ten times as much as a small read. The
 * next tick checks again whether another process has written.
 */
export function tickSnapshot(database: Database, caches: Caches) {
  const begin = database.query("BEGIN")
  const commit = database.query("COMMIT")
  let isOpen = false

  /** Call it before a read: all reads of one tick of the event loop then see the same state of the database. */
  function join(): void {
    if (isOpen || database.inTransaction) return
    begin.run()
    isOpen = true
    setImmediate(end)
    caches.refresh()
  }

  /** Call it before a write, which must see the newest state. */
  function end(): void {
    if (!isOpen) return
    isOpen = false
    commit.run()
  }

  /** The same read, made once per key until the caches are dropped. Keys that are not found are not cached. */
  function cached<Key, Found>(entriesMax: number, read: (key: Key) => Found | null): (key: Key) => Found | null {
    const values = caches.map<Key, Found>()
    return (key) => {
      join()
      const before = values.get(key)
      if (before !== undefined) return before
      const value = read(key)
      if (value === null) return null
      if (values.size >= entriesMax) values.clear()
      values.set(key, value)
      return value
    }
  }

  return { join, cached, end }
}

// Some hundred of what pages and steps ask; lists of other lengths are other statements.
const STATEMENTS_MAX = 200

/** What Drizzle needs of a database, with statements that stay compiled: to compile them anew took a tenth of a page's time. */
export function compiledOnce(database: Database): Disposable & Pick<Database, "prepare"> {
  const compiled = new Map<string, Statement>()
  return {
    prepare(text: string) {
      const statement = compiled.get(text) ?? database.prepare(text)
      // The one that was not asked for longest goes first.
      compiled.delete(text)
      compiled.set(text, statement)
      const [oldest] = compiled.keys()
      if (compiled.size > STATEMENTS_MAX && oldest !== undefined) compiled.delete(oldest)
      return statement as never
    },
    // A statement keeps its database open.
    [Symbol.dispose]() {
      for (const statement of compiled.values()) statement.finalize()
      compiled.clear()
    },
  }
}
