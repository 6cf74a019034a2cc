import { hash } from "node:crypto"
import { JSON_LEVELS_MAX } from "../limits.ts"

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
const isInNumber = (character: number) => isDigitOrMinus(character) || isDotOrPlus(character) || isExponent(character)

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (!isInNumber(character)) return at
  }
  return at
}

/** A JSON number that JavaScript cannot hold exactly: its digits as sent. */
export class DecimalLiteral {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.text)
  }
}

// A JavaScript number keeps up to 15 digits and every two-digit exponent. Only a text with more needs the careful parser below.
// Three simple patterns are faster than one that knows where numbers begin; a false match only costs the careful parser.
const LONG_NUMBER = /[\d.]{16}/
const LONG_EXPONENT = /\d[eE][-+]?\d{3}\d*[\s,}\]]/
const NUMBER_ALONE = /^\s*-?\d/

const hasManyDigits = (text: string): boolean => LONG_NUMBER.test(text) || NUMBER_ALONE.test(text)

export const mayLoseDigits = (text: string): boolean => hasManyDigits(text) || LONG_EXPONENT.test(text)

/** The parsed value, or undefined when the text is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    if (hasManyDigits(text)) return notTooDeep(parseExactly(text))
    const value: unknown = JSON.parse(text)
    // Looking for exponents takes as long as parsing: only where one may have made a number infinite or next to nothing.
    return hasExtreme(value, JSON_LEVELS_MAX) && LONG_EXPONENT.test(text) ? parseExactly(text) : value
  } catch {
    return undefined
  }
}

/** Whether a text that `parseJson` does not read is JSON, nested too deeply. */
export function isNestedTooDeeply(text: string): boolean {
  try {
    notTooDeep(JSON.parse(text))
    return false
  } catch (cause) {
    return cause instanceof NestedTooDeeply
  }
}

class NestedTooDeeply extends Error {}

function notTooDeep(value: unknown): unknown {
  hasExtreme(value, JSON_LEVELS_MAX)
  return value
}

// The smallest number that is held with all of its digits.
const NORMAL_MIN = 2 ** -1022

const isExtreme = (value: number): boolean =>
  value < 1 && value > -1 ? value < NORMAL_MIN && value > -NORMAL_MIN : !Number.isFinite(value)

/** Whether there is a number that an exponent of three digits may have led to: 0, too. Throws when it is nested too deeply. */
function hasExtreme(value: unknown, levelsLeft: number): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "number" && isExtreme(value)
  if (value instanceof DecimalLiteral) return false
  if (levelsLeft === 0) throw new NestedTooDeeply()
  let isFound = false
  const fields = value as Record<string, unknown>
  if (Array.isArray(value)) for (const element of value) isFound = hasExtreme(element, levelsLeft - 1) || isFound
  else
    for (const name in fields) {
      const field = fields[name]
      // Most are texts, and calling takes longer than looking.
      if (typeof field !== "string") isFound = hasExtreme(field, levelsLeft - 1) || isFound
    }
  return isFound
}

/** The nearest JavaScript number to a value from `parseJson`, or undefined when it is not a number. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value
  return value instanceof DecimalLiteral ? Number(value.text) : undefined
}

/** A decimal: sign, digits without outer zeros, and exponent (0.digits times ten to the power of `point`). */
export function decimalOf(text: string) {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  const all = whole + fraction
  const digits = all.replace(/^0+/, "")
  const point = digits === "" ? 0 : whole.length - (all.length - digits.length) + Number(exponent)
  return { negative: sign === "-" && digits !== "", digits: withoutEndZeros(digits), point }
}

/** Not with a pattern: one that looks for the end of a text begins anew at each zero. */
export function withoutEndZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === "0") end--
  return digits.slice(0, end)
}

// The shortest number that may lose something has an exponent of three digits: 1e400.
const INEXACT_CHARACTERS_MIN = 5
const MARK_CHARACTERS = 22
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/**
 * Replaces each number that would lose digits with a marked string, parses, and puts the digits back. A reviver of JSON.parse could
 * give the text of every number, but is many times slower.
 */
function parseExactly(text: string): unknown {
  // No text contains its own digest, so nobody can send the mark.
  const mark = hash("sha256", text, "base64url").slice(0, MARK_CHARACTERS)
  let rewritten = ""
  let copied = 0
  for (const [start, end] of longNumbers(text, INEXACT_CHARACTERS_MIN)) {
    const literal = text.slice(start, end)
    if (!NUMBER.test(literal) || isExact(Number(literal), literal)) continue
    rewritten += `${text.slice(copied, start)}"${mark}${literal}"`
    copied = end
  }
  return copied === 0 ? JSON.parse(text) : withLiterals(JSON.parse(rewritten + text.slice(copied)), mark)
}

function withLiterals(value: unknown, mark: string): unknown {
  if (typeof value === "string") {
    return value.startsWith(mark) ? new DecimalLiteral(value.slice(MARK_CHARACTERS)) : value
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = withLiterals(value[i], mark)
  } else if (typeof value === "object" && value !== null) {
    const fields = value as Record<string, unknown>
    for (const name in fields) fields[name] = withLiterals(fields[name], mark)
  }
  return value
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  const written = String(value)
  if (written === source) return true
  // Without exponents and trailing zeros there is only one way to write a number.
  if (!MAY_BE_WRITTEN_OTHERWISE.test(source) && !written.includes("e")) return false
  const sent = decimalOf(source)
  const held = decimalOf(written)
  return sent.digits === held.digits && sent.point === held.point
}

const MAY_BE_WRITTEN_OTHERWISE = /[eE]|\..*0$|^-0/
