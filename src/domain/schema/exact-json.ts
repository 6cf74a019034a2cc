import { hash } from "node:crypto"
import { longNumbers } from "./json-skim.ts"

/** A number of a JSON text that no JavaScript number holds exactly: its digits as they were sent. */
export class DecimalLiteral {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Written as the digits that it is. */
  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.text)
  }
}

/** A decimal as sign, digits without outer zeros, and place: 0.digits times ten to the power of `point`. */
export interface Decimal {
  readonly negative: boolean
  readonly digits: string
  readonly point: number
}

// Up to 15 digits survive the way through a JavaScript number, and so does every exponent of two digits. Only a text with something
// beyond that needs the careful reading below. Three plain patterns are faster than one that knows where numbers begin, and a
// text in which they find too much is only read more carefully than it had to be.
const LONG_NUMBER = /[\d.]{16}/
const LONG_EXPONENT = /\d[eE][-+]?\d{3}\d*[\s,}\]]/
const NUMBER_ALONE = /^\s*-?\d/

/** Whether a JSON text may hold a number that no JavaScript number holds exactly. */
export function mayLoseDigits(text: string): boolean {
  return LONG_NUMBER.test(text) || LONG_EXPONENT.test(text) || NUMBER_ALONE.test(text)
}

/** The value of a JSON text, or undefined when it is none (too deeply nested counts as none). */
export function parseJson(text: string): unknown {
  try {
    return mayLoseDigits(text) ? parseExactly(text) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The number that a value from `parseJson` is nearest to, or undefined when it is no number. */
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
  return { negative: sign === "-" && digits !== "", digits: digits.replace(/0+$/, ""), point }
}

// The shortest number that may lose something has an exponent of three digits: 1e400.
const INEXACT_CHARACTERS_MIN = 5
const MARK_CHARACTERS = 22
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/**
 * Stands a marked string in for each number that would lose digits, parses, and puts the digits into their places. JSON.parse could hand
 * out the text of every number by itself, but takes many times as long then.
 */
function parseExactly(text: string): unknown {
  // No text holds its own digest, so that nobody can send such a string.
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
  // Without exponents and final zeros there is one way to write a number.
  if (!MAY_BE_WRITTEN_OTHERWISE.test(source) && !written.includes("e")) return false
  const sent = decimalOf(source)
  const held = decimalOf(written)
  return sent.digits === held.digits && sent.point === held.point
}

const MAY_BE_WRITTEN_OTHERWISE = /[eE]|\..*0$|^-0/
