import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { DeliverySource, DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { ArrivedReport, LinkedReport, WithdrawalResult, Withdrawer } from "../../domain/delivery/withdrawal.ts"
import { earliestOf, isSameTotal, mayWithdraw, reasonProblem, withdrawalOf } from "../../domain/delivery/withdrawal.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { audit } from "../../storage/steps/audit.ts"
import { deleteDays, setTotals } from "../../storage/steps/closing-days.ts"
import type { ReportTable } from "../../storage/steps/delivery-history.ts"
import { arrivals, arrivedAs, latestArrivals, reportIs } from "../../storage/steps/delivery-history.ts"
import type { ReadTx, ResultOf, Step, Tx } from "../../storage/steps/step.ts"
import { all, and, eq, exec, inArray, isThere } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"

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
  const isIt = (candidate: LinkedReport) => isSameTotal(candidate, report) && candidate.receivedAt === report.receivedAt
  const which = { isIt, ...report, most: 1 }
  const take = (from: Moment) => withdrawFrom(tx, [line], { ...which, receivedAt: from }, reason, by)
  // Most wrong ones are seen at once, without walking the whole history. What came while the clock was ahead lies further back.
  let taken: readonly TakenOut[] = []
  if (yield* isAmong(tx, tx.deliveryReport, lineId, report)) {
    taken = yield* take(report.receivedAt)
    if (taken.length === 0) taken = yield* take(0)
  }
  const result = taken[0]?.result
  if (result === undefined)
    return { outcome: (yield* isAmong(tx, tx.withdrawnReport, lineId, report)) ? "already withdrawn" : "not found" }
  yield* audit(tx, by, {
    action: "withdraw delivery_report",
    subject: packageId,
    organizationId: sellerId,
    details: { report, reason, before: total?.quantity ?? null, after: result.current?.quantity ?? null },
  })
  return { outcome: "done", total: result.current }
}

/** Reports of several lines that came in together: of one form, or of one file. */
export interface ReceivedTogether {
  readonly receivedAt: Moment
  readonly source: DeliverySource
  readonly lineIds: readonly number[]
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
  { receivedAt, source, lineIds, subject }: ReceivedTogether,
  reason: string,
  by: Change,
): Step<WithdrawnTogether> {
  const sources = yield* sourcesOf(tx, source)
  const isIt = (candidate: LinkedReport) => candidate.receivedAt === receivedAt && sources.includes(candidate.sourceId)
  const which = { isIt, receivedAt, most: Number.POSITIVE_INFINITY }
  const withdrawn = { lines: 0, reports: 0 }
  for (const some of inParts(lineIds, LINES_AT_ONCE)) {
    const lines = yield* ownLines(tx, sellerId, inArray(tx.packageLine.id, some))
    const found = yield* withdrawFrom(tx, lines, which, reason, by)
    // What came while the clock was ahead lies further back.
    const others = lines.filter(({ lineId }) => !found.some((taken) => taken.lineId === lineId))
    const taken = [...found, ...(yield* withdrawFrom(tx, others, { ...which, receivedAt: 0 }, reason, by))]
    withdrawn.lines += taken.length
    withdrawn.reports += taken.reduce((sum, { result }) => sum + result.removed.length, 0)
  }
  if (withdrawn.reports > 0) {
    const details = { ...withdrawn, reason }
    yield* audit(tx, by, { action: "withdraw delivery_reports", subject, organizationId: sellerId, details })
  }
  return withdrawn
}

/** Those of these lines that this organization sells. */
function* ownLines({ db, packageLine, deliveryTotal }: ReadTx, sellerId: number, which: ReturnType<typeof eq>) {
  const { asOf, quantity } = deliveryTotal
  const lines = db.select({ lineId: packageLine.id, total: { asOf, quantity } }).from(packageLine)
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

type TakenOut = Readonly<{ lineId: number; result: WithdrawalResult }>

/** Moves the reports out of the histories of these lines. Only lines that had any. */
function* withdrawFrom(
  tx: Tx,
  lines: ResultOf<typeof ownLines>,
  which: Parameters<typeof withdrawalOf>[0],
  reason: string,
  by: Change,
) {
  const lineIds = lines.map(({ lineId }) => lineId)
  const latest = yield* latestArrivals(tx, lineIds, earliestOf(which))
  const taken: TakenOut[] = []
  for (const { lineId, total } of lines) {
    if (total === null) continue
    const withdrawal = withdrawalOf(which, total)
    for (let links: readonly LinkedReport[] = latest.get(lineId) ?? []; !links.some(withdrawal.see); ) {
      const from: DeliveryTotal | null = links.at(-1)?.previous ?? null
      if (from === null) break
      links = yield* arrivals(tx, lineId, from)
    }
    const result = withdrawal.result()
    if (result !== null) taken.push({ lineId, result })
  }
  yield* takeOut(tx, taken, reason, by)
  yield* closeGaps(tx, taken)
  const without = taken.flatMap(({ lineId, result }) => (result.current === null ? [lineId] : []))
  if (without.length > 0) {
    yield* exec(tx.db.delete(tx.deliveryTotal).where(inArray(tx.deliveryTotal.lineId, without)))
    yield* deleteDays(tx, without)
  }
  return taken
}

function isAmong({ db }: ReadTx, table: ReportTable, lineId: number, report: ArrivedReport) {
  const reports = db.select({ asOf: table.asOf }).from(table)
  return isThere(reports.where(arrivedAs(table, lineId, report)))
}

const NAMED_BY = ["lineId", "quantity", "receivedAt", "sourceId"] as const

function* takeOut(tx: Tx, taken: readonly TakenOut[], reason: string, by: Change): Step<void> {
  const { db, deliveryReport, withdrawnReport } = tx
  const withdrawal = { withdrawnAt: by.at, withdrawnBy: by.actor, reason }
  const rows = taken.flatMap(({ lineId, result }) =>
    result.removed.map(({ previous: _, ...report }) => ({ lineId, ...report, ...withdrawal })),
  )
  // What was measured at one moment is stored side by side.
  for (const [asOf, together] of Map.groupBy(rows, (row) => row.asOf))
    for (const some of inParts(together, REPORTS_AT_ONCE)) {
      const isOneOf = (name: (typeof NAMED_BY)[number]) =>
        inArray(deliveryReport[name], [...new Set(some.map((row) => row[name]))])
      yield* exec(db.delete(deliveryReport).where(and(eq(deliveryReport.asOf, asOf), ...NAMED_BY.map(isOneOf))))
    }
  for (const some of inParts(rows, REPORTS_AT_ONCE)) yield* exec(db.insert(withdrawnReport).values(some))
}

/** Links what arrived before and after them, and sets the totals to what the remaining reports say. */
function* closeGaps(tx: Tx, taken: readonly TakenOut[]): Step<void> {
  for (const { lineId, result } of taken)
    for (const { report, previous } of result.links) {
      const link = { previousAsOf: previous?.asOf ?? null, previousQuantity: previous?.quantity ?? null }
      const relinked = tx.db.update(tx.deliveryReport).set(link)
      yield* exec(relinked.where(reportIs(tx.deliveryReport, lineId, report)))
    }
  const totals = taken.flatMap(({ lineId, result: { current, last } }) => {
    if (current === null || last === null) return []
    const { asOf, quantity } = current
    return [{ line_id: lineId, as_of: asOf, quantity, last_as_of: last.asOf, last_quantity: last.quantity }]
  })
  yield* setTotals(tx, totals)
}
