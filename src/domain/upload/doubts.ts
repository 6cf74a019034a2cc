import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { startOfDay } from "../time/time-zone.ts"
import { timeOf } from "../time/typed-day.ts"
import type { Part } from "./parts.ts"
import type { FileLine } from "./rows.ts"

const HOUR = 3_600 * MICROS_PER_SECOND

/**
 * Why a day that isn't counted may be misread: it stands between days that are counted. Files are in order, so days before the flight
 * and forecasts are at their ends, but Excel swaps day and month in the middle.
 */
export function dayOutOfOrder(figures: readonly Part[], { flightStart }: FileLine, { today }: Receipt): string | null {
  const isCounted = ({ day }: Part) => day >= flightStart && day <= today
  const first = figures.findIndex(isCounted)
  const last = figures.findLastIndex(isCounted)
  const odd = figures.slice(first, last).find((part) => part.quantity > 0 && !isCounted(part))
  if (odd === undefined) return null
  const why = odd.day > today ? "is in the future" : "is before the flight"
  return `Row ${odd.row} isn’t counted because ${dateInWords(odd.day)} ${why}, but it stands between other days. If its day is wrong, the total is too low.`
}

/** Where a file begins: its first day, and its first time if it has times. */
export interface FileBegin {
  readonly firstDay: CalendarDate | null
  readonly firstMoment: Moment | null
}

/**
 * Why the first day of an hourly file may be incomplete: it begins later than the day, and an earlier file had this day. A day that is
 * sent again replaces what was reported for it, so the hours of the earlier file would be lost.
 */
export function beginsLate(
  figures: readonly Part[],
  days: readonly LineDay[],
  { firstDay, firstMoment }: FileBegin,
  { timeZone }: Receipt,
): string | null {
  if (firstMoment === null || firstDay === null || firstMoment < startOfDay(firstDay, timeZone) + HOUR) return null
  const isHourly = [...Map.groupBy(figures, ({ day }) => day).values()].some(
    (ofDay) => new Set(ofDay.map(({ asOf }) => asOf)).size > 1,
  )
  if (!isHourly || !days.some(({ day }) => day === firstDay)) return null
  const begin = `${timeOf(firstMoment, timeZone)} on ${dateInWords(firstDay)}`
  return `The file begins at ${begin} and replaces what was reported for this day. If earlier hours are missing, the total is too low.`
}

/** Whether a text is a number with decimals that matter: 112.5, but not 12.00 or 1,234. */
export const isFraction = (text: string): boolean => /\d[.,]\d?[1-9]$/.test(text)

/** Why impressions with decimals are odd: the column probably counts thousands, also where they happen to be whole. */
export const countsThousands = (row: number | null): string | null =>
  row === null ? null : `Row ${row} has a part of an impression. If the column counts thousands, the total is too low.`
