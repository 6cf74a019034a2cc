import { holdsKey, maskKeys } from "../keys/api-key.ts"
import { isObject } from "../schema/is-object.ts"
import { namesSecret } from "./arguments/credentials.ts"

const CHARACTERS_MAX = 8_192
/** Strangers get less room, so that they can't fill the disk. */
const STRANGERS_CHARACTERS_MAX = 2_048
const TEXT_CHARACTERS_MAX = 4_000
const LIST_MAX = 50
const DEPTH_MAX = 12
const MASKED = "********"

/**
 * The arguments of a call as JSON for the call log: without the context, with credentials masked and long parts cut.
 * Null if one of our keys is in them.
 */
export function loggedArguments(args: unknown, isKeyed: boolean): string | null {
  if (!isObject(args)) return null
  const { context: _, ...rest } = args
  if (holdsKey(JSON.stringify(rest))) return null
  const text = maskKeys(JSON.stringify(masked(rest, 0)))
  const most = isKeyed ? CHARACTERS_MAX : STRANGERS_CHARACTERS_MAX
  if (text.length <= most) return text
  return JSON.stringify({ shortened: true, start: text.slice(0, most).toWellFormed() })
}

function masked(value: unknown, depth: number): unknown {
  if (typeof value === "string") return maskText(value)
  if (typeof value !== "object" || value === null) return value
  if (depth >= DEPTH_MAX) return "…"
  if (Array.isArray(value)) {
    const items = value.slice(0, LIST_MAX).map((item) => masked(item, depth + 1))
    return value.length > LIST_MAX ? [...items, `… ${value.length - LIST_MAX} more`] : items
  }
  const fields = Object.entries(value)
  const kept = fields.slice(0, LIST_MAX).map(([name, field]): [string, unknown] => {
    return [name, isSecretName(name) ? MASKED : masked(field, depth + 1)]
  })
  return Object.fromEntries(fields.length > LIST_MAX ? [...kept, ["…", `${fields.length - LIST_MAX} more`]] : kept)
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
  const start = text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()
  const plain = start.replace(CREDENTIALS, `$1${MASKED}`).replace(USER, `${MASKED}@`).replace(QUERY, MASKED)
  const more = text.length - TEXT_CHARACTERS_MAX
  return more > 0 ? `${plain}… ${more} more characters` : plain
}
