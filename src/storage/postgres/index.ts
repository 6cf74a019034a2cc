import { addressInWords, readAddress } from "../../domain/operations/database-url.ts"
import { UserError } from "../../domain/user-error.ts"
import type { Store } from "../port/store.ts"
import { StoreAway, StoreUnavailable } from "../port/unavailable.ts"
import { sharedParts } from "../steps/shared-parts.ts"
import { openPools } from "./engine/connect.ts"
import { migrate } from "./engine/migrate.ts"
import { isAway, postgresUserError } from "./engine/postgres-errors.ts"
import { bulkSteps, laterSteps, steps } from "./engine/steps.ts"
import { type Access, access, type OnCommit } from "./engine/transaction.ts"
import { admissions } from "./shared-limits/admissions.ts"
import type { GivenClock } from "./shared-limits/clock.ts"
import { leases } from "./shared-limits/leases.ts"
import { signInFailures } from "./shared-limits/sign-in-failures.ts"
import { affiliates } from "./tables/affiliates.ts"
import { deliveries } from "./tables/delivery/deliveries.ts"
import { health } from "./tables/health.ts"

export interface StoreOptions {
  /** Whether tables are created in an empty database; otherwise it is refused. */
  readonly creates?: boolean
  /** Whether an older schema is brought to this version; otherwise it is refused. */
  readonly upgrades?: boolean
  /** What limits and leases are timed by, in tests; otherwise the database's own clock. */
  readonly clock?: GivenClock
  readonly onCommit?: OnCommit
}

export async function postgresStore(url: string, { clock, onCommit, ...may }: StoreOptions = {}) {
  const address = readAddress(url)
  const database = addressInWords(address)
  await using opened = new AsyncDisposableStack()
  const pools = opened.use(openPools(address))
  const migrated = await migrate(pools, database, may).catch((cause) => {
    const error = postgresUserError(cause, `The database ${database}`) ?? cause
    const isGone = isAway(cause) || cause instanceof StoreUnavailable
    throw isGone && error instanceof UserError ? new StoreAway(error.message, { cause }) : error
  })
  const connection = access(pools, onCommit)
  const version = await serverVersion(connection)
  const admitting = opened.use(admissions(connection, clock))
  const close = opened.move()
  const shared = sharedParts({ ...steps(connection), ...bulkSteps(connection) }, laterSteps(connection))
  const store: Store = {
    ...shared,
    deliveries: deliveries(connection),
    affiliates: affiliates(connection),
    catalogue: {
      ...shared.catalogue,
      async revision() {
        const [now] = await connection.read(({ rows }) => rows<{ catalogue: number }>("SELECT catalogue FROM revision"))
        return now?.catalogue ?? 0
      },
    },
    admissions: admitting,
    signInThrottle: signInFailures(connection, clock),
    leases: leases(connection, clock),
    health: health(connection, shared.health, version),
    async [Symbol.asyncDispose]() {
      await shared.flushWriteBuffer().catch(() => undefined)
      await close.disposeAsync()
    },
  }
  return { store, migrated }
}

async function serverVersion({ read }: Access): Promise<string> {
  const [server] = await read(({ rows }) =>
    rows<{ version: string }>("SELECT split_part(current_setting('server_version'), ' ', 1) AS version"),
  )
  return server?.version ?? "of an unknown version"
}
