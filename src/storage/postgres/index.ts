import type { Store } from "../port/store.ts"
import { agentCallLog } from "./call-log/agent-call-log.ts"
import { refusals } from "./call-log/refusals.ts"
import { addressInWords, readAddress } from "./engine/address.ts"
import { replicaCaches } from "./engine/caches.ts"
import { openPools } from "./engine/connect.ts"
import type { Connection } from "./engine/connection.ts"
import { watchWrites } from "./engine/failing-writes.ts"
import { type Migrated, migrate, type Requirements } from "./engine/migrate.ts"
import { notWrittenYet } from "./engine/not-written-yet.ts"
import { noteBook } from "./engine/notes.ts"
import { postgresUserError } from "./engine/postgres-errors.ts"
import { access } from "./engine/transaction.ts"
import { importExport } from "./import-export/index.ts"
import { audit } from "./tables/audit.ts"
import { catalogue } from "./tables/catalogue.ts"
import { health } from "./tables/health.ts"
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
  const watched = watchWrites(access(pools, caches))
  const connection: Connection = { pools, caches, ...watched }
  const notes = noteBook(connection)
  const version = await serverVersion(connection)
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
    ingestKeys: notWrittenYet("ingestKeys"),
    agentKeys: notWrittenYet("agentKeys"),
    catalogue: catalogue(connection),
    importExport: importExport(connection),
    audit: audit(connection),
    agentCallLog: agentCallLog(connection, notes),
    refusals: refusals(connection, notes),
    affiliateFigures: notWrittenYet("affiliateFigures"),
    settings: settings(connection),
    admissions: notWrittenYet("admissions"),
    signInThrottle: notWrittenYet("signInThrottle"),
    leases: notWrittenYet("leases"),
    health: health(connection, watched, version),
    flushNotes: notes.flush,
    async [Symbol.asyncDispose]() {
      await notes.flush().catch(() => undefined)
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
