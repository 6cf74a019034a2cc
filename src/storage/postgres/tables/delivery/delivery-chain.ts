import {
  type Arrival,
  arrivalOf,
  type DeliveryEffect,
  type DeliveryTotal,
} from "../../../../domain/delivery/delivery.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { DeliveryReceipt, PreviewedTotal, ReportedTotal } from "../../../port/store.ts"

/** The current total of a line, and its report that arrived last, where the linked list of its history starts. */
export interface CurrentTotal extends DeliveryTotal {
  readonly lastAsOf: Moment
  readonly lastQuantity: number
}

/** A report as it is added to the history. */
export interface ChainedReport extends ReportedTotal {
  readonly receivedAt: Moment
  readonly sourceId: number
  readonly previousAsOf: Moment | null
  readonly previousQuantity: number | null
}

export type Outcome = DeliveryEffect | "outdated"

/** What the database holds of the lines that are reported: locked, so that it stays so. */
export interface Stored {
  readonly totals: ReadonlyMap<number, CurrentTotal>
  /** Those of the late reports that are in the history already, by `reportKey`. */
  readonly late: ReadonlySet<string>
}

export function reportKey({ lineId, asOf, quantity }: ReportedTotal): string {
  return `${lineId} ${asOf} ${quantity}`
}

/** Whether the history has to be asked for this report. */
export function isLate(total: ReportedTotal, stored: CurrentTotal | undefined): boolean {
  return arrivalOf(stored, total).inHistory === "perhaps"
}

/** Lets totals arrive one after the other, and collects what has to be written in the end. */
export function deliveryChain({ totals, late }: Stored) {
  const moved = new Map<number, CurrentTotal>()
  const reports: ChainedReport[] = []

  const currentOf = (lineId: number) => moved.get(lineId) ?? totals.get(lineId)

  function isKnown(total: ReportedTotal, inHistory: Arrival["inHistory"]): boolean {
    if (inHistory !== "perhaps") return inHistory === "yes"
    // The stored total too: it is in the history, also after another total of its moment has replaced it here.
    if (isSame(totals.get(total.lineId), total)) return true
    return late.has(reportKey(total)) || (moved.has(total.lineId) && reports.some((one) => isReportOf(one, total)))
  }

  function arrive(total: ReportedTotal, receivedAt: Moment, sourceId: number): DeliveryEffect {
    const { lineId, asOf, quantity } = total
    const current = currentOf(lineId)
    const { effect, isCurrent, inHistory } = arrivalOf(current, total)
    let last = { lastAsOf: current?.lastAsOf ?? null, lastQuantity: current?.lastQuantity ?? null }
    if (!isKnown(total, inHistory)) {
      const { lastAsOf: previousAsOf, lastQuantity: previousQuantity } = last
      reports.push({ lineId, asOf, quantity, receivedAt, sourceId, previousAsOf, previousQuantity })
      last = { lastAsOf: asOf, lastQuantity: quantity }
    }
    const { lastAsOf, lastQuantity } = last
    const newest = isCurrent || current === undefined ? total : current
    if (lastAsOf !== null && lastQuantity !== null)
      moved.set(lineId, { asOf: newest.asOf, quantity: newest.quantity, lastAsOf, lastQuantity })
    return effect
  }

  return {
    arriveAll: (all: readonly ReportedTotal[], { receivedAt }: DeliveryReceipt, sourceId: number): DeliveryEffect[] =>
      all.map((total) => arrive(total, receivedAt, sourceId)),
    arriveUnlessOutdated: (
      all: readonly PreviewedTotal[],
      { receivedAt }: DeliveryReceipt,
      sourceId: number,
    ): Outcome[] =>
      all.map((total) =>
        isSame(currentOf(total.lineId), total.before) ? arrive(total, receivedAt, sourceId) : "outdated",
      ),
    reports,
    /** The lines whose total or last report has changed, in the order in which every transaction touches rows. */
    changed: () =>
      [...moved]
        .filter(([lineId, total]) => !isEqual(totals.get(lineId), total))
        .map(([lineId, total]) => ({ lineId, ...total, isNew: !totals.has(lineId) }))
        .sort((one, other) => one.lineId - other.lineId),
  }
}

function isReportOf(report: ReportedTotal, { lineId, asOf, quantity }: ReportedTotal): boolean {
  return report.lineId === lineId && report.asOf === asOf && report.quantity === quantity
}

function isSame(current: DeliveryTotal | undefined, before: DeliveryTotal | null): boolean {
  if (current === undefined || before === null) return current === undefined && before === null
  return current.asOf === before.asOf && current.quantity === before.quantity
}

function isEqual(stored: CurrentTotal | undefined, total: CurrentTotal): boolean {
  if (stored === undefined || !isSame(stored, total)) return false
  return stored.lastAsOf === total.lastAsOf && stored.lastQuantity === total.lastQuantity
}
