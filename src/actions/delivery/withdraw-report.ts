import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { DeliverySource, DeliveryTotal } from "../../domain/delivery/delivery.ts"
import { dayOfReports, type LineDay } from "../../domain/delivery/line-day.ts"
import type { ArrivedReport, Withdrawer } from "../../domain/delivery/withdrawal.ts"
import { isSameTotal, mayWithdraw, reasonProblem } from "../../domain/delivery/withdrawal.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { type CalendarDate, dayAfter, MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import { dayOf, type TimeZone } from "../../domain/time/time-zone.ts"
import { nextTurn } from "../../next-turn.ts"
import { audit } from "../../storage/steps/audit.ts"
import { arrivedAs, momentsOn, type ReportTable } from "../../storage/steps/delivery-history.ts"
import type { StoredReport } from "../../storage/steps/line-days.ts"
import { dayMeasuredBefore, replaceDay, reportsOfDay, theseLines, totalsBefore } from "../../storage/steps/line-days.ts"
import type { ReadTx, ResultOf, Step, Tx } from "../../storage/steps/step.ts"
import { all, and, eq, exec, inArray, isThere } from "../../storage/steps/step.ts"
import { type Context, query, transact } from "../context.ts"

type WithdrawOutcome =
  /** With the current total after it; null when no report is left. */
  | { readonly outcome: "done"; readonly total: DeliveryTotal | null }
  | { readonly outcome: "not found" | "already withdrawn" }

export type Withdrawn = WithdrawOutcome | NonNullable<ReturnType<typeof refusalOf>>

type Withdrawing = Withdrawer & Readonly<{ reason: string; actor: string }>

/** Withdraws a report of a line. It stays in the history as withdrawn, and the current total is what the remaining reports say. */
export async function withdrawReport(
  context: Context,
  seller: Pick<Organization, "id">,
  packageId: PackageId,
  report: ArrivedReport,
  withdrawing: Withdrawing,
): Promise<Withdrawn> {
  const [line] = await context.store.packageLines.findSold(seller.id, [packageId])
  const entry = line && (await context.store.deliveryHistory.find(line.lineId, report))
  if (!entry) return { outcome: "not found" }
  const refusal = refusalOf(withdrawing, entry.source)
  if (refusal !== undefined) return refusal
  const { reason, actor } = withdrawing
  const by = { actor, at: context.clock() }
  return transact(context, (tx) => withdraw(tx, seller.id, packageId, report, reason, by))
}

export type ReceivedWithdrawn = Awaited<ReturnType<typeof withdrawReceived>>

/** Withdraws everything that came in together, or nothing. */
export async function withdrawReceived(
  context: Context,
  seller: Pick<Organization, "id">,
  received: ReceivedTogether,
  withdrawing: Withdrawing,
) {
  const refusal = refusalOf(withdrawing, received.source)
  if (refusal !== undefined) return refusal
  const { reason, actor } = withdrawing
  const by = { actor, at: context.clock() }
  const withdrawn = await transact(context, (tx) => withdrawTogether(tx, seller.id, received, reason, by))
  if (withdrawn.reports === 0) return { outcome: "not found" } as const
  return { outcome: "done", ...withdrawn } as const
}

function refusalOf({ reason, ...person }: Withdrawing, source: Parameters<typeof mayWithdraw>[1]) {
  if (!mayWithdraw(person, source)) return { outcome: "not allowed" } as const
  const problem = reasonProblem(reason)
  return problem === undefined ? undefined : ({ outcome: "refused", errors: { reason: problem } } as const)
}

/** "not found" unless this organization sells the line and the report is in its history. */
export function* withdraw(
  tx: Tx,
  sellerId: number,
  packageId: PackageId,
  report: ArrivedReport,
  reason: string,
  by: Change,
): Step<WithdrawOutcome> {
  // It comes from addresses and commands.
  if (![report.asOf, report.receivedAt].every(Number.isSafeInteger)) return { outcome: "not found" }
  const [line] = yield* ownLines(tx, sellerId, eq(tx.packageLine.packageId, packageId))
  if (line === undefined) return { outcome: "not found" }
  const { lineId, total } = line
  const isIt = (candidate: StoredReport) => isSameTotal(candidate, report) && candidate.receivedAt === report.receivedAt
  const taken = yield* withdrawFrom(tx, [line], { isIt, moments: [report.asOf] }, reason, by)
  const after = taken.totals.get(lineId) ?? null
  if (taken.reports.length === 0)
    return { outcome: (yield* isAmong(tx, tx.withdrawnReport, lineId, report)) ? "already withdrawn" : "not found" }
  yield* audit(tx, by, {
    action: "withdraw delivery_report",
    subject: packageId,
    organizationId: sellerId,
    details: { report, reason, before: total?.quantity ?? null, after: after?.quantity ?? null },
  })
  return { outcome: "done", total: after }
}

