import { maskKeys } from "../keys/api-key.ts"

const secretNames =
  /^(?:api[_-]?key|authorization|bearer|client[_-]secret|(?:.+[_-])?access[_-]token|jwks?|jwks[_-]uri)$/i

/** Whether a field of this name is a secret, which must not be in the arguments. */
export const namesSecret = (name: string): boolean => secretNames.test(name)

const LOGGED_CHARACTERS_MAX = 8_192
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

/** The arguments as JSON for the call log: without context, with credentials masked and long parts shortened. */
export function loggedArguments(args: unknown): string | null {
  if (typeof args !== "object" || args === null) return null
  const { context: _, ...rest } = args as Record<string, unknown>
  const text = JSON.stringify(mask(rest, 0))
  if (text.length <= LOGGED_CHARACTERS_MAX) return text
  return JSON.stringify({ shortened: true, start: text.slice(0, LOGGED_CHARACTERS_MAX).toWellFormed() })
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
  const masked = fields.slice(0, LIST_MAX).map(([name, field]) => [maskKeys(name), maskField(name, field, depth)])
  if (fields.length > LIST_MAX) masked.push(["…", `${fields.length - LIST_MAX} more`])
  return Object.fromEntries(masked)
}

/** The start of a text, with keys and credentials masked. */
export function maskText(text: string): string {
  // Cut first, because searching a megabyte takes a while, with room to recognize a credential by its start.
  const masked = maskKeys(text.slice(0, LOGGED_TEXT_CHARACTERS_MAX + CREDENTIAL_CHARACTERS))
    .replace(foreignCredentials, `$1${MASKED}`)
    .slice(0, LOGGED_TEXT_CHARACTERS_MAX)
    .toWellFormed()
  return text.length <= LOGGED_TEXT_CHARACTERS_MAX
    ? masked
    : `${masked}… ${text.length - LOGGED_TEXT_CHARACTERS_MAX} more characters`
}

const maskField = (name: string, field: unknown, depth: number): unknown =>
  namesSecret(name) || alsoSecret.test(name.slice(-NAME_END_CHARACTERS)) ? MASKED : mask(field, depth + 1)
