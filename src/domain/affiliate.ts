import { type Static, Type } from "@sinclair/typebox"
import { showsKey } from "./api-key.ts"
import { type PackageId, PackageIdSchema, readPackageId } from "./campaign/line.ts"
import { isObject } from "./schema/explain.ts"
import { isTidy, TIDY_PATTERN } from "./text.ts"
import { type CalendarDate, isDate } from "./time/moment.ts"

/** Why a row isn't written. */
const ROW_REASONS = ["invalid_row", "not_seller", "date_in_future", "internal_error"] as const
type RowReason = (typeof ROW_REASONS)[number]

export interface RowRejection {
  readonly reason: RowReason
  readonly message: string
}

const RowErrorSchema = Type.Object({
  index: Type.Integer({ description: "Zero-based position of the row in the request." }),
  status: Type.Unsafe<400 | 500>({
    type: "integer",
    enum: [400, 500],
    description: "400 for a row that is rejected, 500 for a failure on our side.",
  }),
  reason: Type.Unsafe<RowReason>({ type: "string", enum: ROW_REASONS, description: "Why the row wasn't written." }),
  message: Type.String({ description: "The field and the problem, for people." }),
})

/** The answer of both affiliate feeds. */
export const AffiliateReportSchema = Type.Object({
  ok: Type.Boolean({ description: "Whether every row was written." }),
  upserted: Type.Integer({ description: "Number of rows written." }),
  errors: Type.Array(RowErrorSchema, { description: "One entry for each row that wasn't written, in request order." }),
  dry_run: Type.Optional(Type.Literal(true, { description: "Present if nothing was stored." })),
})
export type AffiliateReport = Static<typeof AffiliateReportSchema>

export const isAccepted = <Row extends object>(row: Row | RowRejection): row is Row => !("reason" in row)

export const invalidRow = (message: string): RowRejection => ({ reason: "invalid_row", message })

export const NOT_YOUR_PACKAGE: RowRejection = {
  reason: "not_seller",
  message: "packageId isn't a package that your organization sells.",
}

export const NOT_YOUR_CODE: RowRejection = {
  reason: "not_seller",
  message: "code isn't a code of a package that your organization sells.",
}

export const DATE_IN_FUTURE: RowRejection = {
  reason: "date_in_future",
  message: "date is later than today in your organization's time zone.",
}

export const ROW_NOT_STORED: RowRejection = {
  reason: "internal_error",
  message: "The row could not be stored because of an error on our side. Send it again later.",
}

/** The answer to the rows of a request. Null stands for a row that was written. */
export function affiliateReport(
  outcomes: readonly (RowRejection | null)[],
  { isDryRun }: { readonly isDryRun: boolean },
): AffiliateReport {
  const errors = outcomes.flatMap((outcome, index) => {
    if (outcome === null) return []
    const status = outcome.reason === "internal_error" ? 500 : 400
    return [{ index, status, reason: outcome.reason, message: outcome.message } as const]
  })
  const report = { ok: errors.length === 0, upserted: outcomes.length - errors.length, errors }
  return isDryRun ? { ...report, dry_run: true } : report
}

export const CODE_CHARACTERS_MAX = 128
export const SLUG_CHARACTERS_MAX = 256

/** A code that leads to a line. */
export interface AffiliateCode {
  readonly packageId: PackageId
  /** Unique within the selling organization, and compared exactly. */
  readonly code: string
  /** A readable name for links. Without one, the stored one stays. */
  readonly slug: string | undefined
}

const CodeSchema = Type.String({
  minLength: 1,
  maxLength: CODE_CHARACTERS_MAX,
  pattern: TIDY_PATTERN,
  description: "The code. It's unique within your organization and compared exactly.",
  examples: ["AUTUMN10"],
})

/** A code row as OpenAPI publishes it. `readCodeRow` enforces the same rules. */
export const SentCodeSchema = Type.Object({
  packageId: PackageIdSchema,
  code: CodeSchema,
  slug: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: SLUG_CHARACTERS_MAX,
      pattern: TIDY_PATTERN,
      description: "A readable name for links. If it's left out, the stored one stays.",
      examples: ["autumn-10"],
    }),
  ),
})

/** Reads one row of a request. */
export function readCodeRow(sent: unknown): AffiliateCode | RowRejection {
  if (!isObject(sent)) return invalidRow("A row must be an object.")
  const { packageId: id, code, slug } = sent
  const packageId = readPackageId(id)
  if (packageId === null) return invalidRow("packageId must be a UUID.")
  if (!isText(code, CODE_CHARACTERS_MAX)) return invalidRow(textRule("code", CODE_CHARACTERS_MAX))
  if (slug !== undefined && !isText(slug, SLUG_CHARACTERS_MAX)) return invalidRow(textRule("slug", SLUG_CHARACTERS_MAX))
  return showsKey(`${code}${slug ?? ""}`) ? HOLDS_KEY : { packageId, code, slug }
}

const isText = (value: unknown, most: number): value is string => typeof value === "string" && isTidy(value, most)

// A masked code would be another code.
const HOLDS_KEY = invalidRow("code and slug must not contain an API key.")

const textRule = (field: string, most: number): string =>
  `${field} must be a string of 1 to ${most} characters, without control characters and without white space at either end.`

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

/** Reads one row of a request. A `Decimal` has digits that a number can't hold. */
export function readMetricRow(sent: unknown): AffiliateMetric | RowRejection {
  if (!isObject(sent)) return invalidRow("A row must be an object.")
  const { code, date, clicks, conversions, conversionValue: value } = sent
  if (!isText(code, CODE_CHARACTERS_MAX)) return invalidRow(textRule("code", CODE_CHARACTERS_MAX))
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

/** The value in millionths. Null if it's out of range or has too many decimal places. */
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
