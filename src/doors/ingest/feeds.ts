import type { TSchema } from "@sinclair/typebox"
import type { ReportContext } from "../../actions/context.ts"
import { recordAffiliateCodes } from "../../actions/record-affiliate-codes.ts"
import { recordAffiliateMetrics } from "../../actions/record-affiliate-metrics.ts"
import { type Reporter, type ReportOptions, reportDelivery } from "../../actions/report-delivery.ts"
import { AffiliateReport } from "../../domain/affiliate.ts"
import { AffiliateCodeInput } from "../../domain/affiliate-code.ts"
import { AffiliateMetricInput } from "../../domain/affiliate-metric.ts"
import { type Batch, batchOf } from "../../domain/batch.ts"
import { DeliveryItemInput } from "../../domain/delivery.ts"
import { DeliveryReport } from "../../domain/delivery-result.ts"
import { AFFILIATE_ROWS_MAX, DELIVERY_ITEMS_MAX, DELIVERY_ITEMS_MIN } from "../../domain/limits.ts"

/** One of the three ways in for figures: an address, what it takes, and the action that does the work. */
export interface Feed {
  readonly name: string
  readonly path: string
  readonly batch: Batch
  readonly answer: TSchema
  readonly run: (
    context: ReportContext,
    reporter: Reporter,
    rows: readonly unknown[],
    options: ReportOptions,
  ) => Promise<DeliveryReport | AffiliateReport>
}

const affiliateRows = { min: 0, max: AFFILIATE_ROWS_MAX }

export const DELIVERY: Feed = {
  name: "delivery",
  path: "/api/ingest/delivery/metrics",
  batch: batchOf("items", DeliveryItemInput, { min: DELIVERY_ITEMS_MIN, max: DELIVERY_ITEMS_MAX }),
  answer: DeliveryReport,
  run: reportDelivery,
}

export const AFFILIATE_CODES: Feed = {
  name: "affiliate-codes",
  path: "/api/ingest/affiliate/codes",
  batch: batchOf("codes", AffiliateCodeInput, affiliateRows),
  answer: AffiliateReport,
  run: recordAffiliateCodes,
}

export const AFFILIATE_METRICS: Feed = {
  name: "affiliate-metrics",
  path: "/api/ingest/affiliate/metrics",
  batch: batchOf("metrics", AffiliateMetricInput, affiliateRows),
  answer: AffiliateReport,
  run: recordAffiliateMetrics,
}

export const FEEDS = [DELIVERY, AFFILIATE_CODES, AFFILIATE_METRICS] as const
