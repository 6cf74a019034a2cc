import {
  type AffiliateReport,
  INTERNAL_ERROR,
  isAccepted,
  type Refusal,
  rowError,
} from "../../domain/affiliate/affiliate-report.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReportContext } from "../context.ts"
import { JUDGED_TIMES_MAX, type Reporter, type ReportOptions, TERMS_KEEP_CHANGING } from "./report-delivery.ts"

/** The differences between the two affiliate feeds. */
export interface AffiliateFeed<Row extends object, ToKeep extends object> {
  /** The parsed row, or why it was refused. */
  read(value: unknown): Row | Refusal
  judge(context: ReportContext, reporter: Reporter, rows: readonly Row[], now: Moment): Promise<Judged<ToKeep>>
  /** Stores all rows in order, or none: false when a line may have changed since they were checked. */
  keep(
    context: ReportContext,
    reporter: Reporter,
    rows: readonly ToKeep[],
    now: Moment,
    termsRevision: number,
  ): Promise<boolean>
}

/** Each row to store, or why it is refused; and the revision at which it was checked. */
export interface Judged<ToKeep> {
  readonly rows: readonly (ToKeep | Refusal)[]
  readonly revision: number
}

/** Parses, checks and stores the rows of an affiliate feed. Each is written or refused on its own. */
export async function recordRows<Row extends object, ToKeep extends object>(
  context: ReportContext,
  reporter: Reporter,
  values: readonly unknown[],
  { dryRun }: ReportOptions,
  feed: AffiliateFeed<Row, ToKeep>,
): Promise<AffiliateReport> {
  const now = context.clock()
  const read = values.map((value) => feed.read(value))
  let outcomes: readonly (object | Refusal)[] = read
  try {
    for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
      const judged = await judgeAll(context, reporter, read, now, feed)
      outcomes = judged.rows
      const rows = judged.rows.filter(isAccepted<ToKeep>)
      const isDone = dryRun || rows.length === 0 || (await feed.keep(context, reporter, rows, now, judged.revision))
      if (isDone) return reportOf(judged.rows, dryRun)
    }
    throw new Error(TERMS_KEEP_CHANGING)
  } catch (cause) {
    context.log.error("affiliate rows not saved", cause, { organization: reporter.organizationId })
    const failed = outcomes.map((row) => (isAccepted(row) ? INTERNAL_ERROR : row))
    return reportOf(failed, dryRun)
  }
}

async function judgeAll<Row extends object, ToKeep extends object>(
  context: ReportContext,
  reporter: Reporter,
  read: readonly (Row | Refusal)[],
  now: Moment,
  feed: AffiliateFeed<Row, ToKeep>,
): Promise<Judged<ToKeep>> {
  const standing = read.filter(isAccepted<Row>)
  const { rows, revision } = await feed.judge(context, reporter, standing, now)
  let next = 0
  return { rows: read.map((row) => (isAccepted(row) ? (rows[next++] ?? INTERNAL_ERROR) : row)), revision }
}

function reportOf(judged: readonly (object | Refusal)[], dryRun: boolean): AffiliateReport {
  const errors = judged.flatMap((row, index) => (isAccepted(row) ? [] : [rowError(index, row)]))
  const report = { ok: errors.length === 0, upserted: judged.length - errors.length, errors }
  return dryRun ? { ...report, dry_run: true } : report
}
