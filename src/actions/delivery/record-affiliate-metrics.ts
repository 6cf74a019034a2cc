import { type AffiliateMetric, readMetricRow } from "../../domain/affiliate/affiliate-metric.ts"
import type { AffiliateReport, Refusal } from "../../domain/affiliate/affiliate-report.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import type { MetricToSave } from "../../storage/port/store.ts"
import { type ReportContext, writesOf } from "../context.ts"
import { type AffiliateFeed, recordRows } from "./record-rows.ts"
import type { Reporter, ReportOptions } from "./report-delivery.ts"

const NOT_SELLER: Refusal = {
  reason: "not_seller",
  message: "code is not a code of a package that your organization sells.",
}
const IN_FUTURE: Refusal = {
  reason: "date_in_future",
  message: "The date is later than today in your organization's time zone.",
}

const METRICS: AffiliateFeed<AffiliateMetric, MetricToSave> = {
  read: readMetricRow,
  async judge({ store }, { organizationId, answerBy }, rows, now) {
    const codes = rows.map(({ code }) => code)
    const { found, timeZone, revision } = await store.affiliates.codesSold(organizationId, codes, answerBy)
    const today = dayOf(now, timeZone)
    const judged = rows.map(({ date, clicks, conversions, conversionValueMicros }, i) => {
      const sold = found[i]
      if (sold === undefined) return NOT_SELLER
      const { codeId, lineId } = sold
      return date > today ? IN_FUTURE : { codeId, lineId, date, clicks, conversions, conversionValueMicros }
    })
    return { rows: judged, revision }
  },
  keep: (context, { answerBy }, rows, now, termsRevision) =>
    writesOf(context).affiliates.saveMetrics(rows, now, termsRevision, answerBy),
}

/** Replaces the figures in each row for its code and day; others stay. */
export function recordAffiliateMetrics(
  context: ReportContext,
  reporter: Reporter,
  rows: readonly unknown[],
  options: ReportOptions,
): Promise<AffiliateReport> {
  return recordRows(context, reporter, rows, options, METRICS)
}
