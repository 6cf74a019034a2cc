import { Type } from "@sinclair/typebox"
import {
  AFFILIATE_CODE_CHARACTERS_MAX,
  CONVERSION_VALUE_DECIMALS_MAX,
  CONVERSION_VALUE_MAX,
  WHOLE_NUMBER_MAX,
} from "../limits.ts"
import { isObject } from "../schema/batch.ts"
import { DecimalLiteral, decimalOf, withoutEndZeros } from "../schema/json.ts"
import { object } from "../schema/schema-helpers.ts"
import { DAY_PATTERN, parseDate } from "../time/moment.ts"
import { CODE_RULE, invalidRow, isAffiliateCode, type Refusal, tidyText } from "./affiliate-report.ts"

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: WHOLE_NUMBER_MAX, description, examples: [120] })

/** An affiliate metric row as it is sent. Unknown fields are ignored. At least one figure is needed. */
export const AffiliateMetricInput = object(
  {
    code: tidyText(AFFILIATE_CODE_CHARACTERS_MAX, {
      description: "A code of a package that your organization sells.",
      examples: ["AUTUMN10"],
    }),
    date: Type.String({
      pattern: DAY_PATTERN,
      description: "The day of the figures, YYYY-MM-DD; not later than today in your organization's time zone.",
      examples: ["2026-11-14"],
    }),
    "clicks?": count("Clicks on that day. Left out, the stored figure stays."),
    "conversions?": count("Conversions on that day. Left out, the stored figure stays."),
    "conversionValue?": Type.Number({
      minimum: 0,
      maximum: CONVERSION_VALUE_MAX,
      description: "Value of that day's conversions, with at most 6 decimal places, kept exactly.",
      examples: [199.95],
    }),
  },
  { anyOf: [{ required: ["clicks"] }, { required: ["conversions"] }, { required: ["conversionValue"] }] },
)

/** A parsed affiliate metric row. Without a figure, the stored one stays. */
export type AffiliateMetric = Exclude<ReturnType<typeof readMetricRow>, Refusal>

export function readMetricRow(value: unknown) {
  if (!isObject(value)) return invalidRow("A row must be an object.")
  const { code, date, clicks, conversions, conversionValue } = value as MetricFields
  if (!isAffiliateCode(code)) return invalidRow(CODE_RULE)
  const day = typeof date === "string" ? parseDate(date) : undefined
  if (day === undefined) return invalidRow("date must be a day that exists, written YYYY-MM-DD.")
  if (!isCountOrAbsent(clicks)) return invalidRow(countRule("clicks"))
  if (!isCountOrAbsent(conversions)) return invalidRow(countRule("conversions"))
  const micros = conversionValue === undefined ? undefined : microsOf(conversionValue)
  if (conversionValue !== undefined && micros === undefined) return invalidRow(VALUE_RULE)
  if (clicks === undefined && conversions === undefined && micros === undefined) {
    return invalidRow("A row needs at least one of clicks, conversions and conversionValue.")
  }
  // In millionths, so that sums are exact.
  return { code, date: day, clicks, conversions, conversionValueMicros: micros }
}

type MetricFields = { readonly [Name in keyof typeof AffiliateMetricInput.properties]?: unknown }

const countRule = (field: string) => `${field} must be a whole number from 0 to ${WHOLE_NUMBER_MAX}.`
const VALUE_RULE = `conversionValue must be a number from 0 to ${CONVERSION_VALUE_MAX} with at most ${CONVERSION_VALUE_DECIMALS_MAX} decimal places.`

const isCountOrAbsent = (value: unknown): value is number | undefined =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)

const MICROS = 10 ** CONVERSION_VALUE_DECIMALS_MAX
// Below this, a number times a million is off by less than a half, so rounding gives the exact millionth.
const PLAIN_ARITHMETIC_BELOW = 2 ** 32

/** A value from `parseJson` in exact millionths, or undefined when it is out of range or has too many decimals. */
export function microsOf(value: unknown): number | undefined {
  if (typeof value === "number" && value >= 0 && value < PLAIN_ARITHMETIC_BELOW) {
    const micros = Math.round(value * MICROS)
    return micros / MICROS === value ? micros + 0 : undefined
  }
  if (typeof value === "number") return Number.isFinite(value) ? microsOfText(String(value)) : undefined
  return value instanceof DecimalLiteral ? microsOfText(value.text) : undefined
}

function microsOfText(text: string): number | undefined {
  const { negative, digits, point } = decimalOf(text)
  const places = point + CONVERSION_VALUE_DECIMALS_MAX
  if (negative || digits.length > places || places > 16) return undefined
  const micros = Number(digits.padEnd(places, "0"))
  return micros <= CONVERSION_VALUE_MAX * MICROS ? micros : undefined
}

/** Millionths as a plain decimal without trailing zeros. */
export function formatMicros(micros: bigint | number): string {
  const digits = String(micros).padStart(CONVERSION_VALUE_DECIMALS_MAX + 1, "0")
  const fraction = withoutEndZeros(digits.slice(-CONVERSION_VALUE_DECIMALS_MAX))
  const whole = digits.slice(0, -CONVERSION_VALUE_DECIMALS_MAX)
  return fraction === "" ? whole : `${whole}.${fraction}`
}
