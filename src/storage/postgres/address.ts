import { UserError } from "../../domain/user-error.ts"

const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const
const PORT_DEFAULT = "5432"
const POOL_SIZE_DEFAULT = "10"
const POOL_SIZE_MAX = 1_000

// As libpq names them, with two of our own: pool_size and prepare.
const OPTIONS = new Set([
  ...["host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey"],
  ...["application_name", "pool_size", "prepare", "allow_async_commit"],
])

/** What a database URL says. */
export interface Address {
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

/** The database for people, without who signs in. */
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
