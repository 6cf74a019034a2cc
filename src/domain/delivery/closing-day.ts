import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, endOfDay, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"

// The last total of each day of a line is kept, so that a year is read as quickly whether it has a report a day or one a minute; and the
// lowest, because it corrects the days before it (see `correctedTotals`), whatever its own day ends at. The day of the current total is still
// open: it is not among them.

/** The last total of a day in the seller's time zone, and the lowest of that day. */
export interface ClosingTotal extends DeliveryTotal {
  readonly day: CalendarDate
  readonly low: number
}

/** The current total of a line, the lowest of its day, and the end of that day. Null: the line's days are not made yet. */
export interface OpenDay extends DeliveryTotal {
  readonly dayEnd: Moment | null
  readonly dayLow: number
}

export const dayEndOf = ({ asOf }: DeliveryTotal, zone: TimeZone): Moment => endOfDay(dayOf(asOf, zone), zone)

/** A replica of an earlier version knows nothing of days: it may have left the end of an earlier one. */
export const isMade = ({ asOf, dayEnd }: Pick<OpenDay, "asOf" | "dayEnd">): boolean => dayEnd !== null && asOf <= dayEnd

/** Whether a later total is of the same day, or nothing is known of days: then none is closed. Asked for every item of a feed. */
export const staysOpen = ({ dayEnd }: OpenDay, asOf: Moment): boolean => dayEnd === null || asOf <= dayEnd

interface Closed {
  readonly dayEnd: Moment | null
  readonly dayLow: number
  /** Kept unless the day has a later total already; in any case the lower low is. */
  readonly closing: ClosingTotal | null
}

/** Which total a report that is new in the history makes the last of its day, and what the day of the current total is then. */
export function closedBy(total: DeliveryTotal, before: OpenDay | undefined, zoneOf: () => TimeZone): Closed {
  const { asOf, quantity } = total
  if (before === undefined) return { dayEnd: dayEndOf(total, zoneOf()), dayLow: quantity, closing: null }
  const dayEnd = isMade(before) ? before.dayEnd : null
  const noneClosed = { dayEnd, dayLow: Math.min(before.dayLow, quantity), closing: null }
  if (dayEnd === null || (asOf >= before.asOf && asOf <= dayEnd)) return noneClosed
  const zone = zoneOf()
  if (asOf > dayEnd) {
    const closing = { ...dayTotal(before, zone), low: before.dayLow }
    return { dayEnd: dayEndOf(total, zone), dayLow: quantity, closing }
  }
  return dayEndOf(total, zone) === dayEnd
    ? noneClosed
    : { dayEnd, dayLow: before.dayLow, closing: { ...dayTotal(total, zone), low: quantity } }
}

const dayTotal = ({ asOf, quantity }: DeliveryTotal, zone: TimeZone) => ({ day: dayOf(asOf, zone), asOf, quantity })

/** The days of a history that is read in parts, in any order of time, but the latest arrival of each moment first. */
export function daysOfHistory(zone: TimeZone) {
  const moments = new Map<Moment, number>()
  const days = new Map<CalendarDate, ClosingTotal>()
  return {
    at: (moment: Moment) => moments.get(moment),
    add(reports: readonly DeliveryTotal[]): void {
      for (const { asOf, quantity } of reports) {
        if (moments.has(asOf)) continue
        moments.set(asOf, quantity)
        const total = dayTotal({ asOf, quantity }, zone)
        const known = days.get(total.day)
        const last = known === undefined || asOf > known.asOf ? total : known
        days.set(total.day, { ...last, low: Math.min(quantity, known?.low ?? quantity) })
      }
    },
    /** Oldest first; the last one is the open day. */
    inOrder: (): ClosingTotal[] => [...days.values()].sort((a, b) => a.asOf - b.asOf),
  }
}

/** What stands of the last totals of days, oldest first: see `correctedTotals`. */
export function correctedDays(days: readonly (DeliveryTotal & { readonly low: number })[]): DeliveryTotal[] {
  let least = Number.POSITIVE_INFINITY
  const corrected: DeliveryTotal[] = []
  for (let i = days.length - 1; i >= 0; i--) {
    const { asOf, quantity, low } = days[i] as (typeof days)[number]
    corrected.push({ asOf, quantity: Math.min(quantity, least) })
    least = Math.min(least, low)
  }
  return corrected.reverse()
}
