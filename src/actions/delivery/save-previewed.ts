import {
  type DeliveryEffect,
  type DeliveryReason,
  judge,
  measuredAt,
  receiptAt,
} from "../../domain/delivery/delivery.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { type Context, writesOf } from "../context.ts"
import type { TakenReport } from "./preview-delivery.ts"
import { JUDGED_TIMES_MAX, type Reporter, TERMS_KEEP_CHANGING } from "./report-delivery.ts"

/** The outcome of a total: saved, rejected after all, or not saved because another total of its line came first. */
export type SaveOutcome = { readonly effect: DeliveryEffect } | { readonly reason: DeliveryReason } | "outdated"

/** Stores previewed totals in their order. Each is checked again, because a line may have been edited since the preview. */
export async function savePreviewed(
  context: Context,
  { organizationId, source }: Reporter,
  reports: readonly TakenReport[],
  receivedAt: Moment,
): Promise<SaveOutcome[]> {
  const packageIds = reports.map(({ line }) => line.packageId)
  for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
    const terms = await context.store.deliveries.linesSold(organizationId, packageIds)
    const receipt = receiptAt(receivedAt, terms.timeZone)
    const reasons = reports.map(({ item }, i) => judge(item, terms.found[i], receipt))
    const totals = reports.flatMap(({ item, total }, i) =>
      reasons[i] === undefined ? [{ ...total, asOf: measuredAt(item, receipt) }] : [],
    )
    const effects = await writesOf(context).deliveries.recordUnlessOutdated(
      totals,
      { receivedAt, source },
      terms.revision,
    )
    if (effects === null) continue
    let next = 0
    return reasons.map((reason) => {
      if (reason !== undefined) return { reason }
      const effect = effects[next++] ?? "outdated"
      return effect === "outdated" ? effect : { effect }
    })
  }
  throw new Error(TERMS_KEEP_CHANGING)
}
