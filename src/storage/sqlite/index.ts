import type { Database } from "bun:sqlite"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { Store } from "../store.ts"
import { affiliateFigures } from "./affiliate-figures.ts"
import { affiliates } from "./affiliates.ts"
import { agentCallLog } from "./agent-call-log.ts"
import { agentKeys } from "./agent-keys.ts"
import { audit } from "./audit.ts"
import { tableCaches } from "./caches.ts"
import { campaigns } from "./campaigns.ts"
import { catalogue } from "./catalogue.ts"
import type { Connection } from "./connection.ts"
import { deliveries } from "./deliveries.ts"
import { deliveryHistory } from "./delivery-history.ts"
import { health } from "./health.ts"
import { holdOpen } from "./hold-open.ts"
import { ingestKeys } from "./ingest-keys.ts"
import { interchange } from "./interchange.ts"
import { invitations } from "./invitations.ts"
import { linkClaims } from "./link-claims.ts"
import { members } from "./members.ts"
import { type Migrated, migrate } from "./migrate.ts"
import { oneTimeLinks } from "./one-time-links.ts"
import { databasePath, makeDirectory, openDatabase, stopBlockingOnLocks } from "./open.ts"
import { organizations } from "./organizations.ts"
import { packageLines } from "./package-lines.ts"
import { readingTurn } from "./reading-turn.ts"
import { refusals } from "./refusals.ts"
import { restorationWatch } from "./restorations.ts"
import { sessions } from "./sessions.ts"
import { settings } from "./settings.ts"
import { shareLinks } from "./share-links.ts"
import { twoFactor } from "./two-factor.ts"
import { users } from "./users.ts"
import { removeAbandoned } from "./work-folder.ts"
import { type QueueParts, writeQueue } from "./write-queue.ts"

export interface OpenedStore {
  readonly store: Store
  readonly migrated: Migrated
}

/** For whoever wants to measure. */
export type Watching = Pick<QueueParts, "onCommit">

/** Opens the store of a data directory and brings it to this version. `stamp` names the copy kept before an upgrade. */
export function sqliteStore(dataDirectory: string, stamp: string, { onCommit }: Watching = {}): OpenedStore {
  using opened = new DisposableStack()
  makeDirectory(dataDirectory)
  opened.use(holdOpen(dataDirectory))
  removeAbandoned(dataDirectory)
  const database = opened.use(openDatabase(dataDirectory))
  const migrated = migrate(database, databasePath(dataDirectory), stamp)
  stopBlockingOnLocks(database)
  const caches = tableCaches(database)
  const reading = readingTurn(database, caches)
  const wasRestored = restorationWatch(database)
  const write = writeQueue(database, { caches, wasRestored, beforeWriting: reading.end, onCommit })
  const connection: Connection = { database, drizzle: drizzle(database), caches, reading, write }
  const close = opened.move()
  const store: Store = {
    organizations: organizations(connection),
    users: users(connection),
    oneTimeLinks: oneTimeLinks(connection),
    linkClaims: linkClaims(connection),
    invitations: invitations(connection),
    sessions: sessions(connection),
    twoFactor: twoFactor(connection),
    members: members(connection),
    campaigns: campaigns(connection),
    shareLinks: shareLinks(connection),
    deliveryHistory: deliveryHistory(connection),
    packageLines: packageLines(connection),
    deliveries: deliveries(connection),
    affiliates: affiliates(connection),
    ingestKeys: ingestKeys(connection),
    agentKeys: agentKeys(connection),
    catalogue: catalogue(connection),
    interchange: interchange(connection),
    audit: audit(connection),
    agentCallLog: agentCallLog(connection),
    refusals: refusals(connection),
    affiliateFigures: affiliateFigures(connection),
    settings: settings(connection),
    health: health(connection, databasePath(dataDirectory)),
    flushNotes: () => write.flushNotes(),
    async [Symbol.asyncDispose]() {
      await write.flushNotes().catch(() => undefined)
      await write.drained()
      reading.end()
      foldLogIn(database)
      close.dispose()
    },
  }
  return { store, migrated }
}

/**
 * Puts the write-ahead log into the file, so that after a clean stop the file alone holds everything. The first step keeps nobody
 * waiting, which the second does: after an import beside a running server little is left for that one.
 */
function foldLogIn(database: Database): void {
  try {
    database.run("PRAGMA wal_checkpoint(PASSIVE)")
    database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } catch {
    // On a disk that cannot be written the log stays where it is, and the next opening reads it: nothing is lost.
  }
}
