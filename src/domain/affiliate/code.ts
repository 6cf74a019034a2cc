import { Type } from "@sinclair/typebox"
import { type PackageId, readPackageId } from "../campaign/line.ts"
import { PackageIdSchema } from "../delivery/sent-item.ts"
import { showsKey } from "../keys/api-key.ts"
import { isTidy, TIDY_PATTERN } from "../text.ts"
import { invalidRow, type RowRejection } from "./report.ts"

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
