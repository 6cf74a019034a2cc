import type { Database } from "bun:sqlite"
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite"
import type { Caches } from "./caches.ts"
import type { ReadingTurn } from "./reading-turn.ts"
import type { WriteQueue } from "./write-queue.ts"

/** What every part of this engine works with: the file, Drizzle over it for quiet queries, and the one way to write. */
export interface Connection {
  readonly database: Database
  readonly drizzle: BunSQLiteDatabase
  readonly caches: Caches
  readonly reading: ReadingTurn
  readonly write: WriteQueue
}
