import { CONVERSION_VALUE_DECIMALS_MAX, CONVERSION_VALUE_MAX, WHOLE_NUMBER_MAX } from "../limits.ts"
import { exactNumber, withoutEndZeros } from "../schema/json.ts"

// Parses typed numbers in forms, files and commands. People write 1000.50, 1 000, 1'000, 1,000.50 and 1.000,50. An ambiguous number
// is refused with both meanings, because a wrong guess is off by a factor of a thousand.

export interface NumberField {
  /** Decimal places; 0 for whole numbers only. */
  readonly decimals: number
  readonly max: number
  /** The currency of an amount, whose symbol or code may be typed too. */
  readonly currency?: string
  /** Whether the caller can keep more digits than a JavaScript number. */
  readonly keepsEveryDigit?: true
  /** How to read what can be read in two ways: 1.000 as a thousand, or as one. */
  readonly ambiguous?: AmbiguousReading
}

/** As somebody said, or by the mark that stands before decimals elsewhere in a file. */
export type AmbiguousReading = "grouped" | "decimal" | DecimalMark
type DecimalMark = "." | ","

export const WHOLE: NumberField = { decimals: 0, max: WHOLE_NUMBER_MAX }
export const DECIMAL: NumberField = { decimals: 15, max: WHOLE_NUMBER_MAX }
export const CONVERSION_VALUE: NumberField = {
  decimals: CONVERSION_VALUE_DECIMALS_MAX,
  max: CONVERSION_VALUE_MAX,
  keepsEveryDigit: true,
}
const MONEY_DECIMALS_MAX = 6

/** An amount of money. `currency` may still be empty or invalid, because it is typed in the same form. */
export const moneyIn = (currency: string): NumberField => ({
  decimals: MONEY_DECIMALS_MAX,
  max: WHOLE_NUMBER_MAX,
  currency,
})

// Longer than any number, and short enough for expressions that look at a text more than once.
const NUMBER_CHARACTERS_MAX = 100

type TypedNumber =
  /** `digits` is the number as JSON, without an exponent. */
  | { readonly ok: true; readonly value: number; readonly digits: string }
  | {
      readonly ok: false
      readonly message: string
      readonly isAmbiguous?: true
      /** Both readings alone, for a person who can choose one: 1.000 can mean 1000 or 1. */
      readonly readings?: string
    }

/** The number, or why it is refused. Nothing is guessed or rounded. */
export function readNumber(typed: string, field: NumberField): TypedNumber {
  if (typed.length > NUMBER_CHARACTERS_MAX) return refuse(`${excerpt(typed)} is not a number. ${exampleFor(field)}`)
  const text = withoutCurrency(inPlainCharacters(typed), field)
  const excerptOfIt = excerpt(typed)
  const problem = problemOfCharacters(text, excerptOfIt, field)
  if (problem !== undefined) return refuse(problem)
  const readings = readingsOf(text)
  // Where there are no fractions, 41.300 and 41,300 can only be thousands.
  const isWhole = field.decimals === 0 && field.ambiguous === undefined
  const [first, second] = isWhole ? readings.slice(0, 1) : readings
  if (first === undefined) return refuse(notANumber(text, excerptOfIt, field))
  if (second !== undefined && field.ambiguous === undefined) {
    const readings = `${excerptOfIt} can mean ${first} or ${second}.`
    return { ok: false, message: `${readings} ${waysToWrite(first, second)}`, isAmbiguous: true, readings }
  }
  return withinField(second !== undefined && isDecimal(text, field) ? second : first, excerptOfIt, field)
}

const isDecimal = (text: string, { ambiguous = "grouped" }: NumberField): boolean =>
  ambiguous === "decimal" || text.includes(ambiguous)

/** The mark before decimals, where a number shows it beyond doubt: 1.234,5 and 1.234.567 both show that it is the comma. */
export function markShownBy(typed: string): DecimalMark | undefined {
  if (typed.length > NUMBER_CHARACTERS_MAX || !/[.,]/.test(typed)) return undefined
  const text = inPlainCharacters(typed)
  if (readingsOf(text).length !== 1) return undefined
  if (wholeDigits(text) !== undefined) return text.includes(".") ? "," : "."
  return text.lastIndexOf(".") > text.lastIndexOf(",") ? "." : ","
}

/** A number for a form: `readNumber` reads it back unchanged. */
export function writeNumber(value: number): string {
  const [whole = "", fraction = ""] = plainDigits(value).split(".")
  // 12.125 could also be twelve thousand; 12.1250 could not.
  const looksGrouped = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  return fraction === "" ? whole : `${whole}.${fraction}${looksGrouped ? "0" : ""}`
}

/** As people write money: 14.50. */
export const writeMoney = (value: number): string => writeNumber(value).replace(/\.\d$/, "$&0")

const refuse = (message: string): TypedNumber => ({ ok: false, message })

const inPlainCharacters = (typed: string): string =>
  typed
    .replace(/[\u00a0\u2007\u2009\u202f]/g, " ")
    .replaceAll("’", "'")
    .trim()

