import { type ClosingTotal, closedBy } from "../../../../domain/delivery/closing-day.ts"
import type { Arrival, CurrentTotal } from "../../../../domain/delivery/current-total.ts"
import { afterReport, arrivalOf, isStillAt } from "../../../../domain/delivery/current-total.ts"
import type { DeliveryEffect } from "../../../../domain/delivery/delivery.ts"
import { TIME_ZONE_DEFAULT } from "../../../../domain/people/organization.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import type { DeliveryReceipt, PreviewedTotal, ReportedTotal } from "../../../port/store.ts"

/** A report as it is added to the history. */
export interface ChainedReport extends ReportedTotal {
  readonly receivedAt: Moment
  readonly sourceId: number
  readonly previousAsOf: Moment | null
  readonly previousQuantity: number | null
}

export type Outcome = DeliveryEffect | "outdated"

export interface Job {
  readonly totals: readonly (ReportedTotal & Partial<Pick<PreviewedTotal, "before">>)[]
  readonly receipt: DeliveryReceipt
  readonly termsRevision: number
  /** Whether totals are left out whose line is not at what was there before. */
  readonly isPreviewed: boolean
}

/** What the database holds of the lines that are reported: locked, so that it stays so. */
export interface Stored {
  readonly totals: ReadonlyMap<number, CurrentTotal>
  /** Those of the late reports that are in the history already, by `reportKey`. */
  readonly late: ReadonlySet<string>
  /** The time zones of the sellers of the lines whose day may change. */
  readonly zones: ReadonlyMap<number, TimeZone>
}

export const reportKey = ({ lineId, asOf, quantity }: ReportedTotal): string => `${lineId} ${asOf} ${quantity}`

/** Whether the history has to be asked for this report. */
export const isLate = (total: ReportedTotal, stored: CurrentTotal | undefined): boolean =>
  arrivalOf(stored, total).inHistory === "perhaps"

/** Whether a day of the line ends with this report, or an earlier one gets another last total. */
export function mayChangeDays({ asOf }: ReportedTotal, stored: CurrentTotal | undefined): boolean {
  if (stored === undefined) return true
  return stored.dayEnd !== null && (asOf < stored.asOf || asOf > stored.dayEnd)
}

/** Lets totals arrive one after the other, and collects what has to be written in the end. */
export function deliveryChain({ totals, late, zones }: Stored) {
  const moved = new Map<number, CurrentTotal>()
  const reports: ChainedReport[] = []
  const closings = new Map<string, ClosingTotal & { readonly lineId: number }>()
  /** Not the newest of their line when they came: they may correct a lower total of the same moment. */
  const corrections: ReportedTotal[] = []

  const currentOf = (lineId: number) => moved.get(lineId) ?? totals.get(lineId)

  function isKnown(total: ReportedTotal, inHistory: Arrival["inHistory"]): boolean {
    if (inHistory !== "perhaps") return inHistory === "yes"
    // The stored total too: it is in the history, also after another total of its moment has replaced it here.
    if (isStillAt(totals.get(total.lineId), total)) return true
    if (late.has(reportKey(total))) return true
    return moved.has(total.lineId) && reports.some((report) => isReportOf(report, total))
  }

  /** Of several of one day the last, with the lowest. */
  function close(lineId: number, closing: ClosingTotal): void {
    const key = `${lineId} ${closing.day}`
    const before = closings.get(key) ?? { lineId, ...closing }
    const last = closing.asOf >= before.asOf ? closing : before
    closings.set(key, { ...last, lineId, low: Math.min(closing.low, before.low) })
  }

  function arrive(total: ReportedTotal, receivedAt: Moment, sourceId: number): DeliveryEffect {
    const { lineId, asOf, quantity } = total
    const current = currentOf(lineId)
    const { effect, inHistory } = arrivalOf(current, total)
    const isAdded = !isKnown(total, inHistory)
    if (isAdded) {
      const { lastAsOf: previousAsOf = null, lastQuantity: previousQuantity = null } = current ?? {}
      reports.push({ lineId, asOf, quantity, receivedAt, sourceId, previousAsOf, previousQuantity })
    } else if (current !== undefined && asOf !== current.asOf) return effect
    if (inHistory === "perhaps") corrections.push(total)
    const day = closedBy(total, current, () => zones.get(lineId) ?? TIME_ZONE_DEFAULT)
    if (day.closing !== null) close(lineId, day.closing)
    moved.set(lineId, afterReport(current, total, isAdded, day))
    return effect
  }

  return {
    arriveAll: ({ totals, receipt: { receivedAt }, isPreviewed }: Job, sourceId: number): Outcome[] =>
      totals.map((total) => {
        const isOutdated = isPreviewed && !isStillAt(currentOf(total.lineId), total.before ?? null)
        return isOutdated ? "outdated" : arrive(total, receivedAt, sourceId)
      }),
    reports,
    corrections,
    closings: () => [...closings.values()].sort((a, b) => a.lineId - b.lineId || a.asOf - b.asOf),
    /** The lines whose total or last report has changed, in the order in which every transaction touches rows. */
    changed: () =>
      [...moved]
        .filter(([lineId, total]) => !isEqual(totals.get(lineId), total))
        .map(([lineId, total]) => ({ lineId, ...total, isNew: !totals.has(lineId) }))
        .sort((a, b) => a.lineId - b.lineId),
  }
}

const isReportOf = (report: ReportedTotal, { lineId, asOf, quantity }: ReportedTotal): boolean =>
  report.lineId === lineId && report.asOf === asOf && report.quantity === quantity

function isEqual(stored: CurrentTotal | undefined, total: CurrentTotal): boolean {
  if (stored === undefined || !isStillAt(stored, total)) return false
  return (
    stored.lastAsOf === total.lastAsOf && stored.lastQuantity === total.lastQuantity && stored.dayLow === total.dayLow
  )
}
