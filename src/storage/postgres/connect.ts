import { SQL } from "bun"
import { within } from "../../within.ts"
import { DatabaseUnavailable } from "../errors.ts"
import type { Address } from "./address.ts"
import { isUnsupportedSetting } from "./errors.ts"

/** With the rollback, a caller has an answer within five seconds. */
export const OPERATION_MS_MAX = 4_500
/** After a failover all connections are lost, and the client must notice each of them before it opens a new one. */
export const RETRY_PAUSE_MS = 50
const CONNECT_SECONDS_MAX = 3
const DRAIN_SECONDS = 6

/** Connections that are replaced as a whole when one of them hangs. */
export interface Pool {
  readonly client: SQL
  /** Runs something on the pool's connections, and fails if it takes too long. */
  run<Result>(work: (client: SQL) => Promise<Result>, msMax?: number): Promise<Result>
  close(): Promise<void>
}

interface PoolOptions {
  /** PostgreSQL's settings for each connection, such as `default_transaction_read_only`. */
  readonly settings: Readonly<Record<string, string | number>>
  readonly size?: number
}

/** Opens a pool and makes sure that the server answers. */
export async function openPool(address: Address, { settings, size = address.poolSize }: PoolOptions): Promise<Pool> {
  let options = optionsFor(address, settings, size)
  let client = new SQL(options)
  try {
    await ping(client)
  } catch (cause) {
    drop(client)
    if (!isUnsupportedSetting(cause)) throw cause
    options = optionsFor(address, {}, size)
    client = new SQL(options)
    await ping(client)
  }

  /** Bun connects again by itself when a connection breaks, but it never gives up one that hangs. */
  function replace(hanging: SQL): void {
    if (client !== hanging) return
    client = new SQL(options)
    hanging.close({ timeout: DRAIN_SECONDS }).catch(() => undefined)
  }

  return {
    get client() {
      return client
    },
    async run(work, msMax = OPERATION_MS_MAX) {
      const used = client
      return within(msMax, work(used), () => {
        replace(used)
        return new DatabaseUnavailable("The database didn't answer in time.")
      })
    },
    close: () => client.close({ timeout: DRAIN_SECONDS }),
  }
}

const ping = (client: SQL) =>
  within(
    CONNECT_SECONDS_MAX * 1_000,
    client`SELECT 1`.then(() => undefined),
    () => new DatabaseUnavailable("It didn't answer in time."),
  )

function drop(client: SQL): void {
  client.close({ timeout: 0 }).catch(() => undefined)
}

function optionsFor(address: Address, settings: PoolOptions["settings"], size: number): SQL.PostgresOrMySQLOptions {
  const isSocket = address.host.startsWith("/")
  return {
    // Without a URL, Bun would look for one in the environment.
    url: `postgres://localhost/?sslmode=${isSocket ? "disable" : tlsMode(address)}`,
    adapter: "postgres",
    hostname: address.host,
    port: address.port,
    username: address.user,
    password: address.password,
    database: address.database,
    prepare: address.prepares,
    max: size,
    connectionTimeout: CONNECT_SECONDS_MAX,
    connection: { application_name: address.applicationName, ...settings },
    ...(!isSocket && tlsFiles(address)),
  }
}

// As in libpq, a root certificate turns on its check.
const tlsMode = ({ tlsMode: mode, rootCertificate }: Address): Address["tlsMode"] =>
  mode === "require" && rootCertificate !== null ? "verify-ca" : mode

function tlsFiles({ rootCertificate, certificate, key, tlsMode: mode }: Address) {
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
