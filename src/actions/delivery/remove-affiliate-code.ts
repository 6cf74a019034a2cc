import type { Change } from "../../domain/people/audit.ts"
import type { RemoveOutcome } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { and, eq, exec, first, type Step, type Tx } from "../../storage/steps/step.ts"
import { verbOf } from "../context.ts"

/** Deletes a code that the organization made and that has no figures. */
export const removeAffiliateCode = verbOf(deleteCode)

function* deleteCode(tx: Tx, organizationId: number, codeId: number, by: Change): Step<RemoveOutcome> {
  const { db, affiliateCode, affiliateMetric, affiliatePlacement } = tx
  const own = and(eq(affiliateCode.id, codeId), eq(affiliateCode.organizationId, organizationId))
  const row = yield* first(db.select({ code: affiliateCode.code }).from(affiliateCode).where(own))
  if (row === undefined) return "not found"
  const ofCode = eq(affiliateMetric.codeId, codeId)
  const day = yield* first(db.select({ date: affiliateMetric.date }).from(affiliateMetric).where(ofCode).limit(1))
  if (day !== undefined) return "has figures"
  yield* exec(db.delete(affiliatePlacement).where(eq(affiliatePlacement.codeId, codeId)))
  yield* exec(db.delete(affiliateCode).where(own))
  yield* audit(tx, by, { action: "remove affiliate_code", subject: row.code, organizationId })
  return "done"
}
