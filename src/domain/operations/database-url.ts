import { UserError } from "../user-error.ts"

// A database URL is read as libpq reads it, and told without its password.

export interface Host {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly name: string
  readonly port: number
}

const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const
export type TlsMode = (typeof TLS_MODES)[number]

const PORT_DEFAULT = 5432
const POOL_SIZE_DEFAULT = 10
const POOL_SIZE_MAX = 1000

/** What a database URL says, in libpq's words and two of our own: pool_size and prepare. */
export interface Address {
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string
  readonly database: string
  readonly tlsMode: TlsMode
  readonly rootCertificate: string | null
  readonly certificate: string | null
  readonly key: string | null
  readonly applicationName: string
  readonly poolSize: number
  /** Named prepared statements: PgBouncer before 1.21 cannot carry them. */
  readonly prepare: boolean
}

const OPTIONS = new Set([
  ...["host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey"],
  ...["target_session_attrs", "application_name", "pool_size", "prepare"],
])

const NOT_ENCODED = "the host is not valid (in a password, write / as %2F, ? as %3F, @ as %40)"

/** The parts of a URL as they are written; null where it is none. */
function partsOf(url: string) {
  const parts = /^(postgres(?:ql)?):\/\/(?:([^/?]*)@)?([^/?@]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url.trim())
  if (parts === null) return null
  const [, scheme = "", who = "", where = "", path = "", query = ""] = parts
  return { scheme, who, where, path, options: new URLSearchParams(query) }
}

/** Reads postgres://user:password@host:port,host:port/database?option=value. Its mistakes are told without the password. */
export function readAddress(url: string): Address {
  const parts = partsOf(url)
  if (parts === null) throw invalid("it does not look like postgres://user:password@host:5432/database")
  const { who, where, path, options } = parts
  if (path.includes("@")) throw invalid(NOT_ENCODED)
  for (const name of options.keys()) {
    if (!OPTIONS.has(name)) throw invalid(`after the ? stands something else than ${[...OPTIONS].join(", ")}`)
  }
  const hosts = readHosts(options.get("host") ?? where, options.get("port"))
  const colon = who.indexOf(":")
  const user = options.get("user") ?? decode(colon < 0 ? who : who.slice(0, colon))
  if (user === "") throw invalid("it names no user")
  const database = (options.get("dbname") ?? decode(path)) || user
  // We write: a server that takes no writes is of no use to us.
  oneOf(options.get("target_session_attrs") ?? "read-write", ["read-write", "primary"], "target_session_attrs")
  return {
    hosts,
    user,
    password: options.get("password") ?? (colon < 0 ? "" : decode(who.slice(colon + 1))),
    database,
    tlsMode: oneOf(options.get("sslmode") ?? "prefer", TLS_MODES, "sslmode"),
    rootCertificate: options.get("sslrootcert"),
    certificate: options.get("sslcert"),
    key: options.get("sslkey"),
    applicationName: options.get("application_name") ?? "adbooth",
    poolSize: count(options.get("pool_size") ?? `${POOL_SIZE_DEFAULT}`, 2, POOL_SIZE_MAX, "pool_size"),
    prepare: oneOf(options.get("prepare") ?? "true", ["true", "false"], "prepare") === "true",
  }
}

/** Where the database is, for people: never who signs in with what. */
export const addressInWords = ({ hosts, database }: Pick<Address, "hosts" | "database">): string =>
  `${database} at ${hosts.map(({ name, port }) => `${name}:${port}`).join(", ")}`

/** The URL with its password left out. Of one that cannot be used nothing is shown: it may be cut anywhere in the password. */
export function withoutPassword(url: string): string {
  const parts = isValid(url) ? partsOf(url) : null
  if (parts === null || [...parts.options.values()].some((value) => value.includes("@"))) return "***"
  const { scheme, who, where, path, options } = parts
  // A colon that is percent-encoded is meant as one.
  const [user = "", ...secret] = who.split(/:|%3a/i)
  const signsIn = who === "" ? "" : `${user}${secret.length === 0 ? "" : ":***"}@`
  const pairs = [...options].map(([name, value]) => `${name}=${name === "password" ? "***" : encodeURI(value)}`)
  return `${scheme}://${signsIn}${where}${path === "" ? "" : `/${path}`}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
}

function isValid(url: string): boolean {
  try {
    readAddress(url)
    return true
  } catch {
    return false
  }
}

function readHosts(text: string, ports: string | null): Host[] {
  const portOf = (place: number) => ports?.split(",")[place] ?? ports?.split(",")[0] ?? `${PORT_DEFAULT}`
  return text.split(",").map((host, place) => {
    const parts = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d+))?$/.exec(host.trim())
    // Not shown as it is: where a password has a / that is not encoded, this is a part of it.
    if (parts === null) throw invalid(NOT_ENCODED)
    const [, name = "", port] = parts
    return {
      name: decode(name.replace(/^\[|\]$/g, "")) || "localhost",
      port: count(port ?? portOf(place), 1, 65_535, "port"),
    }
  })
}

function oneOf<Word extends string>(value: string, words: readonly Word[], option: string): Word {
  const known = words.find((word) => word === value)
  if (known === undefined) throw invalid(`${option} is one of ${words.join(", ")}`)
  return known
}

function count(text: string, least: number, most: number, option: string): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most)) throw invalid(`${option} is a number from ${least} to ${most}`)
  return value
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid("a % in it does not begin a percent-encoded character (write % as %25)")
  }
}

const invalid = (why: string): UserError => new UserError(`The database URL cannot be used: ${why}.`)
