import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { KEY_CHECKSUM_CHARACTERS, KEY_PREFIX_CHARACTERS, KEY_RANDOM_CHARACTERS } from "../limits.ts"
import { memoize } from "../memoize.ts"
import { checkFor } from "../schema/check.ts"
import { shortText } from "../text/short-text.ts"

/** Only the hash of a session, one-time or share token is stored, which is useless to a reader of the database. */
export const hashToken = (token: string): string => hash("sha256", token, "hex")

/** An ingest key acts for an organization, an agent key for a buyer. Neither is valid where the other is expected. */
export type KeyKind = "ingest" | "agent"

/** The SHA-256 of a secret in hexadecimal. Only this and the prefix are stored. */
export type Fingerprint = string

const START: Record<KeyKind, string> = { ingest: "abi_", agent: "aba_" }
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const BODY_LENGTH = KEY_RANDOM_CHARACTERS + KEY_CHECKSUM_CHARACTERS
export const KEY_LENGTH = 4 + BODY_LENGTH
const BODY = /^[0-9A-Za-z]+$/

/** A new random secret. Bytes above 247 are skipped, so that every character is equally likely. */
export function mint(kind: KeyKind, randomBytes: (count: number) => Uint8Array): string {
  let secret = START[kind]
  while (secret.length < 4 + KEY_RANDOM_CHARACTERS) {
    for (const byte of randomBytes(KEY_RANDOM_CHARACTERS)) {
      if (byte < 248 && secret.length < 4 + KEY_RANDOM_CHARACTERS) secret += BASE62[byte % 62]
    }
  }
  return secret + checksumOf(secret)
}

/** Whether a text has the format of a key, with a correct checksum. Saves a lookup for anything else. */
export function looksValid(secret: string, kind: KeyKind): boolean {
  if (secret.length !== KEY_LENGTH || !secret.startsWith(START[kind]) || !BODY.test(secret.slice(4))) return false
  const end = KEY_LENGTH - KEY_CHECKSUM_CHARACTERS
  return secret.slice(end) === checksumOf(secret.slice(0, end))
}

export const fingerprintOf = (secret: string): Fingerprint => hash("sha256", secret, "hex")

// A program sends the same key all day.
const SECRETS_KEPT = 1_000
const fingerprints = {
  ingest: memoize(SECRETS_KEPT, (secret: string) => (looksValid(secret, "ingest") ? fingerprintOf(secret) : null)),
  agent: memoize(SECRETS_KEPT, (secret: string) => (looksValid(secret, "agent") ? fingerprintOf(secret) : null)),
}

/** The fingerprint to look a secret up by; null when it does not even have the form of a key of this kind. */
export const fingerprintIfValid = (secret: string, kind: KeyKind): Fingerprint | null =>
  secret.length === KEY_LENGTH ? fingerprints[kind](secret) : null

export const prefixOf = (secret: string): string => secret.slice(0, KEY_PREFIX_CHARACTERS)

const SENT_KEY = new RegExp(`^Bearer (ab[ia]_[0-9A-Za-z]{${KEY_PREFIX_CHARACTERS - 4}})[0-9A-Za-z]+$`)

/** The prefix of the key in an Authorization header, valid or not; null where there is none. */
export const prefixSent = (header: string | null): string | null =>
  header === null ? null : (SENT_KEY.exec(header)?.[1] ?? null)

// With whatever people and programs put between its characters: spaces, escapes, marks of bold text.
const KEY_START = /a\W{0,8}b\W{0,8}[ia]\W{0,8}_/g
const REST_CHARACTERS_READ = 600
const PIECE_MIN = 9
const KEYS_TRIED_MAX = 100

/**
 * Whether one of our keys is somewhere in a text: inside other words, in pieces, with some of its characters left out, or written for an
 * address, a page or a program.
 */
export function holdsKey(text: string): boolean {
  const letters = text.length <= NORMALIZED_MAX && WIDE_OR_BOLD.test(text) ? text.normalize("NFKC") : text
  // Programs write codes of codes: %255F.
  const plain = decoded(decoded(letters))
  return holdsStart(plain) || (plain.length >= BODY_LENGTH && holdsChecksum(plain))
}

