import type { Store } from "../port/store.ts"
import { addressInWords, readAddress } from "./engine/address.ts"
import { replicaCaches } from "./engine/caches.ts"
import { openPools } from "./engine/connect.ts"
import type { Connection } from "./engine/connection.ts"
import { type Migrated, migrate, type Requirements } from "./engine/migrate.ts"
import { notWrittenYet } from "./engine/not-written-yet.ts"
import { postgresUserError } from "./engine/postgres-errors.ts"
import { access } from "./engine/transaction.ts"
import { inFlightWith, writeQueue } from "./engine/write-queue.ts"
import { affiliateFigures } from "./tables/affiliate-figures.ts"
import { affiliates } from "./tables/affiliates.ts"
import { audit } from "./tables/audit.ts"
import { deliveries } from "./tables/deliveries.ts"
import { deliveryHistory } from "./tables/delivery-history.ts"
import { organizations } from "./tables/organizations.ts"
import { settings } from "./tables/settings.ts"

export interface OpenedStore {
  readonly store: Store
  readonly migrated: Migrated
}

/** Opens the store of a database and brings it to this version. */
export async function postgresStore(url: string, requirements: Requirements = {}): Promise<OpenedStore> {
  const address = readAddress(url)
  const database = addressInWords(address)
  const caches = replicaCaches()
  await using opened = new AsyncDisposableStack()
  const pools = opened.use(openPools(address, { onLost: () => caches.forget() }))
  const migrated = await migrate(pools, database, requirements).catch((cause) => {
    throw postgresUserError(cause, `The database ${database}`) ?? cause
  })
  const ways = access(pools, caches)
  const write = writeQueue(ways, { inFlightMax: inFlightWith(pools.size) })
  const connection: Connection = { pools, caches, write, ...ways }
  const close = opened.move()
  const store: Store = {
    organizations: organizations(connection),
    users: notWrittenYet("users"),
    oneTimeLinks: notWrittenYet("oneTimeLinks"),
    linkClaims: notWrittenYet("linkClaims"),
    invitations: notWrittenYet("invitations"),
    credentials: notWrittenYet("credentials"),
    sessions: notWrittenYet("sessions"),
    twoFactor: notWrittenYet("twoFactor"),
    members: notWrittenYet("members"),
    campaigns: notWrittenYet("campaigns"),
    shareLinks: notWrittenYet("shareLinks"),
    deliveryHistory: deliveryHistory(connection),
    packageLines: notWrittenYet("packageLines"),
    deliveries: deliveries(connection),
    affiliates: affiliates(connection),
    ingestKeys: notWrittenYet("ingestKeys"),
    agentKeys: notWrittenYet("agentKeys"),
    catalogue: notWrittenYet("catalogue"),
    importExport: notWrittenYet("importExport"),
    audit: audit(connection),
    agentCallLog: notWrittenYet("agentCallLog"),
    refusals: notWrittenYet("refusals"),
    affiliateFigures: affiliateFigures(connection),
    settings: settings(connection),
    admissions: notWrittenYet("admissions"),
    signInThrottle: notWrittenYet("signInThrottle"),
    leases: notWrittenYet("leases"),
    health: notWrittenYet("health"),
    flushNotes: () => write.flushNotes(),
    async [Symbol.asyncDispose]() {
      await write.flushNotes().catch(() => undefined)
      await write.drained()
      await close.disposeAsync()
    },
  }
  return { store, migrated }
}
