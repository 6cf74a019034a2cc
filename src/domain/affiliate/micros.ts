export const MICROS_DIGITS = 6

/** A number of a request with the digits that were sent. JavaScript's own numbers would round 8999999999.999999. */
export class Decimal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }

  toJSON(): number {
    return Number(this.text)
  }
}

/** Keeps the digits of each `conversionValue` of a JSON text. For `JSON.parse`. */
export const keepDigits = (name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  name === "conversionValue" && typeof value === "number" ? new Decimal(context?.source ?? String(value)) : value

/** A decimal in exact millionths. Null if it's negative, or has too many digits. */
export function microsOf(text: string): number | null {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (parts === null) return null
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts
  const places = fraction.length - Number(exponent)
  const digits = (whole + fraction).replace(/^0+/, "")
  const zeros = MICROS_DIGITS - places
  if (digits === "") return 0
  if (sign === "-") return null
  const micros = zeros >= 0 ? digits + "0".repeat(zeros) : withoutZeros(digits, -zeros)
  return micros === null || micros.length > 16 ? null : Number(micros)
}

/** The digits without that many zeros at the end. Null if there are other digits. */
function withoutZeros(digits: string, count: number): string | null {
  const kept = digits.length - count
  return kept > 0 && /^0*$/.test(digits.slice(kept)) ? digits.slice(0, kept) : null
}

/** Millionths as a decimal without zeros at the end: "199.95". */
export function formatMicros(micros: bigint | number): string {
  const digits = String(micros).padStart(MICROS_DIGITS + 1, "0")
  const fraction = digits.slice(-MICROS_DIGITS).replace(/0+$/, "")
  const whole = digits.slice(0, -MICROS_DIGITS)
  return fraction === "" ? whole : `${whole}.${fraction}`
}
