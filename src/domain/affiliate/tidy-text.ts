import { type StringOptions, Type } from "@sinclair/typebox"

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f"
// Half of a surrogate pair without the other has no place in UTF-8: two different texts would be stored as the same one. Whole pairs
// are spelled out for checkers that read a pattern by 16-bit units.
const PAIR = "[\\ud800-\\udbff][\\udc00-\\udfff]"
const INNER = `(?:[^${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const OUTER = `(?:[^\\s${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const TIDY = `^${OUTER}(?:${INNER}*${OUTER})?$`

/** The schema of a text that `isTidy`. */
export function tidyText(maxLength: number, options: Pick<StringOptions, "description" | "examples">) {
  return Type.String({ minLength: 1, maxLength, pattern: TIDY, ...options })
}

const TIDY_TEXT = new RegExp(TIDY)

/** Whether a text is 1 to `most` characters without control characters and without white space at either end. */
export function isTidy(text: string, most: number): boolean {
  if (text.length > most * 2 || (text.length > most && [...text].length > most)) return false
  return TIDY_TEXT.test(text)
}
