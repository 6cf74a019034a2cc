import type { RowError } from "../domain/affiliate.ts"
import { AFFILIATE_METRICS_CSV, rowProblem } from "../domain/csv-rows.ts"
import { effectInWords } from "../domain/delivery-words.ts"
import { AFFILIATE_ROWS_MAX, DELIVERY_ITEMS_MAX } from "../domain/limits.ts"
import type { ReportContext } from "./context.ts"
import { recordAffiliateMetrics } from "./record-affiliate-metrics.ts"
import { type Reporter, type ReportOptions, reportDelivery } from "./report-delivery.ts"

export type UploadKind = "delivery" | "affiliate_metrics"

/** What a row of a file did, or would do. */
export interface RowOutcome {
  readonly accepted: boolean
  /** The reason or the effect, as the API names it. */
  readonly code: string
  readonly text: string
}

/** Reports every row through the action of its feed, in requests as large as the feed allows. */
export async function uploadFigures(
  context: ReportContext,
  reporter: Reporter,
  kind: UploadKind,
  rows: readonly unknown[],
  options: ReportOptions,
): Promise<RowOutcome[]> {
  const size = kind === "delivery" ? DELIVERY_ITEMS_MAX : AFFILIATE_ROWS_MAX
  const send = kind === "delivery" ? sendDelivery : sendMetrics
  const outcomes: RowOutcome[] = []
  for (let from = 0; from < rows.length; from += size) {
    outcomes.push(...(await send(context, reporter, rows.slice(from, from + size), options)))
  }
  return outcomes
}

async function sendDelivery(
  context: ReportContext,
  reporter: Reporter,
  rows: readonly unknown[],
  options: ReportOptions,
): Promise<RowOutcome[]> {
  const { results } = await reportDelivery(context, reporter, rows, options)
  return results.map(({ effect, reason = "internal_error", message = "" }) =>
    effect === undefined
      ? { accepted: false, code: reason, text: message }
      : { accepted: true, code: effect, text: effectInWords(effect) },
  )
}

async function sendMetrics(
  context: ReportContext,
  reporter: Reporter,
  rows: readonly unknown[],
  options: ReportOptions,
): Promise<RowOutcome[]> {
  const { errors } = await recordAffiliateMetrics(context, reporter, rows, options)
  const refused = new Map(errors.map((error): [number, RowError] => [error.index, error]))
  return rows.map((row, index) => {
    const error = refused.get(index)
    if (error !== undefined) {
      const text = rowProblem(AFFILIATE_METRICS_CSV, row as Record<string, unknown>) ?? error.message
      return { accepted: false, code: error.reason, text }
    }
    return { accepted: true, code: "upserted", text: "Replaces the figures that it carries." }
  })
}
