import { expect, test } from "bun:test"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { pingDatabase, tryWriting } from "../../../../src/actions/operations/readiness.ts"
import type { Store } from "../../../../src/storage/port/store.ts"
import { tableCaches } from "../../../../src/storage/sqlite/cache/caches.ts"
import { tickSnapshot } from "../../../../src/storage/sqlite/engine/connection.ts"
import { databasePath, openDatabase } from "../../../../src/storage/sqlite/engine/open.ts"
import { bulkSteps, steps } from "../../../../src/storage/sqlite/engine/steps.ts"
import { writeQueue } from "../../../../src/storage/sqlite/engine/write-queue.ts"
import { sqliteStore } from "../../../../src/storage/sqlite/index.ts"
import { health } from "../../../../src/storage/sqlite/tables/health.ts"
import { sharedHealth } from "../../../../src/storage/steps/operations.ts"
import { temporaryFolder } from "../../../harness.ts"

test("after a write failed on a read-only disk, the probe tells so, and notices by itself when the disk is well again", async () => {
  using folder = temporaryFolder()
  await using _ = sqliteStore(folder.path, "test").store
  using database = openDatabase(folder.path)
  const caches = tableCaches(database)
  const reading = tickSnapshot(database, caches)
  const write = writeQueue(database, { caches, endReads: reading.end })
  const connection = { database, drizzle: drizzle(database), caches, reading, write }
  const reads = health(connection, sharedHealth(bulkSteps(connection)), databasePath(folder.path))
  const context = { store: { health: reads, ...steps(connection) } as unknown as Store }
  await pingDatabase(context)

  database.run("PRAGMA query_only = ON")
  await pingDatabase(context)
  await expect(tryWriting(context)).rejects.toThrow("readonly")
  await expect(pingDatabase(context)).rejects.toThrow("readonly")
  database.run("PRAGMA query_only = OFF")
  await pingDatabase(context)
  expect(write.isFailing()).toBe(false)
})