/** Removes the symbol or code of the field's currency before or after the number. */
function withoutCurrency(text: string, { currency }: NumberField): string {
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return text
  const beside = [currency, signOf(currency, "symbol"), signOf(currency, "narrowSymbol")]
  const isAt = (start: number, mark: string) =>
    text.slice(start).slice(0, mark.length).toUpperCase() === mark.toUpperCase()
  const sign = beside.find((mark) => isAt(0, mark))
  if (sign !== undefined) return text.slice(sign.length).trim()
  const end = beside.find((mark) => text.length > mark.length && isAt(text.length - mark.length, mark))
  return end === undefined ? text : text.slice(0, -end.length).trim()
}

function signOf(currency: string, currencyDisplay: "symbol" | "narrowSymbol"): string {
  const parts = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay }).formatToParts(0)
  return parts.find(({ type }) => type === "currency")?.value ?? currency
}

/** Problems that do not depend on the positions of separators. */
function problemOfCharacters(text: string, quoted: string, field: NumberField): string | undefined {
  if (text === "") return `Enter a number. ${exampleFor(field)}`
  if (/^[-−]/.test(text)) return `${quoted} has a minus sign. Enter 0 or more.`
  if (text.startsWith("+")) return `${quoted} has a plus sign. Enter the number alone.`
  if (/^[\d., ']+e[-+]?\d+$/i.test(text)) {
    return `${quoted} is in scientific notation, where spreadsheets leave digits out. Write the number in full.`
  }
  if (/^0\d/.test(text)) return `${quoted} starts with a zero. Write the number without it.`
  if (/\p{Nd}/u.test(text.replace(/\d/g, ""))) return `${quoted} has digits other than 0 to 9. ${exampleFor(field)}`
  if (/[\p{Sc}%]/u.test(text)) return wrongSign(quoted, field)
  return undefined
}

function wrongSign(quoted: string, { currency }: NumberField): string {
  if (currency === undefined || currency === "") return `${quoted} has a symbol in it. Enter the number without it.`
  return `${quoted} does not match the currency ${currency}. Enter the number without the symbol.`
}

/** Every possible meaning as plain digits: with thousands separators first, then with a decimal mark. */
function readingsOf(text: string): string[] {
  const whole = wholeDigits(text)
  const all = [...(whole === undefined ? [] : [whole]), ...decimalReading(text, "."), ...decimalReading(text, ",")]
  return [...new Set(all)]
}

/** Digits, plain or in groups of three with one kind of separator. */
function wholeDigits(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text
  const [first = "", ...groups] = text.split(/[ ',.]/)
  const separators = new Set(text.replace(/\d/g, ""))
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
  return isGrouped && separators.size === 1 ? first + groups.join("") : undefined
}

function decimalReading(text: string, mark: DecimalMark): string[] {
  const [before = "", fraction = "", ...more] = text.split(mark)
  if (more.length > 0 || !/^\d+$/.test(fraction)) return []
  const whole = before === "" && mark === "." ? "0" : wholeDigits(before)
  if (whole === undefined) return []
  const digits = withoutEndZeros(fraction)
  return [digits === "" ? whole : `${whole}.${digits}`]
}

const waysToWrite = (...readings: readonly string[]): string =>
  `Write ${readings.map((digits) => writeNumber(Number(digits))).join(" or ")}.`

function notANumber(text: string, quoted: string, field: NumberField): string {
  if (/^\d[\d., ']*$/.test(text)) return `${quoted} has separators in odd places. Write the number without them.`
  return `${quoted} is not a number. ${exampleFor(field)}`
}

function withinField(digits: string, quoted: string, field: NumberField): TypedNumber {
  const { decimals, max, keepsEveryDigit } = field
  const places = (digits.split(".")[1] ?? "").length
  if (places > 0 && decimals === 0) return refuse(`${quoted} is not a whole number.`)
  if (places > decimals) return refuse(`${quoted} has more than ${decimals} decimal places.`)
  const value = Number(digits)
  if (value > max) return refuse(`${quoted} is more than ${max}, the largest number that fits here.`)
  const isExact = typeof exactNumber(digits) === "number"
  if (!isExact && keepsEveryDigit !== true) return refuse(`${quoted} has more digits than can be kept exactly.`)
  return { ok: true, value, digits }
}

const exampleFor = ({ decimals }: NumberField): string =>
  decimals === 0 ? "Write it in digits, such as 1000." : "Write it in digits, such as 1000 or 1000.50."

function plainDigits(value: number): string {
  const text = String(value)
  return text.includes("e") ? value.toLocaleString("en", { useGrouping: false, maximumSignificantDigits: 21 }) : text
}

const EXCERPT_CHARACTERS_MAX = 40

/** The input, short enough for a sentence and without control characters. */
function excerpt(typed: string): string {
  const text = typed.replace(/\p{C}/gu, "").trim()
  return text.length > EXCERPT_CHARACTERS_MAX ? `${text.slice(0, EXCERPT_CHARACTERS_MAX)}…` : text
}

/** A typed number as a program would send it. What cannot be read stays a text, which is then rejected; `numberProblem` says why. */
export function numberOrText(text: string, field: NumberField): unknown {
  const read = readNumber(text, field)
  return read.ok ? exactNumber(read.digits) : text
}

/** Why `numberOrText` left a text; undefined when it is a number or absent. */
export function numberProblem(value: unknown, field: NumberField): string | undefined {
  const read = typeof value === "string" ? readNumber(value, field) : undefined
  return read?.ok === false ? read.message : undefined
}
