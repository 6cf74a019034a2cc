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

// No number that means something has more digits.
const CHARACTERS_OF_A_VALUE = 20

export interface JsonSkim {
  /**
   * Whether it has more values than allowed, counted by what parsing them takes: a member counts twice, for its name, and a number once
   * more for every few digits. The rest was not read then.
   */
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
  // The last structural character: what follows it up to the next is a number or a word, with the spaces around it.
  let after = 0

  function endMember(at: number): void {
    const ended = path[depth]
    if (isObject[depth] && ended !== undefined && paths.has(ended))
      members.set(ended, text.slice(start[depth], at).trim())
    path[depth] = ""
  }

  for (let at = 0; at < text.length && values <= valuesMax; at++) {
    const character = text.charCodeAt(at)
    if (IS_STRUCTURAL[character] !== 1) continue
    const weight = Math.floor((at - after) / CHARACTERS_OF_A_VALUE)
    after = at
    if (character === QUOTE) {
      const end = endOfString(text, at)
      if (depth <= levels) name = text.slice(at + 1, end)
      at = end
      after = end
    } else if (character === COMMA) {
      values += 1 + weight
      if (depth <= levels) endMember(at)
    } else if (character === COLON) {
      values++
      if (depth > levels) continue
      path[depth] = depth > 1 ? `${path[depth - 1]}.${name}` : name
      start[depth] = at + 1
    } else if ((character | AS_BRACE) === OPEN_BRACE) {
      values++
      depth++
      if (depth <= levels) isObject[depth] = character === OPEN_BRACE
    } else if ((character | AS_BRACE) === CLOSE_BRACE) {
      values += weight
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

// A JavaScript number keeps up to 15 digits and every two-digit exponent. A false match only costs the skimming.
const LONG_NUMBER = /[\d.]{16}/
const LONG_EXPONENT = /\d[eE][-+]?\d{3}\d*[\s,}\]]/

export const mayLoseDigits = (text: string): boolean => LONG_NUMBER.test(text) || LONG_EXPONENT.test(text)
