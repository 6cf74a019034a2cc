import { hash } from "node:crypto"
import { longNumbers } from "./json-skim.ts"

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

/** A decimal: sign, digits without outer zeros, and exponent (0.digits times ten to the power of `point`). */
interface Decimal {
  readonly negative: boolean
  readonly digits: string
  readonly point: number
}

// A JavaScript number keeps up to 15 digits and every two-digit exponent. Only a text with more needs the careful parser below.
// Three simple patterns are faster than one that knows where numbers begin; a false match only costs the careful parser.
const LONG_NUMBER = /[\d.]{16}/
const LONG_EXPONENT = /\d[eE][-+]?\d{3}\d*[\s,}\]]/
const NUMBER_ALONE = /^\s*-?\d/

/** Whether a JSON text may have a number that JavaScript cannot hold exactly. */
export function mayLoseDigits(text: string): boolean {
  return LONG_NUMBER.test(text) || LONG_EXPONENT.test(text) || NUMBER_ALONE.test(text)
}

/** The parsed value, or undefined when the text is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    return mayLoseDigits(text) ? parseExactly(text) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The nearest JavaScript number to a value from `parseJson`, or undefined when it is not a number. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value
  return value instanceof DecimalLiteral ? Number(value.text) : undefined
}

export function decimalOf(text: string): Decimal {
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
