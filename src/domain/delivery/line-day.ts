import type { CalendarDate } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"
import { type ArrivedReport, isSameTotal } from "./withdrawal.ts"

// Of each day of a line its last total is kept, so that a year is read as quickly whether it has a report a day or one a minute; and its
// lowest, because it corrects the days before it (see `correctedTotals`), whatever its own day ends at.

/** The last total of a day in the seller's time zone, and the lowest of that day. */
export interface LineDay extends DeliveryTotal {
  readonly low: number
}

/**
 * A day of a line with one more total. What corrects another total of the same moment is not for this: the lower one no longer counts, so
 * the day has to be worked out from its reports.
 */
export function withTotal(day: LineDay | undefined, { asOf, quantity }: DeliveryTotal): LineDay {
  if (day === undefined) return { asOf, quantity, low: quantity }
  const last = asOf >= day.asOf ? { asOf, quantity } : { asOf: day.asOf, quantity: day.quantity }
  return { ...last, low: Math.min(day.low, quantity) }
}

/** A line's reports that count, by the time of measurement: of one moment the one that was received last. */
export function counting<Report extends ArrivedReport>(
  reports: readonly Report[],
  current: DeliveryTotal | undefined,
): Report[] {
  const inOrder = reports.toSorted((a, b) => b.asOf - a.asOf || laterFirst(a, b))
  const counted: Report[] = []
  for (const report of inOrder) {
    const last = counted.at(-1)
    if (last === undefined || report.asOf !== last.asOf) counted.push(report)
    // A correction back to an earlier figure of the same moment is not in the history again, but is current.
    else if (report.asOf === current?.asOf && report.quantity === current.quantity) counted[counted.length - 1] = report
  }
  return counted.reverse()
}

/** Of two that were received at one moment the higher stands: totals rise. */
export const laterFirst = (a: ArrivedReport, b: ArrivedReport): number =>
  b.receivedAt - a.receivedAt || b.quantity - a.quantity

/** What these reports make of a day of a line; undefined where none of them is of that day. */
export function dayOfReports(
  day: CalendarDate,
  zone: TimeZone,
  reports: readonly ArrivedReport[],
  current: DeliveryTotal | undefined,
): LineDay | undefined {
  // Where clocks go back over midnight, a day has a part within the next one.
  const ofDay = reports.filter(({ asOf }) => dayOf(asOf, zone) === day)
  return counting(ofDay, current).reduce<LineDay | undefined>(withTotal, undefined)
}

/**
 * Whether a day of a line, or that it has none, is what these reports say. Of a moment with several of them each may be the one that
 * counts: a correction back to an earlier figure is not in the history again.
 */
export function isExplained(
  kept: LineDay | undefined,
  day: CalendarDate,
  zone: TimeZone,
  reports: readonly ArrivedReport[],
): boolean {
  const ofDay = reports.filter(({ asOf }) => dayOf(asOf, zone) === day)
  const made = dayOfReports(day, zone, ofDay, undefined)
  if (made === undefined || kept === undefined) return made === kept
  const isLast = kept.asOf === made.asOf && ofDay.some((report) => isSameTotal(report, kept))
  const isCorrected = new Set(ofDay.map(({ asOf }) => asOf)).size < ofDay.length
  return isLast && (isCorrected ? ofDay.some(({ quantity }) => quantity === kept.low) : kept.low === made.low)
}

/** What stands of the last totals of days, oldest first: see `correctedTotals`. */
export function correctedDays(days: readonly LineDay[]): DeliveryTotal[] {
  let least = Number.POSITIVE_INFINITY
  const corrected: DeliveryTotal[] = []
  for (let i = days.length - 1; i >= 0; i--) {
    const { asOf, quantity, low } = days[i] as LineDay
    corrected.push({ asOf, quantity: Math.min(quantity, least) })
    least = Math.min(least, low)
  }
  return corrected.reverse()
}
