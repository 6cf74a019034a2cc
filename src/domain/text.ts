const CONTROL = /\p{Cc}/u

/**
 * Whether a text has 1 to `most` characters, no control characters, and no white space at either end. Half of a surrogate pair
 * isn't a character: two different texts with one would be stored as the same.
 */
export function isTidy(text: string, most: number): boolean {
  if (text === "" || text.length > 2 * most || text.trim() !== text) return false
  return !CONTROL.test(text) && text.isWellFormed() && (text.length <= most || [...text].length <= most)
}

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f"
// Pairs are spelled out for validators that match patterns by 16-bit units.
const PAIR = "[\\ud800-\\udbff][\\udc00-\\udfff]"
const INNER = `(?:[^${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const OUTER = `(?:[^\\s${CONTROLS}\\ud800-\\udfff]|${PAIR})`

/** The pattern of a text that `isTidy`, for JSON schemas. */
export const TIDY_PATTERN = `^${OUTER}(?:${INNER}*${OUTER})?$`
