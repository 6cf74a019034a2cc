import { memoize } from "../memoize.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "./moment.ts"
import { dayOf, type TimeZone } from "./time-zone.ts"

// Times as people read them: always in a zone that whoever shows them names. Programs read RFC 3339 in UTC (`formatMoment`).

// Made at first use: they are slow to make.
const formatOf = memoize(
  600,
  (zone: TimeZone) => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone }),
)
const relative = memoize(1, (language: string) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }))

/** A moment in the zone: 14 Nov 2026, 18:30. */
export function timeInWords(at: Moment, zone: TimeZone): string {
  return formatOf(zone).format(at / 1_000)
}

/** The same where readers have several zones: 14 Nov 2026, 17:30 UTC. */
export const timeInUtc = (at: Moment): string => `${timeInWords(at, "UTC")} UTC`

const MINUTE = 60 * MICROS_PER_SECOND
const HOUR = 60 * MINUTE

/** How long ago: just now, 3 hours ago, yesterday. From a day on calendar days are counted, in the zone: yesterday is the day before today. */
export function ago(at: Moment, now: Moment, zone: TimeZone): string {
  const since = now - at
  const [size, unit] = Math.abs(since) < HOUR ? ([MINUTE, "minute"] as const) : ([HOUR, "hour"] as const)
  const days = Math.abs(since) < MICROS_PER_DAY ? 0 : daysBetween(at, now, zone)
  if (days !== 0) return relative("en").format(-days, "day")
  const count = Math.trunc(since / size)
  return count === 0 ? "just now" : relative("en").format(-count, unit)
}

function daysBetween(at: Moment, now: Moment, zone: TimeZone): number {
  return Math.round(((Date.parse(dayOf(now, zone)) - Date.parse(dayOf(at, zone))) * 1_000) / MICROS_PER_DAY)
}
