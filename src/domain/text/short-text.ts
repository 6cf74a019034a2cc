import { Type } from "@sinclair/typebox"

/** A character class of control characters (which a terminal obeys), line separators, and those that change the text direction. */
export const UNPRINTABLE = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069"

// Invisible characters make two names look the same: zero-width spaces, direction marks, and tag characters.
const INVISIBLE = "\\u200b\\u2060-\\u2064\\ufeff\\udb40"
const MARKS = "\\u200e\\u200f"
const HIDDEN = UNPRINTABLE + INVISIBLE
export const UNSEEN = HIDDEN + MARKS

const RIGHT_TO_LEFT = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc"
// Keyboards for Hebrew and Arabic have direction marks, and digits and punctuation need them there.
const NEEDS_NO_MARK = `(?![^${RIGHT_TO_LEFT}]*[${MARKS}][^${RIGHT_TO_LEFT}]*$)`

/** Without direction marks, which nobody sees: what looks the same is the same. */
export const withoutMarks = (text: string): string => text.replace(/[\u200e\u200f]/g, "")

/** A name or a label: one line, without white space at either end. */
export const shortText = (maxLength: number, title: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^${NEEDS_NO_MARK}[^\\s${HIDDEN}](?:[^${HIDDEN}]*[^\\s${HIDDEN}])?$`,
    title,
  })

const ALL_UNPRINTABLE = new RegExp(`[${UNPRINTABLE}]`, "g")

/** Escapes unprintable characters as JSON does, so that a JSON document keeps its meaning. */
export const escapeUnprintable = (text: string, allowed = ""): string =>
  text.replace(ALL_UNPRINTABLE, (character) =>
    allowed.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const SLUG_CHARACTERS_MAX = 64

/** "Großer Herbst 2026" becomes "grosser-herbst-2026"; empty where no letter or digit is left. */
export function slugOf(name: string): string {
  const plain = name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
  return trimmed(plain.slice(0, SLUG_CHARACTERS_MAX - 6))
}

/** The slug itself, or with the first free number appended. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}-${number}`)) number++
  return `${wanted}-${number}`
}

const trimmed = (slug: string): string => slug.replace(/^-+|-+$/g, "")

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export function sizeInWords(bytes: number): string {
  const [size, unit] = bytes < 1e9 ? [Math.ceil(bytes / 1e5), "MB"] : [Math.round(bytes / 1e8), "GB"]
  return `${(size / 10).toLocaleString("en")} ${unit}`
}

/** At most so many characters, cut between words and with "…" then; a single word that is longer is cut between its characters. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const start = text.slice(0, charactersMax - 1)
  const isAtEnd = /[\s,;]/.test(text.charAt(charactersMax - 1))
  const words = isAtEnd ? start : start.replace(/[\s,;]+[^\s,;]*$/, "")
  return `${words.toWellFormed().replace(/[\s,;\uFFFD]+$/, "")}…`
}
