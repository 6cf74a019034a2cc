import type { RowError } from "../../domain/affiliate/affiliate-report.ts"
import { AFFILIATE_METRICS_CSV, rowProblem } from "../../domain/csv/csv-rows.ts"
import { type DeliveryTotal, receiptAt } from "../../domain/delivery/delivery.ts"
import { effectInWords, previewInWords, reasonInWords } from "../../domain/delivery/delivery-words.ts"
import { answerTo, type TotalQuestion } from "../../domain/delivery/total-questions.ts"
import { AFFILIATE_ROWS_MAX } from "../../domain/limits.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReportContext } from "../context.ts"
import {
  askedOf,
  type PreviewedReport,
  previewDelivery,
  type TakenReport,
  type ZonedReporter,
} from "./preview-delivery.ts"
import { recordAffiliateMetrics } from "./record-affiliate-metrics.ts"
import type { Reporter, ReportOptions } from "./report-delivery.ts"
import { type SaveOutcome, savePreviewed } from "./save-previewed.ts"

// Small enough that a commit does not delay others. Other requests are served between commits.
const TOTALS_PER_COMMIT = 100

export type UploadKind = "delivery" | "affiliate_metrics"

/** The effect of a row, or the effect it would have. */
export interface RowOutcome {
  readonly accepted: boolean
  /** Whether the total that buyers see changes. */
  readonly changes: boolean
  /** A word or two for a list. */
  readonly label: string
  /** A sentence; may be empty. */
  readonly text: string
  /** For a delivery total of a known line. */
  readonly lineName?: string
  readonly before?: DeliveryTotal | null
  readonly total?: DeliveryTotal
  /** Only in a preview. */
  readonly questions?: readonly TotalQuestion[]
}

/** An uploaded file. `pause` yields to other requests, because a large file takes a while. */
export interface Upload {
  readonly kind: UploadKind
  readonly rows: readonly unknown[]
  readonly pause: () => Promise<void>
}

export interface PreviewedUpload {
  readonly outcomes: readonly RowOutcome[]
  /** Sent with the file to confirm the questions; empty when there are none. */
  readonly answer: string
}

/** The effect each row would have after those before it. Writes nothing. */
export async function previewUpload(
  context: ReportContext,
  reporter: ZonedReporter,
  upload: Upload,
): Promise<PreviewedUpload> {
  if (upload.kind === "affiliate_metrics") {
    return { outcomes: await sendMetrics(context, reporter, upload, { dryRun: true }), answer: "" }
  }
  const { reports } = await previewTotals(context, reporter, upload)
  const outcomes = reports.map((report, i) => previewedOutcome(report, upload.rows[i]))
  return { outcomes, answer: answerOf(reports) }
}

/** Stores the rows in order. Likely mistakes must be confirmed first: without the current answer nothing is stored, and the questions come back. */
export async function sendUpload(
  context: ReportContext,
  reporter: ZonedReporter,
  upload: Upload,
  answer: string,
): Promise<{ readonly sent: boolean } & PreviewedUpload> {
  if (upload.kind === "affiliate_metrics") {
    return { sent: true, outcomes: await sendMetrics(context, reporter, upload, { dryRun: false }), answer: "" }
  }
  const { reports, receivedAt } = await previewTotals(context, reporter, upload)
  const expected = answerOf(reports)
  if (expected !== "" && expected !== answer) {
    return { sent: false, answer: expected, outcomes: reports.map((row, i) => previewedOutcome(row, upload.rows[i])) }
  }
  const saved = await saveInParts(context, reporter, reports, receivedAt, upload.pause)
  return { sent: true, answer: "", outcomes: reports.map((row, i) => sentOutcome(row, saved.get(i), upload.rows[i])) }
}

async function previewTotals(
  { store, clock }: ReportContext,
  { organizationId, timeZone }: ZonedReporter,
  { rows, pause }: Upload,
) {
  const receipt = receiptAt(clock(), timeZone)
  const reports = await previewDelivery(store, organizationId, receipt, rows, pause)
  return { reports, receivedAt: receipt.now }
}

