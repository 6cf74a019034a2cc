const DEPTH_MAX = 100
const KEPT_CHARACTERS_MAX = 65_536

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** A JSON text as a value. Throws a SyntaxError, and a RangeError if it's nested too deep: see `isTooDeep`. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new RangeError(`The JSON is nested deeper than ${DEPTH_MAX} levels.`)
  return JSON.parse(text)
}

/** The same, but a number that JavaScript would round keeps its digits. It takes ten times as long. */
export const parseWithDigits = (text: string): unknown =>
  JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])

const keepDigits: Reviver = (_, value, { source = "" }) =>
  typeof value !== "number" || String(value) === source ? value : rawJson(source)

/** Stands for a number in `JSON.stringify`. TypeScript doesn't know `JSON.rawJSON` yet. */
const rawJson = (source: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source)

// A number doesn't follow a quote, so the "2.0" of every message isn't one.
const LONG_NUMBER = /\d{16}|[:,[\s-]\d+[.eE]/

/**
 * Whether a number in the text is so long that it could lose digits, or has a fraction or an exponent. Very long texts
 * aren't checked.
 */
export const shouldKeepDigits = (text: string): boolean => text.length <= KEPT_CHARACTERS_MAX && LONG_NUMBER.test(text)

/** Parsing and copying deep nesting could overflow the stack, so the brackets are counted first. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      if (++depth > DEPTH_MAX) return true
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--
  }
  return false
}

const QUOTE = 34
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** The place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at++
    else if (character === QUOTE) return at
  }
  return text.length
}
