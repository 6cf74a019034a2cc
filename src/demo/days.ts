import {
  type CalendarDate,
  dateOfDayNumber,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  type Moment,
} from "../domain/time/moment.ts"

export type Days = ReturnType<typeof daysAround>

/** Days relative to today, so that the demo always looks current. */
export function daysAround(now: Moment) {
  const today = Math.floor(now / MICROS_PER_DAY)
  return {
    date: (offset: number): CalendarDate => dateOfDayNumber(today + offset),
    /** A moment of that day in UTC, but never in the future. */
    moment(offset: number, hour: number, minute = 0): Moment {
      const seconds = (today + offset) * 86_400 + hour * 3_600 + minute * 60
      return Math.min(seconds * MICROS_PER_SECOND, now)
    },
  }
}

// A long weekend with few listeners.
const HOLIDAY = { first: -25, last: -21, share: 0.45 }

/** The share of ordinary traffic that a day has, which is lower on a holiday. */
export const holidayShare = (offset: number): number =>
  offset >= HOLIDAY.first && offset <= HOLIDAY.last ? HOLIDAY.share : 1

/** How busy a day is: quiet at weekends, a little uneven otherwise, and the same whenever the demo starts on a day. */
export function weightOf(date: CalendarDate, salt = 0): number {
  const ms = Date.parse(date)
  const weekday = new Date(ms).getUTCDay()
  const uneven = (((ms / 86_400_000 + salt) * 37) % 23) / 60
  return (weekday === 0 || weekday === 6 ? 0.62 : 1) + uneven
}
