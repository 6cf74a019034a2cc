import { type StringOptions, Type } from "@sinclair/typebox"

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f"
// Lone surrogates cannot be stored as UTF-8: two different texts would become the same one. Pairs are spelled out for validators that
// match patterns by 16-bit units.
const PAIR = "[\\ud800-\\udbff][\\udc00-\\udfff]"
const INNER = `(?:[^${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const OUTER = `(?:[^\\s${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const TIDY = `^${OUTER}(?:${INNER}*${OUTER})?$`

/** The schema that matches `isTidy`. */
export function tidyText(maxLength: number, options: Pick<StringOptions, "title" | "description" | "examples">) {
  return Type.String({ minLength: 1, maxLength, pattern: TIDY, ...options })
}

const TIDY_TEXT = new RegExp(TIDY)

/** Whether a text has 1 to `most` characters, no control characters, and no white space at either end. */
export function isTidy(text: string, most: number): boolean {
  if (text.length > most * 2 || (text.length > most && [...text].length > most)) return false
  return TIDY_TEXT.test(text)
}
