import type { Store } from "../port/store.ts"
import { addressInWords, readAddress } from "./engine/address.ts"
import { replicaCaches } from "./engine/caches.ts"
import { openPools } from "./engine/connect.ts"
import type { Connection } from "./engine/connection.ts"
import { type Migrated, migrate, type Requirements } from "./engine/migrate.ts"
import { notWrittenYet } from "./engine/not-written-yet.ts"
import { postgresUserError } from "./engine/postgres-errors.ts"
import { access } from "./engine/transaction.ts"
import { audit } from "./tables/audit.ts"
import { campaigns } from "./tables/campaigns.ts"
import { organizations } from "./tables/organizations.ts"
import { packageLines } from "./tables/package-lines.ts"
import { credentials } from "./tables/people/credentials.ts"
import { invitations } from "./tables/people/invitations.ts"
import { linkClaims } from "./tables/people/link-claims.ts"
import { members } from "./tables/people/members.ts"
import { oneTimeLinks } from "./tables/people/one-time-links.ts"
import { sessions } from "./tables/people/sessions.ts"
import { twoFactor } from "./tables/people/two-factor.ts"
import { users } from "./tables/people/users.ts"
import { settings } from "./tables/settings.ts"
import { shareLinks } from "./tables/share-links.ts"

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
  const connection: Connection = { pools, caches, ...access(pools, caches) }
  const close = opened.move()
  const store: Store = {
    organizations: organizations(connection),
    users: users(connection),
    oneTimeLinks: oneTimeLinks(connection),
    linkClaims: linkClaims(connection),
    invitations: invitations(connection),
    credentials: credentials(connection),
    sessions: sessions(connection),
    twoFactor: twoFactor(connection),
    members: members(connection),
    campaigns: campaigns(connection),
    shareLinks: shareLinks(connection),
    deliveryHistory: notWrittenYet("deliveryHistory"),
    packageLines: packageLines(connection),
    deliveries: notWrittenYet("deliveries"),
    affiliates: notWrittenYet("affiliates"),
    ingestKeys: notWrittenYet("ingestKeys"),
    agentKeys: notWrittenYet("agentKeys"),
    catalogue: notWrittenYet("catalogue"),
    importExport: notWrittenYet("importExport"),
    audit: audit(connection),
    agentCallLog: notWrittenYet("agentCallLog"),
    refusals: notWrittenYet("refusals"),
    affiliateFigures: notWrittenYet("affiliateFigures"),
    settings: settings(connection),
    admissions: notWrittenYet("admissions"),
    signInThrottle: notWrittenYet("signInThrottle"),
    leases: notWrittenYet("leases"),
    health: notWrittenYet("health"),
    flushWriteBuffer: async () => undefined,
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  }
  return { store, migrated }
}
