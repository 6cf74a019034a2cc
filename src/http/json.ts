const QUOTE = 34
const COMMA = 44
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

export const DEPTH_MAX = 100

/**
 * Why a JSON text isn't worth parsing, in words: deep nesting could overflow the stack, and both keep other callers waiting. Null if it
 * may be parsed.
 */
export function excessOf(text: string, valuesMax = Number.POSITIVE_INFINITY): string | null {
  let depth = 0
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (character === COMMA) commas++
    else if (character === OPEN_LIST || character === OPEN_OBJECT) depth++
    else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--
    if (depth > DEPTH_MAX) return `The JSON is nested deeper than ${DEPTH_MAX} levels.`
    if (commas >= valuesMax) return `The JSON has more than ${valuesMax} values.`
  }
  return null
}

/** The place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at++
    else if (character === QUOTE) return at
  }
  return text.length
}
