import { Type } from "@sinclair/typebox"
import { type CalendarDate, isDate } from "../time/moment.ts"
import { CODE_CHARACTERS_MAX, CodeSchema, codeRule, invalidRow, isCode, type RowRejection } from "./code.ts"

const MICROS_DIGITS = 6

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

const COUNT_MAX = Number.MAX_SAFE_INTEGER
const VALUE_MAX = 9_000_000_000

/** The figures of a code on one day. An undefined figure keeps its stored value. */
export interface AffiliateMetric {
  readonly code: string
  readonly date: CalendarDate
  readonly clicks: number | undefined
  readonly conversions: number | undefined
  /** In millionths of the currency unit, so that sums are exact. */
  readonly valueMicros: number | undefined
}

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: COUNT_MAX, description }))

/** A metric row as OpenAPI publishes it. `readMetricRow` enforces the same rules. */
export const SentMetricSchema = Type.Object(
  {
    code: CodeSchema,
    date: Type.String({
      pattern: "^\\d{4}-\\d\\d-\\d\\d$",
      description: "The day of the figures. It can't be later than today in your organization's time zone.",
      examples: ["2026-11-14"],
    }),
    clicks: count("Clicks on that day. If they are left out, the stored figure stays."),
    conversions: count("Conversions on that day. If they are left out, the stored figure stays."),
    conversionValue: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: VALUE_MAX,
        description: `Value of that day's conversions, with at most ${MICROS_DIGITS} decimal places. It's stored exactly.`,
        examples: [199.95],
      }),
    ),
  },
  { anyOf: [{ required: ["clicks"] }, { required: ["conversions"] }, { required: ["conversionValue"] }] },
)

type UncheckedMetric = { readonly [Name in "code" | "date" | "clicks" | "conversions" | "conversionValue"]?: unknown }

/** Reads one row of a request. A `Decimal` has digits that a number can't hold. */
export function readMetricRow(sent: unknown): AffiliateMetric | RowRejection {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return invalidRow("A row must be an object.")
  const { code, date, clicks, conversions, conversionValue: value }: UncheckedMetric = sent
  if (!isCode(code)) return invalidRow(codeRule("code", CODE_CHARACTERS_MAX))
  if (typeof date !== "string" || !isDate(date))
    return invalidRow("date must be a day that exists, such as 2026-11-14.")
  if (!isCountOrAbsent(clicks)) return invalidRow(countRule("clicks"))
  if (!isCountOrAbsent(conversions)) return invalidRow(countRule("conversions"))
  const valueMicros = value === undefined ? undefined : readValue(value)
  if (valueMicros === null) return invalidRow(VALUE_RULE)
  if (clicks === undefined && conversions === undefined && valueMicros === undefined)
    return invalidRow("A row needs at least one of clicks, conversions and conversionValue.")
  return { code, date, clicks, conversions, valueMicros }
}

const VALUE_RULE = `conversionValue must be a number from 0 to ${VALUE_MAX} with at most ${MICROS_DIGITS} decimal places.`

const countRule = (field: string) => `${field} must be a whole number from 0 to ${COUNT_MAX}.`

const isCountOrAbsent = (value: unknown): value is number | undefined =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)

/** Millionths, or null if it's out of range or has too many decimal places. */
function readValue(value: unknown): number | null {
  if (typeof value !== "number" && !(value instanceof Decimal)) return null
  const micros = microsOf(String(value))
  return micros === null || micros > VALUE_MAX * 10 ** MICROS_DIGITS ? null : micros
}

/** Clicks, conversions and their value in millionths, summed exactly. Null if none was ever reported. */
export interface Figures {
  readonly clicks: bigint | null
  readonly conversions: bigint | null
  readonly valueMicros: bigint | null
}

export const NO_FIGURES: Figures = { clicks: null, conversions: null, valueMicros: null }

export const addFigures = (a: Figures, b: Figures): Figures => ({
  clicks: add(a.clicks, b.clicks),
  conversions: add(a.conversions, b.conversions),
  valueMicros: add(a.valueMicros, b.valueMicros),
})

export const sumFigures = (all: readonly Figures[]): Figures => all.reduce(addFigures, NO_FIGURES)

const add = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : a + (b ?? 0n))