function answerOf(reports: readonly PreviewedReport[]): string {
  return answerTo(reports.flatMap((report) => (report.taken && report.questions.length > 0 ? [askedOf(report)] : [])))
}

interface NumberedReport {
  readonly row: number
  readonly report: TakenReport
}

async function saveInParts(
  context: ReportContext,
  reporter: Reporter,
  reports: readonly PreviewedReport[],
  receivedAt: Moment,
  pause: () => Promise<void>,
): Promise<ReadonlyMap<number, SaveOutcome>> {
  const taken = reports.flatMap((report, row): NumberedReport[] => (report.taken ? [{ row, report }] : []))
  const saved = new Map<number, SaveOutcome>()
  for (let from = 0; from < taken.length; from += TOTALS_PER_COMMIT) {
    const part = taken.slice(from, from + TOTALS_PER_COMMIT)
    const outcomes = await savePreviewed(
      context,
      reporter,
      part.map(({ report }) => report),
      receivedAt,
    ).catch((cause: unknown) => context.log.error("delivery totals of a file not saved", cause))
    for (const [i, { row }] of part.entries()) saved.set(row, outcomes?.[i] ?? { reason: "internal_error" })
    await pause()
  }
  return saved
}

function previewedOutcome(report: PreviewedReport, row: unknown): RowOutcome {
  if (!report.taken) return refused(report, row)
  const { effect, questions } = report
  return { accepted: true, changes: effect === "applied", ...previewInWords(effect), ...factsOf(report), questions }
}

const REFUSED = { accepted: false, changes: false, label: "Refused" } as const
const NOT_SAVED = { accepted: false, changes: false, label: "Not saved" } as const
const MOVED = "The total of this line changed during the upload. Upload the file again to see its current total."

function sentOutcome(report: PreviewedReport, saved: SaveOutcome | undefined, row: unknown): RowOutcome {
  if (!report.taken) return refused(report, row)
  if (saved === "outdated") return { ...NOT_SAVED, text: MOVED, ...factsOf(report) }
  if (saved === undefined || "reason" in saved) {
    const { text } = reasonInWords(saved?.reason ?? "internal_error", row, report.line)
    return { ...NOT_SAVED, text, ...factsOf(report) }
  }
  return { accepted: true, changes: saved.effect === "applied", ...effectInWords(saved.effect), ...factsOf(report) }
}

function factsOf({ line, total }: TakenReport) {
  return { lineName: line.name, before: total.before, total }
}

function refused({ reason, line }: PreviewedReport & { readonly taken: false }, row: unknown): RowOutcome {
  const { text } = reasonInWords(reason, row, line)
  return { ...REFUSED, text, ...(line !== undefined && { lineName: line.name }) }
}

async function sendMetrics(
  context: ReportContext,
  reporter: Reporter,
  { rows, pause }: Upload,
  { dryRun }: ReportOptions,
): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (let from = 0; from < rows.length; from += AFFILIATE_ROWS_MAX) {
    if (from > 0) await pause()
    const part = rows.slice(from, from + AFFILIATE_ROWS_MAX)
    const { errors } = await recordAffiliateMetrics(context, reporter, part, { dryRun })
    const refusals = new Map(errors.map((error): [number, RowError] => [error.index, error]))
    for (const [index, row] of part.entries()) outcomes.push(metricOutcome(row, refusals.get(index), dryRun))
  }
  return outcomes
}

function metricOutcome(row: unknown, error: RowError | undefined, dryRun: boolean): RowOutcome {
  if (error !== undefined) {
    return { ...REFUSED, text: rowProblem(AFFILIATE_METRICS_CSV, row as Record<string, unknown>) ?? error.message }
  }
  return { accepted: true, changes: true, label: dryRun ? "Would be reported" : "Saved", text: "" }
}
