import type { TSchema } from "@sinclair/typebox"
import type { ReportContext } from "../../actions/context.ts"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../../actions/delivery/record-affiliates.ts"
import { type Reporter, type ReportOptions, reportDelivery } from "../../actions/delivery/report-delivery.ts"
import { AffiliateMetricInput } from "../../domain/affiliate/affiliate-metric.ts"
import { AffiliateCodeInput, AffiliateReport } from "../../domain/affiliate/affiliate-report.ts"
import { DeliveryItemInput } from "../../domain/delivery/delivery.ts"
import { DeliveryReport } from "../../domain/delivery/delivery-result.ts"
import {
  AFFILIATE_CODES_FEED,
  AFFILIATE_METRICS_FEED,
  DELIVERY_FEED,
  type FeedAddress,
} from "../../domain/feed-addresses.ts"
import { type Batch, batchOf } from "../../domain/schema/batch.ts"

/** An ingest feed: its address, accepted shape and action. */
export interface Feed extends FeedAddress {
  readonly batch: Batch
  readonly answer: TSchema
  readonly run: (
    context: ReportContext,
    reporter: Reporter,
    rows: readonly unknown[],
    options: ReportOptions,
  ) => Promise<DeliveryReport | AffiliateReport>
}

const batch = ({ field, rows }: FeedAddress, row: TSchema) => batchOf(field, row, rows)

export const DELIVERY: Feed = {
  ...DELIVERY_FEED,
  batch: batch(DELIVERY_FEED, DeliveryItemInput),
  answer: DeliveryReport,
  run: reportDelivery,
}

export const AFFILIATE_CODES: Feed = {
  ...AFFILIATE_CODES_FEED,
  batch: batch(AFFILIATE_CODES_FEED, AffiliateCodeInput),
  answer: AffiliateReport,
  run: recordAffiliateCodes,
}

export const AFFILIATE_METRICS: Feed = {
  ...AFFILIATE_METRICS_FEED,
  batch: batch(AFFILIATE_METRICS_FEED, AffiliateMetricInput),
  answer: AffiliateReport,
  run: recordAffiliateMetrics,
}

export const FEEDS = [DELIVERY, AFFILIATE_CODES, AFFILIATE_METRICS] as const