/** Reports of several lines that came in together: of one form, or of one file. */
export interface ReceivedTogether {
  readonly receivedAt: Moment
  readonly source: DeliverySource
  readonly lineIds: readonly number[]
  /** The moments at which they were measured: see `momentsReceived`. */
  readonly moments: readonly Moment[]
  readonly subject: string
}

export type WithdrawnTogether = Readonly<{ lines: number; reports: number }>

// Each is a parameter of a query.
const LINES_AT_ONCE = 500
const REPORTS_AT_ONCE = 200

/** Withdraws all of them that are still in the history of a line that this organization sells, or none. */
export function* withdrawTogether(
  tx: Tx,
  sellerId: number,
  { receivedAt, source, lineIds, moments, subject }: ReceivedTogether,
  reason: string,
  by: Change,
): Step<WithdrawnTogether> {
  const sources = yield* sourcesOf(tx, source)
  const isIt = (candidate: StoredReport) => candidate.receivedAt === receivedAt && sources.includes(candidate.sourceId)
  const withdrawn = { lines: 0, reports: 0 }
  for (const some of inParts(lineIds, LINES_AT_ONCE)) {
    const lines = yield* ownLines(tx, sellerId, inArray(tx.packageLine.id, some))
    const { reports } = yield* withdrawFrom(tx, lines, { isIt, moments }, reason, by)
    withdrawn.lines += new Set(reports.map(({ lineId }) => lineId)).size
    withdrawn.reports += reports.length
  }
  if (withdrawn.reports > 0) {
    const details = { ...withdrawn, reason }
    yield* audit(tx, by, { action: "withdraw delivery_reports", subject, organizationId: sellerId, details })
  }
  return withdrawn
}

/**
 * When the totals were measured that came in together, as far as they are in the history: read before they are withdrawn, a day at a time,
 * because nothing says where in the history they lie.
 */
export async function momentsReceived(context: Context, { receivedAt, source }: Omit<ReceivedTogether, "moments">) {
  const sources = await query(context, (tx) => sourcesOf(tx, source))
  const moments: Moment[] = []
  // Nothing is measured after it was received, but clocks are set back now and then.
  for (let before: CalendarDate | null = dayOf(receivedAt + 2 * MICROS_PER_DAY, "UTC"); ; await nextTurn()) {
    const upTo: CalendarDate = before
    const day: CalendarDate | null = await query(context, (tx) => dayMeasuredBefore(tx, upTo, "UTC"))
    if (day === null) return moments
    moments.push(...(await query(context, (tx) => momentsOn(tx, day, receivedAt, sources))))
    before = day
  }
}

/** Those of these lines that this organization sells. */
function* ownLines(tx: ReadTx, sellerId: number, which: ReturnType<typeof eq>) {
  const { db, packageLine, organization, deliveryTotal } = tx
  const { asOf, quantity } = deliveryTotal
  const columns = { lineId: packageLine.id, zone: organization.timeZone, total: { asOf, quantity } }
  const lines = db.select(columns).from(packageLine).innerJoin(organization, eq(organization.id, packageLine.sellerId))
  const withTotals = lines.leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
  return yield* all(withTotals.where(and(which, eq(packageLine.sellerId, sellerId))))
}

/** Without a reference anybody's: whose file it was is no longer known once the account is removed. */
function* sourcesOf({ db, deliverySource }: ReadTx, { kind, reference, detail }: DeliverySource) {
  const { id } = deliverySource
  const isKind = and(eq(deliverySource.kind, kind), eq(deliverySource.detail, detail))
  const isIt = and(isKind, reference === "" ? undefined : eq(deliverySource.reference, reference))
  return (yield* all(db.select({ id }).from(deliverySource).where(isIt))).map((source) => source.id)
}

interface Wanted {
  readonly isIt: (report: StoredReport) => boolean
  readonly moments: readonly Moment[]
}

/**
 * Takes reports of lines of one seller out of the history, works out the days that they were of, and sets the totals to the newest that are
 * left. The totals are then of all lines that have one.
 */
