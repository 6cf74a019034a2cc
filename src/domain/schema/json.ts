/** The parsed value, or undefined when the text is not JSON. A conversion value that JavaScript would round keeps its digits. */
export function parseJson(text: string): unknown {
  try {
    return LONG_VALUE.test(text) ? JSON.parse(text, exactly as Reviver) : JSON.parse(text)
  } catch {
    return undefined
  }
}

// A number surely keeps 15 digits. A reviver, which is given the text of a number, takes ten times as long.
const LONG_VALUE = /"conversionValue"\s*:\s*[\d.]{16}/

type Reviver = (name: string, value: unknown) => unknown

const exactly = (name: string, value: unknown, { source = "" }: { source?: string }): unknown =>
  name === "conversionValue" && typeof value === "number" ? exactNumber(source) : value

/** Whether arrays and objects are nested deeper than so many levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((element) => isDeeperThan(element, levels - 1))
  for (const name in value) if (isDeeperThan((value as Record<string, unknown>)[name], levels - 1)) return true
  return false
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

/** A number as JSON writes it, with every digit. */
export function exactNumber(text: string): number | DecimalLiteral {
  const value = Number(text)
  if (!Number.isFinite(value)) return new DecimalLiteral(text)
  const [sent, held] = [decimalOf(text), decimalOf(String(value))]
  return sent.digits === held.digits && sent.point === held.point ? value : new DecimalLiteral(text)
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
