import { SQL } from "bun"
import { type Address, addressInWords, type Host } from "./address.ts"
import { DatabaseAwayError, isReadOnly } from "./postgres-errors.ts"
import { queriesOn, type Session } from "./session.ts"

const CONNECT_SECONDS = 3
// How long what is under way on a pool that is given up may take to finish.
const DRAIN_SECONDS = 5

/** The connections to one server, and Drizzle over them. */
export interface Pool {
  readonly client: SQL
  readonly drizzle: Session["drizzle"]
}

/**
 * The pool of the day. Bun's client connects again by itself where a connection breaks; what it cannot do is give up a connection that
 * hangs, or go to another host. A whole new pool does both.
 */
export interface Pools extends AsyncDisposable {
  current(): Promise<Pool>
  /** Something on this pool hung, or its server takes no writes: the next operation gets a new pool. Told twice is told once. */
  giveUp(pool: Pool): void
  /** How many connections there are at most. */
  readonly size: number
}

export interface Connecting {
  /** Called whenever a connection is lost: whoever answers next may know less than the one before. */
  onLost(): void
}

export function openPools(address: Address, { onLost }: Connecting): Pools {
  const { hosts } = address
  let current: Promise<Pool> | null = null
  let isClosed = false

  async function open(): Promise<Pool> {
    const host = hosts.length === 1 ? hosts[0] : await writableHost(address)
    if (host === undefined)
      throw new DatabaseAwayError(`No server of ${addressInWords(address)} answers and takes writes`)
    const client = new SQL({
      ...clientOptions(address, host),
      max: address.poolSize,
      onclose: () => {
        onLost()
        // The server may have handed over to another one while we were away: look for the writable one again.
        if (hosts.length > 1) giveUp(pool)
      },
    })
    const pool: Pool = { client, drizzle: queriesOn(client) }
    return pool
  }

  let opened: Pool | null = null

  function giveUp(pool: Pool): void {
    if (pool !== opened || isClosed) return
    opened = null
    current = null
    onLost()
    // Every query that still runs on it gets its answer or its error; nobody waits for that here.
    pool.client.close({ timeout: DRAIN_SECONDS }).catch(() => undefined)
  }

  return {
    size: address.poolSize,
    current() {
      current ??= open().then(
        (pool) => {
          opened = pool
          return pool
        },
        (cause) => {
          // Not remembered: the next operation looks again.
          current = null
          throw cause
        },
      )
      return current
    },
    giveUp,
    async [Symbol.asyncDispose]() {
      isClosed = true
      const pool = await current?.catch(() => null)
      await pool?.client.close({ timeout: DRAIN_SECONDS })
    },
  }
}

/** The first host of the URL, in its order, that answers and takes writes. All are asked at once. */
async function writableHost(address: Address): Promise<Host | undefined> {
  const answers = address.hosts.map((host) => fits(address, host))
  for (const [place, host] of address.hosts.entries()) if (await answers[place]) return host
  return undefined
}

async function fits(address: Address, host: Host): Promise<boolean> {
  const client = new SQL({ ...clientOptions(address, host), max: 1 })
  try {
    const asked = client<{ standby: boolean }[]>`
      SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS standby`
    const late = Bun.sleep(CONNECT_SECONDS * 1000).then(() => null)
    const found = await Promise.race([asked, late])
    return found !== null && (address.acceptsReadOnly || found[0]?.standby === false)
  } catch (cause) {
    return address.acceptsReadOnly && isReadOnly(cause)
  } finally {
    client.close({ timeout: 0 }).catch(() => undefined)
  }
}

function clientOptions(address: Address, { name, port }: Host): SQL.PostgresOrMySQLOptions {
  const isSocket = name.startsWith("/")
  return {
    // Bun would otherwise look for a URL in the environment. It carries nothing secret, and the sslmode as libpq names it.
    url: `postgres://localhost/?sslmode=${isSocket ? "disable" : tlsMode(address)}`,
    adapter: "postgres",
    hostname: name,
    port,
    username: address.user,
    password: address.password,
    database: address.database,
    prepare: address.prepare,
    connectionTimeout: CONNECT_SECONDS,
    connection: { application_name: address.applicationName },
    ...(!isSocket && tlsFiles(address)),
  }
}

// As libpq has it: who names a root certificate wants the server's to be checked by it.
function tlsMode({ tlsMode: mode, rootCertificate }: Address): Address["tlsMode"] {
  return mode === "require" && rootCertificate !== null ? "verify-ca" : mode
}

function tlsFiles({
  rootCertificate,
  certificate,
  key,
  tlsMode: mode,
}: Address): Pick<SQL.PostgresOrMySQLOptions, "tls"> {
  const usesTls = mode === "require" || mode.startsWith("verify")
  if (!usesTls || (rootCertificate === null && certificate === null)) return {}
  return {
    tls: {
      ...(rootCertificate !== null && rootCertificate !== "system" && { ca: Bun.file(rootCertificate) }),
      ...(certificate !== null && { cert: Bun.file(certificate) }),
      ...(key !== null && { key: Bun.file(key) }),
    },
  }
}
