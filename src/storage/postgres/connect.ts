import { SQL } from "bun"
import { UserError } from "../../domain/errors.ts"
import { within } from "../../within.ts"
import { DatabaseUnavailable } from "../database.ts"
import { isUnsupportedSetting } from "./errors.ts"

const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const
const PORT_DEFAULT = "5432"
const POOL_SIZE_DEFAULT = "10"
const POOL_SIZE_MAX = 1_000

// The names that libpq uses, and two of our own: pool_size and prepare.
const OPTIONS = new Set([
  ...["host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey"],
  ...["application_name", "pool_size", "prepare", "allow_async_commit"],
])

/** What a database URL says. */
interface Address {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  readonly tlsMode: (typeof TLS_MODES)[number]
  readonly rootCertificate: string | null
  readonly certificate: string | null
  readonly key: string | null
  readonly applicationName: string
  readonly poolSize: number
  /** Whether statements are prepared by name. PgBouncer before 1.21 can't carry those. */
  readonly prepares: boolean
  /** Whether the server may acknowledge a commit before it's on disk. */
  readonly allowsAsyncCommit: boolean
}

const FORM = /^postgres(?:ql)?:\/\/(?:([^/?@]*)@)?(\[[^\]]+\]|[^:/?@]*)(?::(\d+))?(?:\/([^?@]*))?(?:\?(.*))?$/

/** Reads postgres://user:password@host:port/database?option=value. Its errors never show the password. */
export function readAddress(url: string): Address {
  const parts = FORM.exec(url.trim())
  if (parts === null) throw invalid("it must look like postgres://user:password@host:5432/database")
  const [, who = "", host = "", port = PORT_DEFAULT, path = "", query = ""] = parts
  const options = new URLSearchParams(query)
  for (const name of options.keys())
    if (!OPTIONS.has(name)) throw invalid(`after the ? only these are known: ${[...OPTIONS].join(", ")}`)
  const [user = "", ...password] = who.split(":")
  const name = options.get("user") ?? decoded(user)
  if (name === "") throw invalid("it names no user")
  return {
    host: (options.get("host") ?? decoded(host).replace(/^\[|\]$/g, "")) || "localhost",
    port: whole(options.get("port") ?? port, 65_535, "port"),
    user: name,
    password: options.get("password") ?? decoded(password.join(":")),
    database: (options.get("dbname") ?? decoded(path)) || name,
    tlsMode: oneOf(options.get("sslmode") ?? "prefer", TLS_MODES, "sslmode"),
    rootCertificate: options.get("sslrootcert"),
    certificate: options.get("sslcert"),
    key: options.get("sslkey"),
    applicationName: options.get("application_name") ?? "adbooth",
    poolSize: whole(options.get("pool_size") ?? POOL_SIZE_DEFAULT, POOL_SIZE_MAX, "pool_size"),
    prepares: oneOf(options.get("prepare") ?? "true", ["true", "false"], "prepare") === "true",
    allowsAsyncCommit: options.get("allow_async_commit") === "true",
  }
}

/** The database in words, without the user who signs in. */
export const inWords = ({ host, port, database }: Address): string => `${database} at ${host}:${port}`

function oneOf<Word extends string>(value: string, words: readonly Word[], option: string): Word {
  const known = words.find((word) => word === value)
  if (known === undefined) throw invalid(`${option} must be one of ${words.join(", ")}`)
  return known
}

function whole(text: string, max: number, option: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > max) throw invalid(`${option} must be from 1 to ${max}`)
  return number
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid("a % in it must be written as %25")
  }
}

const invalid = (why: string): UserError =>
  new UserError(`The database URL can't be used: ${why}. In a password, write / as %2F, ? as %3F and @ as %40.`)

/** Including the rollback, a caller gets an answer within five seconds. */
export const OPERATION_MS_MAX = 4_500
/** After a failover all connections are lost, and the client must notice each of them before it opens a new one. */
export const RETRY_PAUSE_MS = 50
const CONNECT_SECONDS_MAX = 3
const DRAIN_SECONDS = 6

/** Connections that are all replaced when one of them hangs. */
export interface Pool {
  readonly client: SQL
  /** Runs something on the pool's connections, and fails if it takes too long. */
  run<Result>(work: (client: SQL) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** PostgreSQL's settings for each connection, such as `default_transaction_read_only`. */
type Settings = Readonly<Record<string, string>>

/** Opens a pool and makes sure that the server answers. */
export async function openPool(address: Address, settings: Settings = {}): Promise<Pool> {
  let options = optionsFor(address, settings)
  let client = new SQL(options)
  try {
    await ping(client)
  } catch (cause) {
    drop(client)
    if (!isUnsupportedSetting(cause)) throw cause
    options = optionsFor(address, {})
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
    async run(work) {
      const used = client
      return within(OPERATION_MS_MAX, work(used), () => {
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

function optionsFor(address: Address, settings: Settings): SQL.PostgresOrMySQLOptions {
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
    max: address.poolSize,
    connectionTimeout: CONNECT_SECONDS_MAX,
    connection: { application_name: address.applicationName, ...settings },
    ...(!isSocket && tlsFiles(address)),
  }
}

// As in libpq, naming a root certificate turns on the check of the server's certificate.
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

const VERSION_MIN = 15
// With these, a commit that was acknowledged is on the disk of the server, and of a standby if it waits for one.
const DURABLE = ["on", "remote_apply"]

/** Refuses a server that would break promises. Returns its version. */
export async function checkServer(client: SQL, name: string, { allowsAsyncCommit }: Address): Promise<string> {
  const [server] = await client<Server[]>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version, current_setting('server_encoding') AS encoding,
      current_setting('synchronous_commit') AS commit, current_schema() AS schema`
  if (server === undefined) throw new Error("The server didn't return its settings.")
  if (Number.parseInt(server.version, 10) < VERSION_MIN)
    throw new UserError(`${name} runs PostgreSQL ${server.version}. Adbooth needs version ${VERSION_MIN} or newer.`)
  if (server.encoding !== "UTF8")
    throw new UserError(
      `The database ${name} is encoded in ${server.encoding}. Adbooth needs UTF8: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0.`,
    )
  if (server.schema === null)
    throw new UserError(
      `The user has no schema in the database ${name}. Create one: CREATE SCHEMA adbooth AUTHORIZATION user; ALTER ROLE user SET search_path = adbooth.`,
    )
  if (!allowsAsyncCommit && !DURABLE.includes(server.commit))
    throw new UserError(
      `The database ${name} has synchronous_commit = ${server.commit}, so accepted totals could be lost. Turn it on: ALTER ROLE user SET synchronous_commit = on. To run like this anyway, add allow_async_commit=true to the database URL.`,
    )
  return server.version
}

interface Server {
  readonly version: string
  readonly encoding: string
  readonly commit: string
  readonly schema: string | null
}
