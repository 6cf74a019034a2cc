// Reads parts of a JSON text without parsing it. Parsing takes up to a few microseconds per value, so a megabyte of small values
// would block everybody else.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
// A bracket with this bit set is a brace.
const AS_BRACE = 0x20
// One lookup tells structural characters from all others, which are most of a text.
const IS_STRUCTURAL = new Uint8Array(128)
for (const character of '",:[]{}') IS_STRUCTURAL[character.charCodeAt(0)] = 1

export interface JsonSkim {
  /** Whether it has more values than allowed, counted approximately. The rest was not read then. */
  readonly hasTooMany: boolean
  /** The texts of the requested members by path. The last of several with the same name counts, as in JSON.parse. */
  readonly members: ReadonlyMap<string, string>
}

/**
 * Finds members of a JSON text by their paths, such as "params.name", in one pass. Names with escapes are not found. For a text that
 * is not JSON the result is meaningless, but harmless.
 */
export function skimJson(text: string, paths: ReadonlySet<string>, valuesMax: number): JsonSkim {
  const members = new Map<string, string>()
  const levels = Math.max(...[...paths].map((path) => path.split(".").length))
  // The current member on each level: its path, and where its value begins.
  const path: string[] = []
  const start: number[] = []
  const isObject: boolean[] = []
  let name = ""
  let depth = 0
  let values = 0

  function endMember(at: number): void {
    const ended = path[depth]
    if (isObject[depth] && ended !== undefined && paths.has(ended))
      members.set(ended, text.slice(start[depth], at).trim())
    path[depth] = ""
  }

  for (let at = 0; at < text.length && values <= valuesMax; at++) {
    const character = text.charCodeAt(at)
    if (IS_STRUCTURAL[character] !== 1) continue
    if (character === QUOTE) {
      const end = endOfString(text, at)
      if (depth <= levels) name = text.slice(at + 1, end)
      at = end
    } else if (character === COMMA) {
      values++
      if (depth <= levels) endMember(at)
    } else if (character === COLON) {
      if (depth > levels) continue
      path[depth] = depth > 1 ? `${path[depth - 1]}.${name}` : name
      start[depth] = at + 1
    } else if ((character | AS_BRACE) === OPEN_BRACE) {
      values++
      depth++
      if (depth <= levels) isObject[depth] = character === OPEN_BRACE
    } else if ((character | AS_BRACE) === CLOSE_BRACE) {
      if (depth <= levels) endMember(at)
      depth--
    }
  }
  return { hasTooMany: values > valuesMax, members }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) return at
    if (character === BACKSLASH) at++
  }
  return at
}

/** Start and end of the numbers with at least `charactersMin` characters. Strings are skipped. */
export function* longNumbers(text: string, charactersMin: number): Generator<[start: number, end: number]> {
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (isDigitOrMinus(character)) {
      const end = endOfNumber(text, at)
      if (end - at >= charactersMin) yield [at, end]
      at = end - 1
    }
  }
}

const isDigitOrMinus = (character: number) => (character >= 0x30 && character <= 0x39) || character === 0x2d
const isDotOrPlus = (character: number) => character === 0x2e || character === 0x2b
const isExponent = (character: number) => (character | 0x20) === 0x65

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (!isDigitOrMinus(character) && !isDotOrPlus(character) && !isExponent(character)) return at
  }
  return at
}
