import { holdsKey, KEY_LENGTH, maskKeys, withoutKey } from "../keys/api-key.ts"
import { DecimalLiteral } from "../schema/json.ts"

const FIELDS_MAX = 12
const NAME_CHARACTERS_MAX = 60
const VALUE_CHARACTERS_MAX = 160
// Nobody can tell a password or another system's token from an ordinary text. Of a long one only the beginning is kept, unless it is an ID or
// a number or moment.
const WHOLE_CHARACTERS_MAX = 24
const START_CHARACTERS = 12
const HARMLESS = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\d .,:+TZtz-]+)$/i
const TEXT_CHARACTERS_MAX = 600
// Longer than a key, so that one that begins inside the part that is kept is recognized and masked.
const KEY_CHARACTERS = 64
const SECRET_NAME = /(?:key|token|secret|password|passwd|authorization|credentials?|cookie)$/i
const MASKED = '"********"'

/** A rejected item as JSON, for people: keys masked, and never long, however large the item is. Only its first fields are read. */
export function sentText(item: unknown): string {
  if (typeof item !== "object" || item === null || Array.isArray(item) || item instanceof DecimalLiteral) {
    return valueText(item)
  }
  const [fields, values]: [string[], string[]] = [[], []]
  for (const name in item) {
    if (fields.length === FIELDS_MAX) {
      fields.push("…")
      break
    }
    const value = (item as Record<string, unknown>)[name]
    if (isPieceOfKey(value)) return MASKED
    const quoted = JSON.stringify(shortened(withoutKey(name), NAME_CHARACTERS_MAX))
    const text = SECRET_NAME.test(name.slice(-NAME_CHARACTERS_MAX)) ? MASKED : valueText(value)
    fields.push(`${quoted}: ${text}`)
    values.push(text)
  }
  // One whose pieces are in several fields. What is masked already is none.
  if (holdsKey(values.join("\n").replaceAll("_********", ""))) return MASKED
  const text = `{ ${fields.join(", ")} }`
  return text.length <= TEXT_CHARACTERS_MAX ? text : `${text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()}…`
}

/** The rest may be in other fields. */
const isPieceOfKey = (value: unknown): boolean =>
  typeof value === "string" && value.length < KEY_LENGTH && maskKeys(value) !== value

function valueText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(keptText(value))
  if (value instanceof DecimalLiteral) return shortened(value.text, VALUE_CHARACTERS_MAX)
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]"
  if (typeof value === "object" && value !== null) return "{…}"
  return String(value)
}

/** A text that somebody sent: whole when it is short or harmless, else only its beginning. */
export const keptText = (text: string): string => shortened(text, charactersKept(text))

function charactersKept(text: string): number {
  if (text.length <= WHOLE_CHARACTERS_MAX) return WHOLE_CHARACTERS_MAX
  return text.length <= VALUE_CHARACTERS_MAX && HARMLESS.test(text) ? VALUE_CHARACTERS_MAX : START_CHARACTERS
}

/** PostgreSQL cannot hold U+0000, nor half of a surrogate pair. */
export function shortened(text: string, charactersMax: number): string {
  const masked = maskKeys(text.slice(0, charactersMax + KEY_CHARACTERS))
  const cut =
    masked.length <= charactersMax && text.length <= charactersMax ? masked : `${masked.slice(0, charactersMax)}…`
  return cut.toWellFormed().replaceAll("\0", "\uFFFD")
}
