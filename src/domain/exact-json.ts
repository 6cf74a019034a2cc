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
    return mayLoseDigits(text) ? (JSON.parse as ParseWithSource)(text, keepDigits) : JSON.parse(text)
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

// The compiler's own description of JSON.parse does not know yet that the source text is handed over.
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
type ParseWithSource = (text: string, reviver: Reviver) => unknown

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number" || context.source === undefined) return value
  return isExact(value, context.source) ? value : new DecimalLiteral(context.source)
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  const sent = decimalOf(source)
  const held = decimalOf(String(value))
  return sent.digits === held.digits && sent.point === held.point
}
