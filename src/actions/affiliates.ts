import {
  type AffiliateCode,
  type AffiliateMetric,
  type AffiliateReport,
  affiliateReport,
  DATE_IN_FUTURE,
  isAccepted,
  NOT_YOUR_CODE,
  NOT_YOUR_PACKAGE,
  ROW_NOT_STORED,
  type RowRejection,
  readCodeRow,
  readMetricRow,
} from "../domain/affiliate.ts"
import type { Moment } from "../domain/time/moment.ts"
import { dayOf } from "../domain/time/time-zone.ts"
import {
  type CodeToSave,
  codesByName,
  deleteCode,
  type MetricToSave,
  saveCodes,
  saveMetrics,
} from "../storage/campaigns/affiliates.ts"
import { lineIdsSold } from "../storage/campaigns/lines.ts"
import type { ReadTx, Tx } from "../storage/database.ts"
import { lockSeller } from "../storage/delivery/totals.ts"
import { timeZoneOf } from "../storage/organizations.ts"
import { type Actor, type Context, change } from "./context.ts"
import type { Reporter, ReportOptions } from "./delivery/report-delivery.ts"

/** Deletes a code of a seller. False if it has figures, which belong to its buyers as well. */
export async function removeCode(
  context: Context,
  actor: Actor,
  { organizationId, id, code }: { readonly organizationId: number; readonly id: number; readonly code: string },
): Promise<boolean> {
  return change(context, actor, async (tx, audit) => {
    if (!(await deleteCode(tx, organizationId, id))) return false
    await audit(organizationId, `deleted the affiliate code ${code}`)
    return true
  })
}

/** Adds affiliate codes, or points them to other lines. Each row is written or rejected by itself. */
export const recordAffiliateCodes = (
  context: Context,
  reporter: Reporter,
  sent: readonly unknown[],
  options: ReportOptions,
): Promise<AffiliateReport> =>
  record({ read: readCodeRow, judge: judgeCodes, save: saveJudgedCodes }, context, reporter, sent, options)

/** Saves the figures of codes by day. Figures that a row leaves out stay as they are. */
export const recordAffiliateMetrics = (
  context: Context,
  reporter: Reporter,
  sent: readonly unknown[],
  options: ReportOptions,
): Promise<AffiliateReport> =>
  record({ read: readMetricRow, judge: judgeMetrics, save: saveJudgedMetrics }, context, reporter, sent, options)

/** How one of the two feeds reads, judges and saves its rows. */
interface AffiliateFeed<Row extends object, Judged extends object> {
  read(sent: unknown): Row | RowRejection
  judge(read: ReadTx, sellerId: number, rows: readonly Row[], now: Moment): Promise<(Judged | RowRejection)[]>
  save(tx: Tx, sellerId: number, judged: readonly Judged[]): Promise<void>
}

async function record<Row extends object, Judged extends object>(
  feed: AffiliateFeed<Row, Judged>,
  { database, clock, log }: Context,
  { sellerId }: Reporter,
  sent: readonly unknown[],
  options: ReportOptions,
): Promise<AffiliateReport> {
  const read = sent.map(feed.read)
  const rows = read.filter(isAccepted)
  const now = clock()

  async function judgeAndSave(tx: Tx): Promise<(Judged | RowRejection)[]> {
    await lockSeller(tx, sellerId)
    const judged = await feed.judge(tx, sellerId, rows, now)
    await feed.save(tx, sellerId, judged.filter(isAccepted))
    return judged
  }

  const judged = await (options.isDryRun
    ? feed.judge(database.read, sellerId, rows, now)
    : database.transactReport(judgeAndSave)
  ).catch((cause) => {
    log.error("affiliate rows not stored", cause, { organization: sellerId })
    return rows.map(() => ROW_NOT_STORED)
  })
  const outcomeOf = new Map<Row | RowRejection, Judged | RowRejection | undefined>(
    rows.map((row, i) => [row, judged[i]]),
  )
  const outcomes = read.map((row) => {
    const outcome = isAccepted(row) ? (outcomeOf.get(row) ?? ROW_NOT_STORED) : row
    return isAccepted(outcome) ? null : outcome
  })
  return affiliateReport(outcomes, options)
}

async function judgeCodes(read: ReadTx, sellerId: number, rows: readonly AffiliateCode[]) {
  const packageIds = rows.map(({ packageId }) => packageId)
  const lineIds = await lineIdsSold(read, sellerId, packageIds)
  return rows.map(({ packageId, code, slug = null }): CodeToSave | RowRejection => {
    const lineId = lineIds.get(packageId)
    return lineId === undefined ? NOT_YOUR_PACKAGE : { code, lineId, slug }
  })
}

/** If a code has several rows, it points to the line of the last one. Without a new slug, the stored one stays. */
async function saveJudgedCodes(tx: Tx, sellerId: number, codes: readonly CodeToSave[]): Promise<void> {
  const byCode = new Map<string, CodeToSave>()
  for (const row of codes) byCode.set(row.code, { ...row, slug: row.slug ?? byCode.get(row.code)?.slug ?? null })
  await saveCodes(tx, sellerId, [...byCode.values()])
}

async function judgeMetrics(read: ReadTx, sellerId: number, rows: readonly AffiliateMetric[], now: Moment) {
  const names = rows.map(({ code }) => code)
  const [codes, timeZone] = await Promise.all([codesByName(read, sellerId, names), timeZoneOf(read, sellerId)])
  const today = dayOf(now, timeZone)
  return rows.map(({ code, ...metric }): MetricToSave | RowRejection => {
    const stored = codes.get(code)
    if (stored === undefined) return NOT_YOUR_CODE
    return metric.date > today ? DATE_IN_FUTURE : { ...metric, codeId: stored.id, lineId: stored.lineId }
  })
}

/** If a code and date have several rows, each row replaces the figures that it carries. */
async function saveJudgedMetrics(tx: Tx, _: number, metrics: readonly MetricToSave[]): Promise<void> {
  const byDay = new Map<string, MetricToSave>()
  for (const row of metrics) {
    const key = `${row.codeId} ${row.date}`
    const before = byDay.get(key)
    const { clicks = before?.clicks, conversions = before?.conversions, valueMicros = before?.valueMicros } = row
    byDay.set(key, { ...row, clicks, conversions, valueMicros })
  }
  await saveMetrics(tx, [...byDay.values()])
}
