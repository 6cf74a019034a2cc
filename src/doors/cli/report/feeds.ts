import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { AFFILIATE_CODES_CSV, AFFILIATE_METRICS_CSV, type CsvKind, DELIVERY_CSV } from "../../../domain/csv/csv-rows.ts"
import {
  AFFILIATE_CODES_FEED,
  AFFILIATE_METRICS_FEED,
  DELIVERY_FEED,
  type FeedAddress,
} from "../../../domain/feed-addresses.ts"

/** The outcome of one row: rejected with a reason, or accepted. */
export interface RowOutcome {
  readonly reason?: string
  readonly message?: string
  readonly effect?: string
}

export interface SentFeed extends FeedAddress {
  readonly csv: CsvKind
  /** The column whose values must be unique within a request. */
  readonly uniqueColumn: string | null
  /** The outcome of each row; null when the response is not ours. */
  readonly outcomes: (answer: unknown, count: number) => readonly RowOutcome[] | null
}

const DeliveryAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      reason: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
      effect: Type.Optional(Type.String()),
    }),
  ),
})

const AffiliateAnswer = Type.Object({
  upserted: Type.Integer(),
  errors: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String(), message: Type.String() })),
})

function deliveryOutcomes(answer: unknown, count: number): readonly RowOutcome[] | null {
  return Value.Check(DeliveryAnswer, answer) && answer.results.length === count ? answer.results : null
}

function affiliateOutcomes(answer: unknown, count: number): readonly RowOutcome[] | null {
  if (!Value.Check(AffiliateAnswer, answer)) return null
  const errors = new Map(answer.errors.map(({ index, ...error }) => [index, error]))
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
