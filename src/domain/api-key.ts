import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { isTidy } from "./text.ts"

/** An API key reports delivery, and a buyer key asks the sales agent. Neither works in the other's place. */
type KeyKind = "api" | "buyer"

const STARTS = { api: "abi_", buyer: "aba_" } as const
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
const PREFIX_CHARACTERS = 12
const KEY = /^ab[ia]_[0-9A-Za-z]{38}$/

/** A new secret key. */
export function createSecret(kind: KeyKind = "api"): string {
  const secret = STARTS[kind] + randomCharacters(RANDOM_CHARACTERS)
  return secret + checksumOf(secret)
}

/** Random letters and digits. */
export function randomCharacters(count: number): string {
  let characters = ""
  while (characters.length < count) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    // Bytes above 247 would make the first characters more likely than the others.
    if (byte < 248) characters += BASE62[byte % 62]
  }
  return characters
}

/** Whether the text has the form of a key with the right checksum. Spares a database lookup for anything else. */
export const isKey = (text: string, kind: KeyKind = "api"): boolean =>
  KEY.test(text) && text.startsWith(STARTS[kind]) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_CHARACTERS)))

/** All that is stored of a key, besides its prefix. */
export const fingerprintOf = (secret: string): string => hash("sha256", secret, "hex")

// The prefix of a key, which lists show, has one character less.
const KEYS = /ab([ia])_[0-9A-Za-z]{9,}/g

/** Masks the keys in a text, whole or cut off. Everything that is logged or stored from a request goes through it. */
export const maskKeys = (text: string): string => text.replace(KEYS, "ab$1_********")

const MASKED = /ab[ia]_\*{8}/

/** Whether a text has a key in it, even a masked one. Such a text is refused as a code, URL or email address. */
export const showsKey = (text: string): boolean => MASKED.test(maskKeys(text))

const WHOLE_KEY = /ab[ia]_[0-9A-Za-z]{38}/

/** Whether a whole key is somewhere in a text. */
export const holdsKey = (text: string): boolean => WHOLE_KEY.test(text)

export const prefixOf = (secret: string): string => secret.slice(0, PREFIX_CHARACTERS)

function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ""
  while (digits.length < CHECKSUM_CHARACTERS) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const LABEL_CHARACTERS_MAX = 100

/** Reads the label of a key. A key in it is masked, because labels are shown and audited. */
export function readLabel(typed: string): { readonly label: string } | { readonly error: string } {
  const label = maskKeys(typed.trim())
  if (isTidy(label, LABEL_CHARACTERS_MAX)) return { label }
  return { error: `Enter a label of 1 to ${LABEL_CHARACTERS_MAX} characters.` }
}
