import { type Static, Type } from "@sinclair/typebox"
import { showsKey } from "../api-key.ts"
import { type PackageId, readPackageId } from "../campaign/line.ts"
import { PackageIdSchema } from "../delivery/item.ts"
import { isTidy, TIDY_PATTERN } from "../text.ts"

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

export const CodeSchema = Type.String({
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

type UncheckedCode = { readonly [Name in keyof AffiliateCode]?: unknown }

/** Reads one row of a request. */
export function readCodeRow(sent: unknown): AffiliateCode | RowRejection {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return invalidRow("A row must be an object.")
  const row: UncheckedCode = sent
  const packageId = readPackageId(row.packageId)
  if (packageId === null) return invalidRow("packageId must be a UUID.")
  const { code, slug } = row
  if (!isCode(code)) return invalidRow(codeRule("code", CODE_CHARACTERS_MAX))
  if (slug === undefined) return showsKey(code) ? HOLDS_KEY : { packageId, code, slug }
  if (typeof slug !== "string" || !isTidy(slug, SLUG_CHARACTERS_MAX))
    return invalidRow(codeRule("slug", SLUG_CHARACTERS_MAX))
  return showsKey(code + slug) ? HOLDS_KEY : { packageId, code, slug }
}

export const isCode = (value: unknown): value is string =>
  typeof value === "string" && isTidy(value, CODE_CHARACTERS_MAX)

// A masked code would be another code.
const HOLDS_KEY = invalidRow("code and slug must not contain an API key.")

export const codeRule = (field: string, most: number): string =>
  `${field} must be a string of 1 to ${most} characters, without control characters and without white space at either end.`
