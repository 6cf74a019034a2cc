import { Type } from "@sinclair/typebox"

/**
 * Characters that people do not type but that act on what shows them, for a character class: C0 and C1 controls (a terminal obeys
 * them), separators of lines and paragraphs, and those that turn the direction of the text around them.
 */
export const UNPRINTABLE = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069"

// What cannot be seen makes one name look like another: spaces without width, direction marks, and tag characters.
const INVISIBLE = "\\u200b\\u200e\\u200f\\u2060-\\u2064\\ufeff\\udb40"
/** What no short text may have in it, for a character class. */
export const UNSEEN = UNPRINTABLE + INVISIBLE

/** A short text that a person or a file gives: a name or a label, on one line, without white space at either end. */
export function shortText(maxLength: number, title: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^\\s${UNSEEN}](?:[^${UNSEEN}]*[^\\s${UNSEEN}])?$`,
    title,
  })
}

const ALL_UNPRINTABLE = new RegExp(`[${UNPRINTABLE}]`, "g")

/** A text whose characters only show and never act. They are written as in JSON, so that a JSON document stays the same document. */
export function escapeUnprintable(text: string, kept = ""): string {
  return text.replace(ALL_UNPRINTABLE, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
