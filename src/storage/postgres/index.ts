import type { Store } from "../port/store.ts"
import { addressInWords, readAddress } from "./engine/address.ts"
import { replicaCaches } from "./engine/caches.ts"
import { openPools } from "./engine/connect.ts"
import type { Connection } from "./engine/connection.ts"
import { type Migrated, migrate, type Requirements } from "./engine/migrate.ts"
import { notWrittenYet } from "./engine/not-written-yet.ts"
import { postgresUserError } from "./engine/postgres-errors.ts"
import { simpleNotes } from "./engine/simple-notes.ts"
import { access } from "./engine/transaction.ts"
import { admissions } from "./shared-limits/admissions.ts"
import type { GivenClock } from "./shared-limits/clock.ts"
import { leases } from "./shared-limits/leases.ts"
import { signInThrottle } from "./shared-limits/sign-in-throttle.ts"
import { agentKeys } from "./tables/agent-keys.ts"
import { audit } from "./tables/audit.ts"
import { ingestKeys } from "./tables/ingest-keys.ts"
import { organizations } from "./tables/organizations.ts"
import { settings } from "./tables/settings.ts"

export interface OpenedStore {
  readonly store: Store
  readonly migrated: Migrated
}

export interface StoreOptions extends Requirements {
  /** What limits and leases are timed by, in tests; otherwise the database's own clock. */
  readonly clock?: GivenClock
}

/** Opens the store of a database and brings it to this version. */
export async function postgresStore(url: string, { clock, ...requirements }: StoreOptions = {}): Promise<OpenedStore> {
  const address = readAddress(url)
  const database = addressInWords(address)
  const caches = replicaCaches()
  await using opened = new AsyncDisposableStack()
  const pools = opened.use(openPools(address, { onLost: () => caches.forget() }))
  const migrated = await migrate(pools, database, requirements).catch((cause) => {
    throw postgresUserError(cause, `The database ${database}`) ?? cause
  })
  const connection: Connection = { pools, caches, ...access(pools, caches) }
  const notes = simpleNotes(connection)
  const admitting = opened.use(admissions(connection, clock))
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
    deliveryHistory: notWrittenYet("deliveryHistory"),
    packageLines: notWrittenYet("packageLines"),
    deliveries: notWrittenYet("deliveries"),
    affiliates: notWrittenYet("affiliates"),
    ingestKeys: ingestKeys(connection, notes.alongside),
    agentKeys: agentKeys(connection, notes.alongside),
    catalogue: notWrittenYet("catalogue"),
    importExport: notWrittenYet("importExport"),
    audit: audit(connection),
    agentCallLog: notWrittenYet("agentCallLog"),
    refusals: notWrittenYet("refusals"),
    affiliateFigures: notWrittenYet("affiliateFigures"),
    settings: settings(connection),
    admissions: admitting,
    signInThrottle: signInThrottle(connection, clock),
    leases: leases(connection, clock),
    health: notWrittenYet("health"),
    flushNotes: () => notes.flush(),
    async [Symbol.asyncDispose]() {
      await notes.flush().catch(() => undefined)
      await close.disposeAsync()
    },
  }
  return { store, migrated }
}
