import { type AffiliateMetric, readMetricRow } from "../../domain/affiliate/affiliate-metric.ts"
import type { AffiliateCode, AffiliateReport, Refusal } from "../../domain/affiliate/affiliate-report.ts"
import { INTERNAL_ERROR, isAccepted, readCodeRow, rowError } from "../../domain/affiliate/affiliate-report.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import type { CodeToSave, MetricToSave } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { and, eq, exec, first, isThere } from "../../storage/steps/step.ts"
import { type ReportContext, verbOf, writesOf } from "../context.ts"
import { JUDGED_TIMES_MAX, type Reporter, type ReportOptions, TERMS_KEEP_CHANGING } from "./report-delivery.ts"

/** The differences between the two affiliate feeds. */
interface AffiliateFeed<Row extends object, ToKeep extends object> {
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
type Judged<ToKeep> = Readonly<{ rows: readonly (ToKeep | Refusal)[]; revision: number }>

const NOT_YOUR_PACKAGE: Refusal = {
  reason: "not_seller",
  message: "packageId is not a package that your organization sells.",
}

const CODES: AffiliateFeed<AffiliateCode, CodeToSave> = {
  read: readCodeRow,
  async judge({ store }, { organizationId }, rows) {
    const packageIds = rows.map(({ packageId }) => packageId)
    const { items: sold, revision } = await store.deliveries.linesSold(organizationId, packageIds)
    const judged = rows.map(({ code, slug }, i) => {
      const line = sold[i]
      return line === undefined ? NOT_YOUR_PACKAGE : { lineId: line.lineId, code, slug }
    })
    return { rows: judged, revision }
  },
  keep: (context, { organizationId }, rows, now, termsRevision) =>
    writesOf(context).affiliates.saveCodes(organizationId, rows, now, termsRevision),
}

const NOT_YOUR_CODE: Refusal = {
  reason: "not_seller",
  message: "code is not a code of a package that your organization sells.",
}
const IN_FUTURE: Refusal = {
  reason: "date_in_future",
  message: "The date is later than today in your organization's time zone.",
}

/**
 * A day is bound to the line that its code points to when the day is first reported (`storage/steps/bind-day-to-line.ts`): `lineId` says
 * which that would be.
 */
const METRICS: AffiliateFeed<AffiliateMetric, MetricToSave> = {
  read: readMetricRow,
  async judge({ store }, { organizationId }, rows, now) {
    const codes = rows.map(({ code }) => code)
    const { items: codesSold, timeZone, revision } = await store.affiliates.codesSold(organizationId, codes)
    const today = dayOf(now, timeZone)
    const judged = rows.map(({ date, clicks, conversions, conversionValueMicros }, i) => {
      const sold = codesSold[i]
      if (sold === undefined) return NOT_YOUR_CODE
      const { codeId, lineId } = sold
      return date > today ? IN_FUTURE : { codeId, lineId, date, clicks, conversions, conversionValueMicros }
    })
    return { rows: judged, revision }
  },
  keep: (context, _, rows, now, termsRevision) => writesOf(context).affiliates.saveMetrics(rows, now, termsRevision),
}

/** Adds, moves or renames affiliate codes of packages that the organization sells. */
export const recordAffiliateCodes = recording(CODES)

/** Replaces the figures in each row for its code and day; others stay. */
export const recordAffiliateMetrics = recording(METRICS)

/** Parses, checks and stores the rows of an affiliate feed. Each is written or refused on its own. */
function recording<Row extends object, ToKeep extends object>(feed: AffiliateFeed<Row, ToKeep>) {
  return async (
    context: ReportContext,
    reporter: Reporter,
    values: readonly unknown[],
    { dryRun }: ReportOptions,
  ): Promise<AffiliateReport> => {
    const now = context.clock()
    const read = values.map((value) => feed.read(value))
    const accepted = read.filter(isAccepted<Row>)
    let outcomes: readonly (object | Refusal)[] = read
    try {
      for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
        const { rows: judged, revision } = await feed.judge(context, reporter, accepted, now)
        let next = 0
        outcomes = read.map((row) => (isAccepted(row) ? (judged[next++] ?? INTERNAL_ERROR) : row))
        const rows = judged.filter(isAccepted<ToKeep>)
        const isDone = dryRun || rows.length === 0 || (await feed.keep(context, reporter, rows, now, revision))
        if (isDone) return reportOf(outcomes, dryRun)
      }
      throw new Error(TERMS_KEEP_CHANGING)
    } catch (cause) {
      context.log.error("affiliate rows not saved", cause, { organization: reporter.organizationId })
      const failed = outcomes.map((row) => (isAccepted(row) ? INTERNAL_ERROR : row))
      return reportOf(failed, dryRun)
    }
  }
}

function reportOf(judged: readonly (object | Refusal)[], dryRun: boolean): AffiliateReport {
  const errors: AffiliateReport["errors"] = []
  for (const [index, row] of judged.entries()) if (!isAccepted(row)) errors.push(rowError(index, row))
  const report = { ok: errors.length === 0, upserted: judged.length - errors.length, errors }
  return dryRun ? { ...report, dry_run: true } : report
}

/** Deletes a code that the organization made and that has no figures. */
export const removeAffiliateCode = verbOf(function* (tx, organizationId: number, codeId: number, by: Change) {
  const { db, affiliateCode, affiliateMetric, affiliatePlacement } = tx
  const own = and(eq(affiliateCode.id, codeId), eq(affiliateCode.organizationId, organizationId))
  const row = yield* first(db.select({ code: affiliateCode.code }).from(affiliateCode).where(own))
  if (row === undefined) return "not found"
  const ofCode = eq(affiliateMetric.codeId, codeId)
  const days = db.select({ date: affiliateMetric.date }).from(affiliateMetric).where(ofCode)
  if (yield* isThere(days.limit(1))) return "has figures"
  yield* exec(db.delete(affiliatePlacement).where(eq(affiliatePlacement.codeId, codeId)))
  yield* exec(db.delete(affiliateCode).where(own))
  yield* audit(tx, by, { action: "remove affiliate_code", subject: row.code, organizationId })
  return "done"
})
