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
export function counting<Report extends ArrivedReport>(reports: readonly Report[]): Report[] {
  const inOrder = reports.toSorted((a, b) => a.asOf - b.asOf || a.receivedAt - b.receivedAt)
  return inOrder.filter(({ asOf }, i) => asOf !== inOrder[i + 1]?.asOf)
}

/** What these reports make of a day of a line; undefined where none of them is of that day. */
export function dayOfReports(
  day: CalendarDate,
  zone: TimeZone,
  reports: readonly ArrivedReport[],
): LineDay | undefined {
  // Where clocks go back over midnight, a day has a part within the next one.
  const ofDay = reports.filter(({ asOf }) => dayOf(asOf, zone) === day)
  return counting(ofDay).reduce<LineDay | undefined>(withTotal, undefined)
}

/** Whether a day of a line, or that it has none, is what these reports say. */
export function isExplained(
  kept: LineDay | undefined,
  day: CalendarDate,
  zone: TimeZone,
  reports: readonly ArrivedReport[],
): boolean {
  const made = dayOfReports(day, zone, reports)
  if (made === undefined || kept === undefined) return made === kept
  return isSameTotal(kept, made) && kept.low === made.low
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
