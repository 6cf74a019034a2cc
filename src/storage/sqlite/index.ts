import type { Database } from "bun:sqlite"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { Store } from "../port/store.ts"
import { sharedParts } from "../steps/shared-parts.ts"
import { tableCaches } from "./cache/caches.ts"
import { type Connection, compiledOnce, tickSnapshot } from "./engine/connection.ts"
import { CATALOGUE_REVISION, counterIn } from "./engine/counters.ts"
import { createIfMissing, holdOpen, holdToServe } from "./engine/data-directory.ts"
import { noteServer } from "./engine/directory-lock.ts"
import { lastConnection } from "./engine/last-connection.ts"
import { migrate } from "./engine/migrate.ts"
import { databasePath, makeDirectory, openDatabase, stopBlocking } from "./engine/open.ts"
import { bulkSteps, laterSteps, steps } from "./engine/steps.ts"
import { removeAbandoned } from "./engine/work-folder.ts"
import { type WriteQueueParts, writeQueue } from "./engine/write-queue.ts"
import { admissions, leases, signInFailures } from "./single-server.ts"
import { affiliates } from "./tables/affiliates.ts"
import { deliveries } from "./tables/delivery/deliveries.ts"
import { health } from "./tables/health.ts"

/** Hooks for measurements, for a disk that fails, and for files that are gone. */
export type Watching = Pick<WriteQueueParts, "onCommit" | "onSyncFailure" | "onFilesLost">

export interface StoreOpening extends Watching {
  /** The process that serves from it, in words; absent for commands, of which many may work beside the one server. */
  readonly server?: string
}

/** Opens the store of a data directory and migrates it to this version. `stamp` names the copy that is made before an upgrade. */
export function sqliteStore(dataDirectory: string, stamp: string, options: StoreOpening = {}) {
  const { server, ...watching } = options
  using opened = new DisposableStack()
  makeDirectory(dataDirectory)
  createIfMissing(dataDirectory)
  opened.use(server === undefined ? holdOpen(dataDirectory) : holdToServe(dataDirectory))
  if (server !== undefined) noteServer(dataDirectory, server)
  removeAbandoned(dataDirectory)
  const database = opened.use(openDatabase(dataDirectory))
  const migrated = migrate(database, databasePath(dataDirectory), stamp)
  stopBlocking(database)
  const last = lastConnection(databasePath(dataDirectory))
  const caches = tableCaches(database)
  const reading = tickSnapshot(database, caches)
  const write = writeQueue(database, { caches, endReads: reading.end, ...watching })
  const client = opened.use(compiledOnce(database)) as Database
  const connection: Connection = { database, drizzle: drizzle({ client }), caches, reading, write }
  const close = opened.move()
  const shared = sharedParts({ ...steps(connection), ...bulkSteps(connection) }, laterSteps(connection))
  // What every call of an agent asks first.
  const revision = reading.cached(1, (name: string) => counterIn(database, name))
  const store: Store = {
    ...shared,
    deliveries: deliveries(connection),
    affiliates: affiliates(connection),
    catalogue: { ...shared.catalogue, revision: async () => revision(CATALOGUE_REVISION) ?? 0 },
    admissions: admissions(connection),
    signInThrottle: signInFailures(),
    leases,
    health: health(connection, shared.health, dataDirectory),
    async [Symbol.asyncDispose]() {
      await write.flushBehind().catch(() => undefined)
      await write.close()
      reading.end()
      if (!write.hasFailed()) {
        checkpointLog(database)
        last.close()
      }
      close.dispose()
    },
  }
  return { store, migrated }
}

/**
 * Moves the write-ahead log into the file, so that after a clean stop the file alone is complete. PASSIVE blocks nobody; TRUNCATE
 * does, but after it little is left to do, even when another process is still serving.
 */
function checkpointLog(database: Database): void {
  try {
    database.run("PRAGMA wal_checkpoint(PASSIVE)")
    database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } catch {
    // Nothing is lost when the disk cannot be written: the log stays, and the next start reads it.
  }
}
