import { type AffiliateReport, INTERNAL_ERROR, type Refusal, rowError, stands } from "../domain/affiliate.ts"
import type { Moment } from "../domain/moment.ts"
import type { ReportContext } from "./context.ts"
import type { Reporter, ReportOptions } from "./report-delivery.ts"

/** What tells one affiliate feed from the other. */
export interface AffiliateFeed<Row extends object, ToKeep extends object> {
  /** The row that a value is, or why it is none. */
  read(value: unknown): Row | Refusal
  /** For each row what is to be kept of it, or why it is refused. */
  judge(context: ReportContext, reporter: Reporter, rows: readonly Row[], now: Moment): Promise<(ToKeep | Refusal)[]>
  /** Keeps all of them, in order, or none. */
  keep(context: ReportContext, reporter: Reporter, rows: readonly ToKeep[], now: Moment): Promise<void>
}

/** Reads, judges and keeps the rows of an affiliate feed. Each is written or refused on its own. */
export async function recordRows<Row extends object, ToKeep extends object>(
  context: ReportContext,
  reporter: Reporter,
  values: readonly unknown[],
  { dryRun }: ReportOptions,
  feed: AffiliateFeed<Row, ToKeep>,
): Promise<AffiliateReport> {
  const now = context.clock()
  const read = values.map((value) => feed.read(value))
  let judged: (ToKeep | Refusal)[] | undefined
  try {
    judged = await judgeAll(context, reporter, read, now, feed)
    const rows = judged.filter(stands<ToKeep>)
    if (!dryRun && rows.length > 0) await feed.keep(context, reporter, rows, now)
    return reportOf(judged, dryRun)
  } catch (cause) {
    context.log.error("affiliate rows not kept", cause, { organization: reporter.organizationId })
    const failed = (judged ?? read).map((row) => (stands(row) ? INTERNAL_ERROR : row))
    return reportOf(failed, dryRun)
  }
}

async function judgeAll<Row extends object, ToKeep extends object>(
  context: ReportContext,
  reporter: Reporter,
  read: readonly (Row | Refusal)[],
  now: Moment,
  feed: AffiliateFeed<Row, ToKeep>,
): Promise<(ToKeep | Refusal)[]> {
  const rows = read.filter(stands<Row>)
  const judged = await feed.judge(context, reporter, rows, now)
  let next = 0
  return read.map((row) => (stands(row) ? (judged[next++] ?? INTERNAL_ERROR) : row))
}

function reportOf(judged: readonly (object | Refusal)[], dryRun: boolean): AffiliateReport {
  const errors = judged.flatMap((row, index) => (stands(row) ? [] : [rowError(index, row)]))
  const report = { ok: errors.length === 0, upserted: judged.length - errors.length, errors }
  return dryRun ? { ...report, dry_run: true } : report
}
