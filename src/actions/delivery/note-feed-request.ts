import { ACTIVITY_MICROS, type FeedRequest } from "../../domain/activity/feed-request.ts"
import type { AffiliateReport } from "../../domain/affiliate/affiliate-report.ts"
import type { DeliveryReport } from "../../domain/delivery/delivery-result.ts"
import type { Failure } from "../../domain/failure.ts"
import { type Context, writesOf } from "../context.ts"
import type { Reporter } from "./report-delivery.ts"

type Noting = Pick<Context, "store" | "clock">

/** Counts a request whose items were checked, and keeps some of those that were rejected, for the seller to look at. */
export function noteReport(
  context: Noting,
  reporter: Reporter,
  feed: string,
  items: readonly unknown[],
  report: DeliveryReport | AffiliateReport,
): void {
  const { organizationId, source } = reporter
  writesOf(context).feedActivity.note({
    organizationId,
    keyId: source.reference,
    at: context.clock(),
    feed,
    outcome: report.dry_run ? "dry_run" : "answered",
    accepted: "errors" in report ? report.upserted : report.accepted,
    rejected: rejectionsIn(report),
    items,
  })
}

type Sender = Pick<FeedRequest, "organizationId" | "keyId">

/** Counts a whole file. Why its rows were rejected is in its own report. */
export const noteFile = (context: Noting, sender: Sender, accepted: number): void =>
  note(context, { ...sender, feed: "files", outcome: "answered", accepted })

/** Counts a request that was refused as a whole. */
export const noteFailure = (context: Noting, { organizationId, source }: Reporter, feed: string, { code }: Failure) =>
  note(context, { organizationId, keyId: source.reference, feed, outcome: code, accepted: 0 })

const NOTHING: readonly never[] = []

function note(context: Noting, request: Omit<FeedRequest, "at" | "items" | "rejected">): void {
  writesOf(context).feedActivity.note({ ...request, at: context.clock(), items: NOTHING, rejected: NOTHING })
}

function rejectionsIn(report: DeliveryReport | AffiliateReport): FeedRequest["rejected"] {
  if ("errors" in report) return report.errors
  // Most requests have no rejected items, and none of theirs has to be looked at.
  if (report.rejected === 0) return NOTHING
  return report.results.flatMap(({ index, reason, message }) =>
    reason === undefined ? [] : [{ index, reason, message: message ?? "" }],
  )
}

/** Removes counts of feeds and rejected items that are too old, a part at a time. */
export async function pruneActivity(context: Noting, stopped?: AbortSignal): Promise<void> {
  const { feedActivity } = writesOf(context)
  const before = context.clock() - ACTIVITY_MICROS
  while (!stopped?.aborted && (await feedActivity.prune(before)) > 0);
}
