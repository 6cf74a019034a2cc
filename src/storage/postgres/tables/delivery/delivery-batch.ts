import {
  arrivalOf,
  arrive,
  isStillAt,
  type LastOfMoment,
  type Recording,
  receivedAfter,
} from "../../../../domain/delivery/current-total.ts"
import type { DeliveryEffect, DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import { type LineDay, withTotal } from "../../../../domain/delivery/line-day.ts"
import type { CalendarDate, Moment } from "../../../../domain/time/moment.ts"
import type { DeliveryReceipt, PreviewedTotal, ReportedTotal } from "../../../port/store.ts"

/** A report as it is added to the history. */
interface AddedReport extends ReportedTotal {
  readonly receivedAt: Moment
  readonly sourceId: number
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
  readonly totals: ReadonlyMap<number, DeliveryTotal>
  /** What the history has of the moments of late reports, by `momentKey`. */
  readonly lasts: ReadonlyMap<string, LastOfMoment>
}

export const momentKey = ({ lineId, asOf }: Omit<ReportedTotal, "quantity">): string => `${lineId} ${asOf}`

/** Whether the history has to be asked for this report. */
export const isLate = (total: ReportedTotal, stored: DeliveryTotal | undefined): boolean =>
  arrivalOf(stored, total).ofMoment === "perhaps something"

/** Lets the totals of a job arrive one after the other, and collects what has to be written in the end. */
export function deliveryBatch(
  { totals: stored, lasts }: Stored,
  { totals, receipt, isPreviewed }: Job,
  sourceId: number,
) {
  const { receivedAt, timeZone } = receipt
  const moved = new Map<number, DeliveryTotal>()
  const reports: AddedReport[] = []
  const added = new Map<string, AddedReport>()
  const days = new Map<string, LineDay & { readonly day: CalendarDate; readonly lineId: number }>()
  const corrections: (ReportedTotal & { readonly day: CalendarDate })[] = []
  const recording: Recording<ReportedTotal> = {
    currentOf: (lineId) => moved.get(lineId) ?? stored.get(lineId),
    lastOfMoment(total) {
      const key = momentKey(total)
      const last = added.get(key) ?? lasts.get(key)
      // The stored total is in the history, and was not asked for when its figure was repeated.
      const isStored = last === undefined && isStillAt(stored.get(total.lineId), total)
      return isStored ? { quantity: total.quantity, receivedAt } : last
    },
    addReport({ lineId, asOf, quantity }, last) {
      const report = { lineId, asOf, quantity, receivedAt: receivedAfter(receivedAt, last), sourceId }
      reports.push(report)
      added.set(momentKey(report), report)
    },
    setCurrent: ({ lineId, asOf, quantity }) => void moved.set(lineId, { asOf, quantity }),
    addToDay(total, day) {
      const key = `${total.lineId} ${day}`
      days.set(key, { ...withTotal(days.get(key), total), day, lineId: total.lineId })
    },
    corrects: ({ lineId, asOf, quantity }, day) => void corrections.push({ lineId, asOf, quantity, day }),
  }
  const outcomes = totals.map((total): Outcome => {
    const isOutdated = isPreviewed && !isStillAt(recording.currentOf(total.lineId), total.before ?? null)
    return isOutdated ? "outdated" : arrive(recording, total, timeZone)
  })
  return {
    outcomes,
    reports,
    // In the order in which every transaction touches rows.
    totals: inOrder([...moved].map(([lineId, total]) => ({ lineId, ...total, isNew: !stored.has(lineId) }))),
    days: inOrder([...days.values()]),
    /** Not the newest of their line when they came: a lower total of the same moment may no longer count. */
    corrections,
  }
}

const inOrder = <Row extends { readonly lineId: number; readonly asOf: Moment }>(rows: Row[]): Row[] =>
  rows.sort((a, b) => a.lineId - b.lineId || a.asOf - b.asOf)
