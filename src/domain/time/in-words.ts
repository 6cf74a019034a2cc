import { type CalendarDate, MICROS_PER_DAY, MICROS_PER_MS, MICROS_PER_SECOND, type Moment } from "./moment.ts"

const HOUR = 3_600 * MICROS_PER_SECOND

/** "18 Nov 2026, 23:29 UTC", for messages that have no time zone of a reader. */
export function momentInWords(moment: Moment): string {
  const iso = new Date(moment / MICROS_PER_MS).toISOString()
  return `${dateInWords(iso.slice(0, 10))}, ${iso.slice(11, 16)} UTC`
}

/** "18 Nov 2026". */
export const dateInWords = (date: CalendarDate): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  })

/** "2 days and 6 hours". */
export function spanInWords(span: Moment): string {
  const days = Math.floor(span / MICROS_PER_DAY)
  const hours = Math.floor((span % MICROS_PER_DAY) / HOUR)
  const words = [counted(days, "day"), counted(hours, "hour")].filter((word) => word !== null)
  return words.length === 0 ? "less than an hour" : words.join(" and ")
}

const counted = (count: number, unit: string): string | null =>
  count === 0 ? null : `${count} ${unit}${count === 1 ? "" : "s"}`
