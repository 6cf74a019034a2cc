import type { Database } from "bun:sqlite"
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite"
import type { Caches } from "../cache/caches.ts"
import type { TickSnapshot } from "./tick-snapshot.ts"
import type { WriteQueue } from "./write-queue.ts"

/** What every part of this engine gets. Drizzle is for queries that need not be fast; `write` is the only way to write. */
export interface Connection {
  readonly database: Database
  readonly drizzle: BunSQLiteDatabase
  readonly caches: Caches
  readonly reading: TickSnapshot
  readonly write: WriteQueue
}
