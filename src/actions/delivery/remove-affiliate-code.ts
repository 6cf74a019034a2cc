import type { Organization } from "../../domain/people/organization.ts"
import type { RemoveOutcome } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { and, eq, exec, first, type Step } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"

/** Deletes a code that the organization made and that has no figures. */
export function removeAffiliateCode(
  context: Context,
  { id: organizationId }: Pick<Organization, "id">,
  codeId: number,
  actor: string,
): Promise<RemoveOutcome> {
  const by = { actor, at: context.clock() }
  return transact(context, function* (tx): Step<RemoveOutcome> {
    const { db, affiliateCode, affiliateMetric, affiliatePlacement } = tx
    const own = and(eq(affiliateCode.id, codeId), eq(affiliateCode.organizationId, organizationId))
    const found = yield* first(db.select({ code: affiliateCode.code }).from(affiliateCode).where(own))
    if (found === undefined) return "not found"
    const ofCode = eq(affiliateMetric.codeId, codeId)
    const day = yield* first(db.select({ date: affiliateMetric.date }).from(affiliateMetric).where(ofCode).limit(1))
    if (day !== undefined) return "has figures"
    yield* exec(db.delete(affiliatePlacement).where(eq(affiliatePlacement.codeId, codeId)))
    yield* exec(db.delete(affiliateCode).where(own))
    yield* audit(tx, by, { action: "remove affiliate_code", subject: found.code, organizationId })
    return "done"
  })
}
