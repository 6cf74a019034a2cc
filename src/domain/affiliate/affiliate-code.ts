import { Type } from "@sinclair/typebox"
import { PackageId, readPackageId } from "../campaign/package-line.ts"
import { AFFILIATE_CODE_CHARACTERS_MAX, AFFILIATE_SLUG_CHARACTERS_MAX } from "../limits.ts"
import { isObject } from "../schema/batch.ts"
import { invalidRow, type Refusal } from "./affiliate-report.ts"
import { isTidy, tidyText } from "./tidy-text.ts"

/** An affiliate code row as it is sent. Unknown fields are ignored. */
export const AffiliateCodeInput = Type.Object({
  packageId: PackageId,
  code: tidyText(AFFILIATE_CODE_CHARACTERS_MAX, {
    description: "The code, unique within your organization and compared exactly.",
    examples: ["AUTUMN10"],
  }),
  slug: Type.Optional(
    tidyText(AFFILIATE_SLUG_CHARACTERS_MAX, {
      description: "A readable name for links. Left out, the stored one stays.",
      examples: ["autumn-10"],
    }),
  ),
})

/** A parsed affiliate code row. Without a slug, the stored one stays. */
export interface AffiliateCode {
  readonly packageId: PackageId
  readonly code: string
  readonly slug: string | undefined
}

/** The parsed row, or why it was refused. */
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

export function isAffiliateCode(value: unknown): value is string {
  return typeof value === "string" && isTidy(value, AFFILIATE_CODE_CHARACTERS_MAX)
}

const tidyRule = (field: string, most: number) =>
  `${field} must be a string of 1 to ${most} characters, without control characters and without white space at either end.`

export const CODE_RULE = tidyRule("code", AFFILIATE_CODE_CHARACTERS_MAX)
const SLUG_RULE = tidyRule("slug", AFFILIATE_SLUG_CHARACTERS_MAX)
