import type { AffiliateReport } from "../../../domain/affiliate.ts"
import { AFFILIATE_CODES_CSV, AFFILIATE_METRICS_CSV, type CsvKind, DELIVERY_CSV } from "../../../domain/csv-rows.ts"
import type { DeliveryReport } from "../../../domain/delivery-result.ts"
import { AFFILIATE_CODES_FEED, AFFILIATE_METRICS_FEED, DELIVERY_FEED, type FeedAddress } from "../../../domain/feed.ts"

/** What became of one row: refused with a reason, or taken. */
export interface RowOutcome {
  readonly reason?: string
  readonly message?: string
  readonly effect?: string
}

/** A feed as the command sends it. */
export interface SentFeed extends FeedAddress {
  readonly csv: CsvKind
  /** What may stand in one request only once. */
  readonly uniqueColumn: string | null
  readonly outcomes: (answer: unknown, count: number) => readonly RowOutcome[]
}

function deliveryOutcomes(answer: unknown): readonly RowOutcome[] {
  return (answer as DeliveryReport).results.map(({ reason, message, effect }) => ({
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(effect !== undefined && { effect }),
  }))
}

function affiliateOutcomes(answer: unknown, count: number): readonly RowOutcome[] {
  const errors = new Map((answer as AffiliateReport).errors.map(({ index, ...error }) => [index, error]))
  return Array.from({ length: count }, (_, index) => errors.get(index) ?? {})
}

export const DELIVERY: SentFeed = {
  ...DELIVERY_FEED,
  csv: DELIVERY_CSV,
  uniqueColumn: "package_id",
  outcomes: deliveryOutcomes,
}

const affiliate = { uniqueColumn: null, outcomes: affiliateOutcomes }

export const CODES: SentFeed = { ...AFFILIATE_CODES_FEED, ...affiliate, csv: AFFILIATE_CODES_CSV }
export const METRICS: SentFeed = { ...AFFILIATE_METRICS_FEED, ...affiliate, csv: AFFILIATE_METRICS_CSV }
