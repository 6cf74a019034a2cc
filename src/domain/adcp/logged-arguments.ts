import { holdsKey } from "../keys/api-key.ts"

const secretNames =
  /^(?:api[_-]?key|authorization|bearer|client[_-]secret|(?:.+[_-])?access[_-]token|jwks?|jwks[_-]uri)$/i

/** Whether a field of this name is a secret, which must not be in the arguments. */
export const namesSecret = (name: string): boolean => secretNames.test(name)

const LOGGED_CHARACTERS_MAX = 8_192
// Of what strangers send less, so that they cannot fill the disk.
const STRANGERS_CHARACTERS_MAX = 2_048
const LOGGED_TEXT_CHARACTERS_MAX = 4_000
const CREDENTIAL_CHARACTERS = 4_000
// Longer than every name of a secret.
const NAME_END_CHARACTERS = 20
const LIST_MAX = 50
const DEPTH_MAX = 12
const MASKED = "********"
const alsoSecret = /(?:^|[_-])(?:token|credentials?|password|passwd|secret|private[_-]?key|cookie)$/i
/** Credentials of other services in a text: bearer tokens and JSON web tokens. */
const foreignCredentials = /(\bbearer\s{1,4})[\w.~+/=-]{8,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/gi

// Surely one: "bearer bonds" are none.
const FOREIGN_KEY = /\bbearer\s{1,4}(?=[A-Za-z.~+/=_-]{0,200}\d)[\w.~+/=-]{16,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/i

/** Whether a credential of another service is in a text. */
export const holdsForeignKey = (text: string): boolean => /bearer|eyJ/i.test(text) && FOREIGN_KEY.test(text)

/**
 * The arguments as JSON for the call log: without context, with credentials of others masked and long parts shortened. Null where one of
 * our keys is in them, in whatever form: what recognizes a key is wider than any mask.
 */
export function loggedArguments(args: unknown, isKeyed = true): string | null {
  if (typeof args !== "object" || args === null) return null
  const { context: _, ...rest } = args as Record<string, unknown>
  if (holdsKey(textsIn(rest).join("\n"))) return null
  const text = JSON.stringify(mask(withoutSecretParts(rest), 0))
  const charactersMax = isKeyed ? LOGGED_CHARACTERS_MAX : STRANGERS_CHARACTERS_MAX
  if (text.length <= charactersMax) return text
  return JSON.stringify({ shortened: true, start: text.slice(0, charactersMax).toWellFormed() })
}

/** Arguments as an earlier version logged them, as they are logged now; null where nothing of them may be kept. */
export function keptOfLogged(logged: string): string | null {
  const args = storedJson(logged)
  if (args === null || holdsKey(textsIn(args).join("\n"))) return null
  // What was cut off within an address would have to be guessed.
  if (args["shortened"] === true && logged.includes(NOTIFICATIONS)) return null
  return args[NOTIFICATIONS] === undefined ? logged : JSON.stringify(withoutSecretParts(args))
}

/** What is no JSON was not logged by any version: upkeep must not stop at it. */
function storedJson(logged: string): Record<string, unknown> | null {
  try {
    return JSON.parse(logged) as Record<string, unknown>
  } catch {
    return null
  }
}

/** Every name, then every text, in their order: a key may be sent in pieces. */
function textsIn(args: unknown): string[] {
  const [names, texts]: [string[], string[]] = [[], []]
  function look(value: unknown, depth: number): void {
    if (typeof value === "string") texts.push(value)
    if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.push(name)
    else if (value.every(isShort)) return void texts.push(value.join(""))
    for (const field of Array.isArray(value) ? value : Object.values(value)) look(field, depth + 1)
  }
  look(args, 0)
  return [...names, ...texts]
}

// No words, but countries, say, or letters one by one.
const isShort = (item: unknown) => typeof item === "string" && item.length <= 3

const NOTIFICATIONS = "push_notification_config"

/** With the addresses for notifications, but without what may be secret in them. */
function withoutSecretParts(args: Record<string, unknown>): Record<string, unknown> {
  const { [NOTIFICATIONS]: config } = args
  if (typeof config !== "object" || config === null) return args
  const fields = Object.entries(config).map(([name, field]) => [name, isAddress(field) ? plainAddress(field) : field])
  return { ...args, [NOTIFICATIONS]: Object.fromEntries(fields) }
}

const isAddress = (field: unknown): field is string => typeof field === "string" && /:\/\/|@/.test(field)

function plainAddress(address: string): string {
  const url = URL.parse(address)
  return url === null || url.host === "" ? MASKED : `${url.protocol}//${url.host}${url.pathname}`
}

function mask(value: unknown, depth: number): unknown {
  if (typeof value === "string") return maskText(value)
  if (typeof value !== "object" || value === null) return value
  if (depth >= DEPTH_MAX) return "…"
  if (Array.isArray(value)) {
    const items = value.slice(0, LIST_MAX).map((item) => mask(item, depth + 1))
    return value.length > LIST_MAX ? [...items, `… ${value.length - LIST_MAX} more`] : items
  }
  const fields = Object.entries(value)
  const masked = fields.slice(0, LIST_MAX).map(([name, field]) => [name, maskField(name, field, depth)])
  if (fields.length > LIST_MAX) masked.push(["…", `${fields.length - LIST_MAX} more`])
  return Object.fromEntries(masked)
}

// Of an address: user and password, and values of its query that are named like a secret.
const USER_INFO = /(?<=:\/\/)[^\s/?#@]{1,400}@/g
const SECRET_QUERY =
  /(?<=[?&][\w-]{0,30}(?:key|token|secret|password|passwd|signature|sig|auth|credential)=)[^\s&#"']{1,400}/gi

/** The start of a text, with credentials of other services masked. */
export function maskText(text: string): string {
  // Cut first, because searching a megabyte takes a while, with room to recognize a credential by its start.
  const masked = text
    .slice(0, LOGGED_TEXT_CHARACTERS_MAX + CREDENTIAL_CHARACTERS)
    .replace(foreignCredentials, `$1${MASKED}`)
    .replace(USER_INFO, `${MASKED}@`)
    .replace(SECRET_QUERY, MASKED)
    .slice(0, LOGGED_TEXT_CHARACTERS_MAX)
    .toWellFormed()
  return text.length <= LOGGED_TEXT_CHARACTERS_MAX
    ? masked
    : `${masked}… ${text.length - LOGGED_TEXT_CHARACTERS_MAX} more characters`
}

const maskField = (name: string, field: unknown, depth: number): unknown =>
  namesSecret(name) || alsoSecret.test(name.slice(-NAME_END_CHARACTERS)) ? MASKED : mask(field, depth + 1)
