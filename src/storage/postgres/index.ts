import type { Store } from "../port/store.ts"
import { feedActivityNotes } from "../steps/behind/feed-activity.ts"
import { catalogueReads } from "../steps/catalogue.ts"
import { historyReads } from "../steps/delivery-history.ts"
import { packageLineReads } from "../steps/package-lines.ts"
import { shareLinkReads } from "../steps/share-links.ts"
import { sharedParts } from "../steps/shared-parts.ts"
import { sessionReads } from "../steps/sign-in.ts"
import { agentCallLog } from "./call-log/agent-call-log.ts"
import { addressInWords, readAddress } from "./engine/address.ts"
import { bulkSteps } from "./engine/bulk-steps.ts"
import { replicaCaches } from "./engine/caches.ts"
import { openPools } from "./engine/connect.ts"
import type { Connection } from "./engine/connection.ts"
import { type OnCommit, watchWrites } from "./engine/failing-writes.ts"
import { type Migrated, migrate, type Requirements } from "./engine/migrate.ts"
import { postgresUserError } from "./engine/postgres-errors.ts"
import { withOneDeadline } from "./engine/request-time.ts"
import { laterSteps, steps } from "./engine/steps.ts"
import { access } from "./engine/transaction.ts"
import { inFlightWith, writeQueue } from "./engine/write-queue.ts"
import { feedActivity } from "./feed-activity/feed-activity.ts"
import { admissions } from "./shared-limits/admissions.ts"
import type { GivenClock } from "./shared-limits/clock.ts"
import { leases } from "./shared-limits/leases.ts"
import { signInThrottle } from "./shared-limits/sign-in-throttle.ts"
import { affiliateFigures } from "./tables/affiliate-figures.ts"
import { affiliates } from "./tables/affiliates.ts"
import { auditReads } from "./tables/audit.ts"
import { catalogue } from "./tables/catalogue.ts"
import { closingDays } from "./tables/delivery/closing-days.ts"
import { deliveries } from "./tables/delivery/deliveries.ts"
import { deliveryHistory } from "./tables/delivery/delivery-history.ts"
import { health } from "./tables/health.ts"
import { packageLines } from "./tables/package-lines.ts"
import { sessions } from "./tables/sessions.ts"
import { shareLinks } from "./tables/share-links.ts"

export interface OpenedStore {
  readonly store: Store
  readonly migrated: Migrated
}

export interface StoreOptions extends Requirements {
  /** What limits and leases are timed by, in tests; otherwise the database's own clock. */
  readonly clock?: GivenClock
  readonly onCommit?: OnCommit
}

/** Opens the store of a database and brings it to this version. */
export async function postgresStore(
  url: string,
  { clock, onCommit, ...requirements }: StoreOptions = {},
): Promise<OpenedStore> {
  const address = readAddress(url)
  const database = addressInWords(address)
  const caches = replicaCaches()
  await using opened = new AsyncDisposableStack()
  const pools = opened.use(openPools(address, { onLost: () => caches.forget() }))
  const migrated = await migrate(pools, database, requirements).catch((cause) => {
    throw postgresUserError(cause, `The database ${database}`) ?? cause
  })
  const watched = watchWrites(access(pools, caches), onCommit)
  const write = writeQueue(watched, { inFlightMax: inFlightWith(pools.size), onCommit })
  const connection: Connection = { pools, caches, write, ...watched }
  const version = await serverVersion(connection)
  const admitting = opened.use(admissions(connection, clock))
  const close = opened.move()
  const running = steps(connection)
  const later = laterSteps(connection)
  const shared = sharedParts({ ...running, ...bulkSteps(connection) }, later)
  const store: Store = {
    ...shared,
    sessions: { ...sessionReads(running), ...sessions(connection) },
    shareLinks: { ...shareLinkReads(running), ...shareLinks(connection) },
    deliveryHistory: { ...historyReads(running), ...deliveryHistory(connection), ...closingDays(connection) },
    packageLines: { ...packageLineReads(running), ...packageLines(connection) },
    deliveries: deliveries(connection),
    affiliates: affiliates(connection),
    catalogue: { ...catalogue(connection), ...catalogueReads(running) },
    audit: auditReads(connection),
    agentCallLog: agentCallLog(connection),
    feedActivity: { ...feedActivityNotes(running, later), ...feedActivity(connection) },
    affiliateFigures: affiliateFigures(connection),
    admissions: admitting,
    signInThrottle: signInThrottle(connection, clock),
    leases: leases(connection, clock),
    health: health(connection, watched, version),
    withOneDeadline,
    async [Symbol.asyncDispose]() {
      await write.flushBehind().catch(() => undefined)
      await write.drained()
      await close.disposeAsync()
    },
  }
  return { store, migrated }
}

async function serverVersion({ read }: Connection): Promise<string> {
  const [found] = await read(({ rows }) =>
    rows<{ version: string }>("SELECT split_part(current_setting('server_version'), ' ', 1) AS version"),
  )
  return found?.version ?? "of an unknown version"
}
