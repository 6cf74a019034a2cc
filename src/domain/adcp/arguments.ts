import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { holdsKey, maskKeys } from "../api-key.ts"
import { childPointer, explain, isObject, pathOf } from "../schema/explain.ts"
import { cutText } from "./text.ts"
import { ADCP_MAJOR, ADCP_VERSION, AdcpError, type Arguments, invalidRequest } from "./tools/answer.ts"

type IsWanted = (name: string | number, value: unknown, pointer: string) => boolean

/** The pointer to the first matching field, at any depth, or null. `skipped` names outer fields to skip. */
function findField(value: unknown, isWanted: IsWanted, skipped: readonly string[] = [], pointer = ""): string | null {
  if (typeof value !== "object" || value === null) return null
  // A list has numbers as names, and making a text of each of them would take long.
  const names = Array.isArray(value) ? value.keys() : Object.keys(value)
  for (const name of names) {
    if (typeof name === "string" && skipped.includes(name)) continue
    const field = (value as Record<string | number, unknown>)[name]
    if (isWanted(name, field, pointer)) return childPointer(pointer, name)
    if (typeof field !== "object" || field === null) continue
    const found = findField(field, isWanted, [], childPointer(pointer, name))
    if (found !== null) return found
  }
  return null
}

const SECRET_NAME =
  /^(?:api[_-]?key|authorization|bearer|client[_-]secret|(?:.+[_-])?access[_-]token|jwks?|jwks[_-]uri)$/i

/** Whether AdCP says that a field of this name is a secret. */
const namesSecret = (name: string): boolean => name.length <= 100 && SECRET_NAME.test(name)

