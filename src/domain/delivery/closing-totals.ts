import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, endOfDay, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"

// The last total of each day of a line is kept, so that a year is read as quickly whether it has a report a day or one a minute. The day
// of the current total is still open: it is not among them.

/** The last total of a day in the seller's time zone. */
export interface ClosingTotal extends DeliveryTotal {
  readonly day: CalendarDate
}

/** The current total of a line, and the end of its day. Null: the closing totals of the line are not made yet. */
export interface OpenDay extends DeliveryTotal {
  readonly dayEnd: Moment | null
}

export function dayEndOf({ asOf }: DeliveryTotal, zone: TimeZone): Moment {
  return endOfDay(dayOf(asOf, zone), zone)
}

/** A replica of an earlier version knows nothing of days: it may have left the end of an earlier one. */
export const isMade = ({ asOf, dayEnd }: OpenDay): boolean => dayEnd !== null && asOf <= dayEnd

/** Whether a later total is of the same day, or nothing is known of days: then none is closed. Asked for every item of a feed. */
export const staysOpen = ({ dayEnd }: OpenDay, asOf: Moment): boolean => dayEnd === null || asOf <= dayEnd

interface Closed {
  readonly dayEnd: Moment | null
  /** Kept unless the day has a later total already. */
  readonly closing: ClosingTotal | null
}

/** Which total a report that is new in the history makes the last of its day, and when the day of the current total ends then. */
export function closedBy(total: DeliveryTotal, before: OpenDay | undefined, zoneOf: () => TimeZone): Closed {
  if (before === undefined) return { dayEnd: dayEndOf(total, zoneOf()), closing: null }
  const dayEnd = isMade(before) ? before.dayEnd : null
  if (dayEnd === null || (total.asOf >= before.asOf && total.asOf <= dayEnd)) return { dayEnd, closing: null }
  const zone = zoneOf()
  if (total.asOf > dayEnd) return { dayEnd: dayEndOf(total, zone), closing: closingOf(before, zone) }
  return { dayEnd, closing: dayEndOf(total, zone) === dayEnd ? null : closingOf(total, zone) }
}

const closingOf = ({ asOf, quantity }: DeliveryTotal, zone: TimeZone): ClosingTotal => ({
  day: dayOf(asOf, zone),
  asOf,
  quantity,
})

/** The closing totals of a whole history, sorted by time and of one moment the latest arrival last. The last one is of the open day. */
export function closingTotals(reports: readonly DeliveryTotal[], zone: TimeZone): ClosingTotal[] {
  const all = reports.map((report) => closingOf(report, zone))
  return all.filter(({ day }, i) => day !== all[i + 1]?.day)
}
