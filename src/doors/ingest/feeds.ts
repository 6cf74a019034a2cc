import type { TSchema } from "@sinclair/typebox"
import type { ReportContext } from "../../actions/context.ts"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../../actions/delivery/record-affiliates.ts"
import { type Reporter, type ReportOptions, reportDelivery } from "../../actions/delivery/report-delivery.ts"
import { AffiliateMetricInput } from "../../domain/affiliate/affiliate-metric.ts"
import { AffiliateCodeInput, AffiliateReport } from "../../domain/affiliate/affiliate-report.ts"
import { ANY_UNIT } from "../../domain/campaign/pricing-basis.ts"
import { DeliveryItemInput } from "../../domain/delivery/delivery.ts"
import { NOT_SELLER } from "../../domain/delivery/delivery-reasons.ts"
import { DeliveryReport } from "../../domain/delivery/delivery-result.ts"
import type { FeedAddress } from "../../domain/feed-addresses.ts"
import { AFFILIATE_CODES_FEED, AFFILIATE_METRICS_FEED, DELIVERY_FEED } from "../../domain/feed-addresses.ts"
import { type Batch, batchOf } from "../../domain/schema/batch.ts"

/** An ingest feed: its address, accepted shape, action, and what the OpenAPI document says of it. */
export interface Feed extends FeedAddress {
  readonly batch: Batch
  readonly answer: TSchema
  readonly run: (
    context: ReportContext,
    reporter: Reporter,
    rows: readonly unknown[],
    options: ReportOptions,
  ) => Promise<DeliveryReport | AffiliateReport>
  readonly tag: "Delivery" | "Affiliate"
  readonly summary: string
  readonly description: string
  readonly example: { readonly request: unknown; readonly answer: unknown }
}

const batch = ({ field, rows }: FeedAddress, row: TSchema) => batchOf(field, row, rows)

const PACKAGE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const UNKNOWN_ID = "7d1f0c7e-2a43-4a0f-8a3e-5f1f4b1b2c02"
const NO_SUCH_CODE = {
  index: 1,
  status: 400,
  reason: "not_seller",
  message: "No package that your organization sells has this code.",
}

const DELIVERY: Feed = {
  ...DELIVERY_FEED,
  batch: batch(DELIVERY_FEED, DeliveryItemInput),
  answer: DeliveryReport,
  run: reportDelivery,
  tag: "Delivery",
  summary: "Report delivery totals",
  description:
    `Totals delivered to date, never increments: ${ANY_UNIT}, whichever the line is priced on. An item ` +
    "without a quantity marks a flat-rate line delivered. Figures are ordered by as_of; an older total that arrives " +
    "late never overwrites a newer one.",
  example: {
    request: {
      items: [
        { package_id: PACKAGE_ID, impressions: 125000, as_of: "2026-11-14" },
        { package_id: UNKNOWN_ID, downloads: 3400.5 },
      ],
    },
    answer: {
      accepted: 1,
      rejected: 1,
      results: [
        { index: 0, package_id: PACKAGE_ID, status: "accepted", effect: "applied" },
        { index: 1, package_id: UNKNOWN_ID, status: "rejected", ...NOT_SELLER },
      ],
    },
  },
}

const AFFILIATE_CODES: Feed = {
  ...AFFILIATE_CODES_FEED,
  batch: batch(AFFILIATE_CODES_FEED, AffiliateCodeInput),
  answer: AffiliateReport,
  run: recordAffiliateCodes,
  tag: "Affiliate",
  summary: "Add or change affiliate codes",
  description:
    "Connects codes with packages that your organization sells. Sending a code again updates its package and slug; " +
    "a slug that is left out stays. Figures of days that were reported before stay with the package they were reported for.",
  example: {
    request: { codes: [{ packageId: PACKAGE_ID, code: "AUTUMN10", slug: "autumn-10" }] },
    answer: { ok: true, upserted: 1, errors: [] },
  },
}

const AFFILIATE_METRICS: Feed = {
  ...AFFILIATE_METRICS_FEED,
  batch: batch(AFFILIATE_METRICS_FEED, AffiliateMetricInput),
  answer: AffiliateReport,
  run: recordAffiliateMetrics,
  tag: "Affiliate",
  summary: "Report daily affiliate metrics",
  description:
    "One row per code and date. Sending it again replaces the figures that it carries and leaves the others, so that " +
    "clicks and conversions may come from different systems.",
  example: {
    request: {
      metrics: [
        { code: "AUTUMN10", date: "2026-11-14", clicks: 120, conversions: 4, conversionValue: 199.95 },
        { code: "WINTER", date: "2026-11-14", clicks: 7 },
      ],
    },
    answer: { ok: false, upserted: 1, errors: [NO_SUCH_CODE] },
  },
}

export const FEEDS = [DELIVERY, AFFILIATE_CODES, AFFILIATE_METRICS] as const