// Credentials of other services: a bearer token with a digit, or a JSON web token. "Bearer bonds" aren't one.
const FOREIGN_KEY = /\bbearer\s{1,4}(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/i

const holdsForeignKey = (text: string): boolean => /bearer|eyJ/i.test(text) && FOREIGN_KEY.test(text)

// AdCP allows secrets in these fields. We neither read nor store them.
const ALLOWED = ["/push_notification_config/authentication", "/property_list/auth_token"]

const isAllowed = (pointer: string) => ALLOWED.some((allowed) => `${pointer}/`.startsWith(`${allowed}/`))

/** Refuses arguments with a key or another secret. The context is the caller's own and isn't searched. */
function checkCredentials(args: Arguments): void {
  const pointer = findField(args, (name, value, outer) => !isAllowed(`${outer}/${name}`) && isCredential(name, value), [
    "context",
  ])
  if (pointer === null) return
  // A key may be the name of a field, so the name isn't repeated.
  const path = cutText(pathOf(pointer), 100)
  throw new AdcpError("CREDENTIAL_IN_ARGS", "Credentials must not be in the arguments.", {
    ...(!holdsKey(pointer) && { field: path }),
    suggestion: "Send the key in the header Authorization: Bearer. Replace this key, because it may have been logged.",
  })
}

function isCredential(name: string | number, value: unknown): boolean {
  if (typeof name === "string" && (namesSecret(name) || holdsKey(name))) return true
  return typeof value === "string" && (holdsKey(value) || holdsForeignKey(value))
}

// The content of these fields belongs to the caller.
const UNTOUCHED = ["context", "ext"]

/** The arguments without nulls, because programs that fill in forms send null for an empty field. */
export function withoutNulls(args: Arguments): Arguments {
  const fields = Object.entries(args).map(([name, value]): [string, unknown] => {
    if (UNTOUCHED.includes(name)) return [name, value ?? undefined]
    // Each entry of `refine` gets an answer in its place.
    return [name, name === "refine" && Array.isArray(value) ? value.map((each) => strip(each) ?? null) : strip(value)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** Undefined for null, and for an object or a list that contains only nulls. */
function strip(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== "object") return value
  if (Array.isArray(value)) {
    const entries = value.map(strip).filter((entry) => entry !== undefined)
    return entries.length === 0 && value.length > 0 ? undefined : entries
  }
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, strip(field)])
  const kept = fields.filter(([, field]) => field !== undefined)
  return kept.length === 0 && fields.length > 0 ? undefined : Object.fromEntries(kept)
}

const MINOR = 1
const RELEASE = /^(\d+)\.(\d+)(-[a-zA-Z0-9.-]+)?$/

/** Refuses a version that we don't serve. Comes before every other check, because such a request may look different. */
function checkVersion(args: Arguments): void {
  const { adcp_version: release, adcp_major_version: major } = args
  const parts = typeof release === "string" ? RELEASE.exec(release) : null
  if (parts !== null && !isServed(parts)) throw unsupported("adcp_version", parts[0], args)
  const isOther = Number.isInteger(major) && Number(major) >= 1 && Number(major) <= 99 && major !== ADCP_MAJOR
  if (isOther) throw unsupported("adcp_major_version", `major version ${major}`, args)
}

/** Later minor releases get our answers. Pre-releases don't. */
const isServed = ([, major, minor, preRelease]: RegExpExecArray): boolean =>
  Number(major) === ADCP_MAJOR && Number(minor) >= MINOR && preRelease === undefined

function unsupported(field: string, what: string, args: Arguments): AdcpError {
  const { adcp_version: release, adcp_major_version: major } = args
  const message = `AdCP ${cutText(what, 40)} isn't supported. Supported: ${ADCP_VERSION}.`
  return new AdcpError("VERSION_UNSUPPORTED", message, {
    field,
    suggestion: `Send adcp_version "${ADCP_VERSION}", or leave the version out.`,
    details: {
      supported_versions: [ADCP_VERSION],
      supported_majors: [ADCP_MAJOR],
      ...(typeof release === "string" && release.length <= 40 && { adcp_version: release }),
      ...(major !== undefined && { adcp_major_version: major }),
    },
  })
}

/** The arguments as a tool reads them. Throws an `AdcpError`, in this order: version, credentials, shape, account. */
export function readArguments<Schema extends TSchema>(schema: Schema, sent: Arguments): Static<Schema> {
  const args = withoutNulls(sent)
  checkVersion(args)
  checkCredentials(args)
  checkLengths(args)
  if (!Value.Check(schema, args)) throw invalidRequest(explain(schema, args))
  if ("account" in schema["properties"]) checkAccount(args)
  return args
}

const TEXT_CHARACTERS_MAX = 20_000

/** No valid argument is this long, and searching the catalog for such a text would keep other callers waiting. */
function checkLengths(args: Arguments): void {
  const isLong = (_: unknown, value: unknown) => typeof value === "string" && value.length > TEXT_CHARACTERS_MAX
  // Only the start of a brief is read, and the context isn't ours to read.
  const pointer = findField(args, isLong, ["brief", "context"])
  if (pointer === null) return
  const message = `${cutText(pathOf(pointer), 100)} has more than ${TEXT_CHARACTERS_MAX} characters`
  throw invalidRequest([{ pointer, message, keyword: "maxLength" }])
}

/** This agent has no accounts, so no account ID can be right. An account given by brand and operator is fine. */
function checkAccount({ account }: Arguments): void {
  if (!isObject(account) || account["account_id"] === undefined) return
  throw new AdcpError("ACCOUNT_NOT_FOUND", "There is no account with this account_id. This agent has no accounts.", {
    field: "account.account_id",
    suggestion: "Leave account out, or name it by brand and operator.",
  })
}

const CHARACTERS_MAX = 8_192
/** Strangers get less room, so that they can't fill the disk. */
const STRANGERS_CHARACTERS_MAX = 2_048
const LOGGED_CHARACTERS_MAX = 4_000
const MASKED = "********"

/**
 * The arguments of a call as JSON for the call log: without the context, with credentials masked and long parts cut.
 * Null if one of our keys is in them.
 */
export function loggedArguments(args: unknown, isKeyed: boolean): string | null {
  if (!isObject(args)) return null
  const { context: _, ...rest } = args
  if (holdsKey(JSON.stringify(rest))) return null
  const text = maskKeys(JSON.stringify(rest, masked))
  const most = isKeyed ? CHARACTERS_MAX : STRANGERS_CHARACTERS_MAX
  if (text.length <= most) return text
  return JSON.stringify({ shortened: true, start: text.slice(0, most).toWellFormed() })
}

/** For `JSON.stringify`. */
function masked(name: string, value: unknown): unknown {
  if (isSecretName(name)) return MASKED
  return typeof value === "string" ? maskText(value) : value
}

const OTHER_SECRETS = /(?:^|[_-])(?:token|credentials?|password|passwd|secret|private[_-]?key|cookie|authentication)$/i

const isSecretName = (name: string): boolean => namesSecret(name) || OTHER_SECRETS.test(name.slice(-20))

// Bearer tokens and JSON web tokens.
const CREDENTIALS = /(\bbearer\s{1,4})[\w.~+/=-]{8,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/gi
// In a URL: the user and password, and the query, which may have anything.
const USER = /(?<=:\/\/)[^\s/?#@]{1,400}@/g
const QUERY = /(?<=https?:\/\/[^\s?#"']{1,400}\?)[^\s#"']{1,400}/gi

/** The start of a text, with the credentials of other services masked. */
export function maskText(text: string): string {
  const start = text.slice(0, LOGGED_CHARACTERS_MAX).toWellFormed()
  const plain = start.replace(CREDENTIALS, `$1${MASKED}`).replace(USER, `${MASKED}@`).replace(QUERY, MASKED)
  const more = text.length - LOGGED_CHARACTERS_MAX
  return more > 0 ? `${plain}… ${more} more characters` : plain
}
