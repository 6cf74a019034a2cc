import { Type } from "@sinclair/typebox"

/** A character class of control characters (which a terminal obeys), line separators, and those that change the text direction. */
export const UNPRINTABLE = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069"

// Invisible characters make two names look the same: zero-width spaces, direction marks, and tag characters.
const INVISIBLE = "\\u200b\\u200e\\u200f\\u2060-\\u2064\\ufeff\\udb40"
/** A character class of everything that a short text must not have. */
export const UNSEEN = UNPRINTABLE + INVISIBLE

/** A name or a label: one line, without white space at either end. */
export function shortText(maxLength: number, title: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^\\s${UNSEEN}](?:[^${UNSEEN}]*[^\\s${UNSEEN}])?$`,
    title,
  })
}

const ALL_UNPRINTABLE = new RegExp(`[${UNPRINTABLE}]`, "g")

/** Escapes unprintable characters as JSON does, so that a JSON document keeps its meaning. */
export function escapeUnprintable(text: string, kept = ""): string {
  return text.replace(ALL_UNPRINTABLE, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
