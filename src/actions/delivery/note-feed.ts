import type { AffiliateReport } from "../../domain/affiliate/report.ts"
import type { DeliveryReport } from "../../domain/delivery/report.ts"
import { noteFeedRequest } from "../../storage/operations/feed-activity.ts"
import type { Context } from "../context.ts"
import type { KeyReporter } from "../keys.ts"

/** Counts a request whose items were judged, and keeps some of the rejected ones for the seller. */
export function noteAnswer(
  { database, clock }: Context,
  { sellerId, keyId }: KeyReporter,
  feed: string,
  { items, report }: { readonly items: readonly unknown[]; readonly report: DeliveryReport | AffiliateReport },
): void {
  const rejected = rejectionsIn(report)
  noteFeedRequest(database.later, {
    organizationId: sellerId,
    apiKeyId: keyId,
    at: clock(),
    feed,
    outcome: report.dry_run ? "dry_run" : "answered",
    accepted: items.length - rejected.length,
    rejected,
    items,
  })
}

/** Counts a request that was refused as a whole. */
export function noteRefusal(
  { database, clock }: Context,
  { sellerId, keyId }: KeyReporter,
  feed: string,
  code: string,
): void {
  const nothing = { accepted: 0, rejected: [], items: [] }
  const key = { organizationId: sellerId, apiKeyId: keyId }
  noteFeedRequest(database.later, { ...key, at: clock(), feed, outcome: code, ...nothing })
}

function rejectionsIn(report: DeliveryReport | AffiliateReport) {
  if ("errors" in report) return report.errors
  // Most requests have no rejected items, and needn't be looked through.
  return report.rejected === 0 ? [] : report.results.filter((result) => result.status === "rejected")
}
