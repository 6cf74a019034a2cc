import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import {
  type ArrivedReport,
  type LinkedReport,
  mayWithdraw,
  reasonProblem,
  type WithdrawalResult,
  type Withdrawer,
  withdrawalOf,
} from "../../domain/delivery/withdrawal.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { audit } from "../../storage/steps/audit.ts"
import { arrivals, deleteDays } from "../../storage/steps/delivery-history.ts"
import { and, eq, exec, first, isStorable, type ReadTx, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"

export type WithdrawOutcome =
  /** With the current total after it; null when no report is left. */
  | { readonly outcome: "done"; readonly total: DeliveryTotal | null }
  | { readonly outcome: "not found" | "already withdrawn" }

export type Withdrawn =
  | WithdrawOutcome
  | { readonly outcome: "not allowed" }
  | { readonly outcome: "refused"; readonly errors: { readonly reason: string } }

/** Withdraws a report of a line. It stays in the history as withdrawn, and the current total is what the remaining reports say. */
export async function withdrawReport(
  context: Context,
  seller: Pick<Organization, "id">,
  packageId: PackageId,
  report: ArrivedReport,
  { reason, actor, ...person }: Withdrawer & { readonly reason: string; readonly actor: string },
): Promise<Withdrawn> {
  const [line] = await context.store.packageLines.findSold(seller.id, [packageId])
  const found = line && (await context.store.deliveryHistory.find(line.lineId, report))
  if (!found) return { outcome: "not found" }
  if (!mayWithdraw(person, found.source)) return { outcome: "not allowed" }
  const problem = reasonProblem(reason)
  if (problem !== undefined) return { outcome: "refused", errors: { reason: problem } }
  const by = { actor, at: context.clock() }
  return transact(context, (tx) => withdraw(tx, seller.id, packageId, report, reason, by))
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
  const line = isPossible(packageId, report) ? yield* ownLine(tx, sellerId, packageId) : undefined
  if (line === undefined) return { outcome: "not found" }
  const { lineId, total } = line
  const result = total && (yield* resultOf(tx, lineId, report, total))
  if (result === null) return { outcome: (yield* wasWithdrawn(tx, lineId, report)) ? "already withdrawn" : "not found" }
  yield* takeOut(tx, lineId, report, reason, by)
  yield* closeGap(tx, lineId, result)
  yield* audit(tx, by, {
    action: "withdraw delivery_report",
    subject: packageId,
    organizationId: sellerId,
    details: { report, reason, before: total?.quantity ?? null, after: result.current?.quantity ?? null },
  })
  return { outcome: "done", total: result.current }
}

/** Both come from addresses and commands. */
function isPossible(packageId: string, { asOf, receivedAt }: ArrivedReport): boolean {
  return isStorable(packageId) && Number.isSafeInteger(asOf) && Number.isSafeInteger(receivedAt)
}

function* ownLine({ db, packageLine, deliveryTotal }: ReadTx, sellerId: number, packageId: PackageId) {
  const { asOf, quantity } = deliveryTotal
  return yield* first(
    db
      .select({ lineId: packageLine.id, total: { asOf, quantity } })
      .from(packageLine)
      .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
      .where(and(eq(packageLine.packageId, packageId), eq(packageLine.sellerId, sellerId))),
  )
}

function* resultOf(
  tx: Tx,
  lineId: number,
  report: ArrivedReport,
  current: DeliveryTotal,
): Step<WithdrawalResult | null> {
  const { db, deliveryReport } = tx
  const { receivedAt } = deliveryReport
  // Most wrong ones are seen at once, without walking the whole history.
  const kept = yield* first(
    db
      .select({ receivedAt })
      .from(deliveryReport)
      .where(reportIs(tx, lineId, report)),
  )
  if (kept?.receivedAt !== report.receivedAt) return null
  const withdrawal = withdrawalOf(report, current)
  for (let from: DeliveryTotal | null = null; ; ) {
    const links: readonly LinkedReport[] = yield* arrivals(tx, lineId, from)
    const isEnough = links.some(withdrawal.see)
    from = links.at(-1)?.previous ?? null
    if (isEnough || from === null) return withdrawal.result()
  }
}

function* wasWithdrawn({ db, withdrawnReport }: Tx, lineId: number, report: ArrivedReport): Step<boolean> {
  const { id, asOf, quantity, receivedAt } = withdrawnReport
  const isIt = and(eq(asOf, report.asOf), eq(quantity, report.quantity), eq(receivedAt, report.receivedAt))
  const found = yield* first(
    db
      .select({ id })
      .from(withdrawnReport)
      .where(and(eq(withdrawnReport.lineId, lineId), isIt)),
  )
  return found !== undefined
}

function* takeOut(tx: Tx, lineId: number, report: ArrivedReport, reason: string, by: Change): Step<void> {
  const { db, deliveryReport, withdrawnReport } = tx
  const isIt = reportIs(tx, lineId, report)
  const { asOf, quantity, receivedAt } = report
  const source = yield* first(db.delete(deliveryReport).where(isIt).returning({ sourceId: deliveryReport.sourceId }))
  if (source === undefined) return
  const withdrawal = { withdrawnAt: by.at, withdrawnBy: by.actor, reason }
  yield* exec(db.insert(withdrawnReport).values({ lineId, asOf, quantity, receivedAt, ...source, ...withdrawal }))
}

/** Links what arrived before and after it, and sets the total to what the remaining reports say. */
function* closeGap(tx: Tx, lineId: number, { successor, previous, current, last }: WithdrawalResult): Step<void> {
  const { db, deliveryReport, deliveryTotal } = tx
  if (successor !== null) {
    const link = { previousAsOf: previous?.asOf ?? null, previousQuantity: previous?.quantity ?? null }
    yield* exec(
      db
        .update(deliveryReport)
        .set(link)
        .where(reportIs(tx, lineId, successor)),
    )
  }
  const ofLine = eq(deliveryTotal.lineId, lineId)
  if (current === null || last === null) {
    yield* exec(db.delete(deliveryTotal).where(ofLine))
    yield* deleteDays(tx, lineId)
    return
  }
  // Without the end of its day: the closing totals are made anew.
  const total = { ...current, lastAsOf: last.asOf, lastQuantity: last.quantity, dayEnd: null }
  yield* exec(db.update(deliveryTotal).set(total).where(ofLine))
}

function reportIs({ deliveryReport }: ReadTx, lineId: number, { asOf, quantity }: DeliveryTotal) {
  const isTotal = and(eq(deliveryReport.asOf, asOf), eq(deliveryReport.quantity, quantity))
  return and(isTotal, eq(deliveryReport.lineId, lineId))
}
