import type { CalendarDate, Moment } from "../domain/time/moment.ts"
import { dateOfDayNumber, MICROS_PER_DAY, MICROS_PER_SECOND } from "../domain/time/moment.ts"

export type Days = ReturnType<typeof daysAround>

/** Days relative to today, so that the demo always looks current. */
export function daysAround(now: Moment) {
  const today = Math.floor(now / MICROS_PER_DAY)
  return {
    date: (offset: number) => dateOfDayNumber(today + offset),
    /** A moment of that day in UTC, but never in the future. */
    moment(offset: number, hour: number, minute = 0): Moment {
      const seconds = (today + offset) * 86_400 + hour * 3_600 + minute * 60
      return Math.min(seconds * MICROS_PER_SECOND, now)
    },
  }
}

// A long weekend when nobody listens.
const HOLIDAY: readonly [number, number] = [-25, -21]

/** What a holiday leaves of a usual day. */
export const holidayShare = (offset: number): number => (offset >= HOLIDAY[0] && offset <= HOLIDAY[1] ? 0.45 : 1)

/** How busy a day is: quiet at weekends, a little uneven otherwise, and the same at every start on one day. */
export function weightOf(date: CalendarDate, salt = 0): number {
  const time = Date.parse(date)
  const weekday = new Date(time).getUTCDay()
  const uneven = (((time / 86_400_000 + salt) * 37) % 23) / 60
  return (weekday === 0 || weekday === 6 ? 0.62 : 1) + uneven
}
