import { Type } from "@sinclair/typebox"

/**
 * Characters that people do not type but that act on what shows them, for a character class: C0 and C1 controls (a terminal obeys
 * them), separators of lines and paragraphs, and those that turn the direction of the text around them.
 */
export const UNPRINTABLE = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069"

/** A short text that a person or a file gives: a name or a label, on one line, without white space at either end. */
export function shortText(maxLength: number, title: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^\\s${UNPRINTABLE}](?:[^${UNPRINTABLE}]*[^\\s${UNPRINTABLE}])?$`,
    title,
  })
}