// Letters of East Asian keyboards, and those that stand for bold or italic ones where a text has no formatting.
const WIDE_OR_BOLD = /[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u
// Some single characters become eighteen. Of longer texts only the start is kept anywhere.
const NORMALIZED_MAX = 50_000

/** With codes as the characters that they stand for: %5F in addresses, &#95; and &#x5f; on pages, \u005f and \x5f in programs. */
function decoded(text: string): string {
  if (!/[%&\\]/.test(text)) return text
  return decodeURIComponent(
    text
      .replace(/%[89a-f][0-9a-f]|%(?![0-7][0-9a-f])/gi, " ")
      .replace(/&amp;/gi, "&")
      .replace(/&(?:#95|lowbar);/gi, "_")
      .replace(/(?:&#x|\\u00|\\x)([0-7][0-9a-f]);?/gi, "%$1"),
  )
}

const KEY_LETTERS = new RegExp(`ab[ia](?=[0-9a-z]{${BODY_LENGTH}})`, "gi")
const LONG_WORD = new RegExp(`(?<![0-9A-Za-z])[0-9A-Za-z]{${BODY_LENGTH},}`, "g")
const CHECKSUMS_TRIED_MAX = 2_000

/**
 * Whether the letters and digits of a text hold a key whose checksum is right; without the start that all keys have, at the beginning or
 * the end of a word: what is left of a code for its underscore, such as the 5F of %255F, may stand before it.
 */
function holdsChecksum(text: string): boolean {
  const letters = text.replace(/[^0-9A-Za-z]+/g, "")
  let tried = 0
  for (const { 0: start, index } of letters.matchAll(KEY_LETTERS)) {
    const from = index + start.length
    if (++tried > CHECKSUMS_TRIED_MAX || isKey(`${start.toLowerCase()}_${letters.slice(from, from + BODY_LENGTH)}`))
      return true
  }
  for (const [word] of text.matchAll(LONG_WORD)) {
    for (const body of new Set([word.slice(0, BODY_LENGTH), word.slice(-BODY_LENGTH)]))
      if (++tried > CHECKSUMS_TRIED_MAX || isKey(START.agent + body) || isKey(START.ingest + body)) return true
  }
  return false
}

const isKey = (text: string): boolean => looksValid(text, "agent") || looksValid(text, "ingest")

function holdsStart(text: string): boolean {
  // Mostly there is none, and looking for the first is fast.
  if (text.search(KEY_START) < 0) return false
  let tried = 0
  for (const { 0: start, index } of text.matchAll(KEY_START)) {
    if (++tried > KEYS_TRIED_MAX) return true
    const from = index + start.length
    const rest = text.slice(from, from + REST_CHARACTERS_READ)
    const piece = /^[0-9A-Za-z]*/.exec(rest)?.[0] ?? ""
    // "alibaba_sponsored_30s" is a name.
    const isInWord = /[0-9A-Za-z]/.test(text[index - 1] ?? "")
    if (piece.length >= PIECE_MIN && !(isInWord && /^[a-z]+$/.test(piece))) return true
    const whole = start.replace(/[^abi_]/g, "") + rest.replace(/[^0-9A-Za-z]/g, "")
    if (isKey(whole.slice(0, KEY_LENGTH)) || (!isInWord && looksRandom(rest))) return true
  }
  return false
}

/** Letters of both cases, mixed as in no word, right after the start of a key. */
function looksRandom(rest: string): boolean {
  const pieces = rest
    .trim()
    .split(/[^0-9A-Za-z]+/)
    .slice(0, 3)
  return pieces.some((piece) => /[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z]{2}[a-z]/.test(piece))
}

/** A name that a caller chose, for logs and answers: nothing of it where a key is in it. */
export const withoutKey = (name: string): string => (holdsKey(name) ? "********" : name)

/** Masks keys that are written as they are. Of what a buyer's agent sends, `holdsKey` decides instead, which knows more forms. */
export const maskKeys = (text: string): string => text.replace(/ab([ia])_[0-9A-Za-z]{9,}/g, "ab$1_********")

function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ""
  for (let i = 0; i < KEY_CHECKSUM_CHARACTERS; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export const KeyLabel = shortText(
  100,
  "a label of 1 to 100 characters, without control characters and without white space at either end",
)

const isLabel = checkFor(KeyLabel)

export const labelErrors = (label: string): { readonly label?: string } =>
  isLabel(label).ok ? {} : { label: "Enter a label of 1 to 100 characters." }