function* withdrawFrom(
  tx: Tx,
  lines: ResultOf<typeof ownLines>,
  { isIt, moments }: Wanted,
  reason: string,
  by: Change,
) {
  const totals = new Map(lines.flatMap(({ lineId, total }) => (total === null ? [] : [[lineId, total] as const])))
  const reports: StoredReport[] = []
  const gone = new Map<number, Moment>()
  const [{ zone } = { zone: "" }] = lines
  const lineIds = lines.map(({ lineId }) => lineId)
  for (const day of lines.length === 0 ? [] : new Set(moments.map((moment) => dayOf(moment, zone)))) {
    const ofDay = yield* reportsOfDay(tx, day, zone, theseLines(lineIds))
    const taken = ofDay.filter(isIt)
    reports.push(...taken)
    for (const report of taken) {
      const total = totals.get(report.lineId)
      if (total !== undefined && isSameTotal(report, total)) gone.set(report.lineId, total.asOf)
    }
    const affected = new Set(taken.map(({ lineId }) => lineId))
    const left = ofDay.filter((report) => affected.has(report.lineId) && !isIt(report))
    const currentOf = (lineId: number) => (gone.has(lineId) ? undefined : totals.get(lineId))
    yield* replaceDay(tx, day, theseLines([...affected]), daysLeft(day, zone, left, currentOf))
  }
  yield* moveOut(tx, reports, reason, by)
  yield* fallBack(tx, gone, totals, zone)
  return { reports, totals: totals as ReadonlyMap<number, DeliveryTotal> }
}

function daysLeft(
  day: CalendarDate,
  zone: TimeZone,
  left: readonly StoredReport[],
  currentOf: (lineId: number) => DeliveryTotal | undefined,
): ReadonlyMap<number, LineDay> {
  const days = new Map<number, LineDay>()
  for (const [lineId, reports] of Map.groupBy(left, (report) => report.lineId)) {
    const made = dayOfReports(day, zone, reports, currentOf(lineId))
    if (made !== undefined) days.set(lineId, made)
  }
  return days
}

function isAmong({ db }: ReadTx, table: ReportTable, lineId: number, report: ArrivedReport) {
  const reports = db.select({ asOf: table.asOf }).from(table)
  return isThere(reports.where(arrivedAs(table, lineId, report)))
}

const NAMED_BY = ["lineId", "quantity", "receivedAt", "sourceId"] as const

function* moveOut(tx: Tx, reports: readonly StoredReport[], reason: string, by: Change): Step<void> {
  const { db, deliveryReport, withdrawnReport } = tx
  // What was measured at one moment is stored side by side.
  for (const [asOf, together] of Map.groupBy(reports, (row) => row.asOf))
    for (const some of inParts(together, REPORTS_AT_ONCE)) {
      const isOneOf = (name: (typeof NAMED_BY)[number]) =>
        inArray(deliveryReport[name], [...new Set(some.map((row) => row[name]))])
      yield* exec(db.delete(deliveryReport).where(and(eq(deliveryReport.asOf, asOf), ...NAMED_BY.map(isOneOf))))
    }
  const withdrawal = { withdrawnAt: by.at, withdrawnBy: by.actor, reason }
  const rows = reports.map((report) => ({ ...report, ...withdrawal }))
  for (const some of inParts(rows, REPORTS_AT_ONCE)) yield* exec(db.insert(withdrawnReport).values(some))
}

const TOTAL_COLUMNS = { line_id: "number", as_of: "number", quantity: "number" } as const
const REPLACED = "(line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity"

/** Sets the totals that are gone, which were of these moments, to the last of the days that are left. */
function* fallBack(tx: Tx, gone: ReadonlyMap<number, Moment>, totals: Map<number, DeliveryTotal>, zone: TimeZone) {
  for (const [day, lines] of Map.groupBy(gone, ([, asOf]) => dayOf(asOf, zone))) {
    const lineIds = lines.map(([lineId]) => lineId)
    const left = yield* totalsBefore(tx, lineIds, dayAfter(day), zone)
    const rows = [...left].map(([lineId, { asOf, quantity }]) => ({ line_id: lineId, as_of: asOf, quantity }))
    yield* exec(tx.insertMany("delivery_total", { columns: TOTAL_COLUMNS, rows }, REPLACED))
    for (const lineId of lineIds) {
      const total = left.get(lineId)
      if (total === undefined) totals.delete(lineId)
      else totals.set(lineId, total)
    }
    const without = lineIds.filter((lineId) => !left.has(lineId))
    if (without.length > 0) yield* exec(tx.db.delete(tx.deliveryTotal).where(inArray(tx.deliveryTotal.lineId, without)))
  }
}
