import { type Static, type StringOptions, Type } from "@sinclair/typebox"
import { PackageId, readPackageId } from "../campaign/package-line.ts"
import { AFFILIATE_CODE_CHARACTERS_MAX, AFFILIATE_SLUG_CHARACTERS_MAX } from "../limits.ts"
import { isObject } from "../schema/batch.ts"
import { DryRun, literals, object } from "../schema/schema-helpers.ts"

export const ROW_REASONS = ["invalid_row", "not_seller", "date_in_future", "internal_error"] as const
export type RowReason = (typeof ROW_REASONS)[number]

export const RowError = Type.Object({
  index: Type.Integer({ minimum: 0, description: "Zero-based position of the row in the request." }),
  status: literals([400, 500], "400 for a row that is refused, 500 for a failure on our side."),
  reason: literals(ROW_REASONS),
  message: Type.String({ description: "What to do about it." }),
})
export type RowError = Static<typeof RowError>

export const AffiliateReport = object({
  ok: Type.Boolean({ description: "Whether every row was written." }),
  upserted: Type.Integer({ minimum: 0, description: "Number of rows written." }),
  errors: Type.Array(RowError, { description: "One entry per row that was not written, in request order." }),
  "dry_run?": DryRun,
})
export type AffiliateReport = Static<typeof AffiliateReport>

/** Why a row is not written, before its place in the request is added. */
export type Refusal = Readonly<{ reason: RowReason; message: string }>

export const isAccepted = <Row extends object>(row: Row | Refusal): row is Row => !("reason" in row)

export const invalidRow = (message: string): Refusal => ({ reason: "invalid_row", message })

export const INTERNAL_ERROR: Refusal = {
  reason: "internal_error",
  message: "This row could not be stored. Send it again later.",
}

export function rowError(index: number, { reason, message }: Refusal): RowError {
  return { index, status: reason === "internal_error" ? 500 : 400, reason, message }
}

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f"
// Lone surrogates cannot be stored as UTF-8: two different texts would become the same one. Pairs are spelled out for validators that
// match patterns by 16-bit units.
const PAIR = "[\\ud800-\\udbff][\\udc00-\\udfff]"
const INNER = `(?:[^${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const OUTER = `(?:[^\\s${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const TIDY = `^${OUTER}(?:${INNER}*${OUTER})?$`

/** The schema that matches `isTidy`. */
export const tidyText = (maxLength: number, options: Pick<StringOptions, "title" | "description" | "examples">) =>
  Type.String({ minLength: 1, maxLength, pattern: TIDY, ...options })

const TIDY_TEXT = new RegExp(TIDY)

/** Whether a text has 1 to `most` characters, no control characters, and no white space at either end. */
function isTidy(text: string, most: number): boolean {
  if (text.length > most * 2 || (text.length > most && [...text].length > most)) return false
  return TIDY_TEXT.test(text)
}

/** An affiliate code row as it is sent. Unknown fields are ignored. */
export const AffiliateCodeInput = object({
  packageId: PackageId,
  code: tidyText(AFFILIATE_CODE_CHARACTERS_MAX, {
    description: "The code, unique within your organization and compared exactly.",
    examples: ["AUTUMN10"],
  }),
  "slug?": tidyText(AFFILIATE_SLUG_CHARACTERS_MAX, {
    description: "A readable name for links. Left out, the stored one stays.",
    examples: ["autumn-10"],
  }),
})

/** A parsed affiliate code row. Without a slug, the stored one stays. */
export type AffiliateCode = Readonly<{ packageId: PackageId; code: string; slug: string | undefined }>

export function readCodeRow(value: unknown): AffiliateCode | Refusal {
  if (!isObject(value)) return invalidRow("A row must be an object.")
  const packageId = readPackageId(value["packageId"])
  if (packageId === undefined) return invalidRow("packageId must be a UUID.")
  const code = value["code"]
  if (!isAffiliateCode(code)) return invalidRow(CODE_RULE)
  const slug = value["slug"]
  if (slug === undefined) return { packageId, code, slug }
  if (typeof slug === "string" && isTidy(slug, AFFILIATE_SLUG_CHARACTERS_MAX)) return { packageId, code, slug }
  return invalidRow(SLUG_RULE)
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  packageId: "The line ID",
  code: "The code",
  slug: "The name for links",
  date: "The day",
  clicks: "Clicks",
  conversions: "Conversions",
  conversionValue: "The value",
}

/** Why a row was refused, for people: without the names that only programs use. */
export function refusalInWords(message: string): string {
  if (message.startsWith("packageId is not")) return "None of your lines has this line ID."
  if (message.startsWith("code is not")) return "None of your lines has this code."
  const text = message.replace(/^\w+(?= must)/, (field) => FIELD_NAMES[field] ?? field)
  return text
    .replace("a string of 1 to", "1 to")
    .replace(
      "characters, without control characters and without white space at either end",
      "characters long, without spaces at the ends",
    )
    .replace("a UUID", "as on the line’s page")
    .replace("written YYYY-MM-DD", "such as 14 Nov 2026")
}

export const isAffiliateCode = (value: unknown): value is string =>
  typeof value === "string" && isTidy(value, AFFILIATE_CODE_CHARACTERS_MAX)

const tidyRule = (field: string, most: number) =>
  `${field} must be a string of 1 to ${most} characters, without control characters and without white space at either end.`

export const CODE_RULE = tidyRule("code", AFFILIATE_CODE_CHARACTERS_MAX)
const SLUG_RULE = tidyRule("slug", AFFILIATE_SLUG_CHARACTERS_MAX)
