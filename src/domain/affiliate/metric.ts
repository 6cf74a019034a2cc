import { Type } from "@sinclair/typebox"
import { type CalendarDate, isDate } from "../time/moment.ts"
import { CODE_CHARACTERS_MAX, CodeSchema, codeRule, isCode } from "./code.ts"
import { Decimal, MICROS_DIGITS, microsOf } from "./micros.ts"
import { invalidRow, type RowRejection } from "./report.ts"

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
