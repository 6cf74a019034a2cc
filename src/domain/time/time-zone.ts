import { memoize } from "../memoize.ts"
import type { CalendarDate, Moment } from "./moment.ts"
import { dateOfDayNumber, dayAfter, MICROS_PER_DAY, MICROS_PER_SECOND, withDate } from "./moment.ts"

/** The name of an IANA time zone, such as `Europe/Berlin`. */
export type TimeZone = string

/** Whether this is an IANA name. A bare offset such as `+01:00` is refused, because it has no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

const lastPart = (name: string) => name.slice(name.lastIndexOf("/") + 1).toLowerCase()

/** The IANA name that somebody means, by its city too: "Berlin". As typed where none fits, or several do. */
export function namedTimeZone(typed: string): TimeZone {
  const name = typed.trim().replace(/\s+/g, "_")
  if (isTimeZone(name)) return name
  const [only, another] = Intl.supportedValuesOf("timeZone").filter((zone) => lastPart(zone) === name.toLowerCase())
  return only !== undefined && another === undefined ? only : typed
}

// A page with thousands of lines asks for today again and again.
let lastMoment: Moment | undefined
let lastZone: TimeZone | undefined
let lastDay: CalendarDate = ""

export function dayOf(moment: Moment, zone: TimeZone): CalendarDate {
  if (moment !== lastMoment || zone !== lastZone) {
    lastDay = dateOfDay(Math.floor((moment + offsetAt(moment, zone)) / MICROS_PER_DAY))
    lastMoment = moment
    lastZone = zone
  }
  return lastDay
}

/** The first moment of the day in the zone. It is not midnight where the clocks skip midnight. */
export const startOfDay = (date: CalendarDate, zone: TimeZone): Moment => dayStarts(zone)(date)

/** The last microsecond of the day in the zone. For a day that the zone skipped: of the day before it. */
export const endOfDay = (date: CalendarDate, zone: TimeZone): Moment => dayEnds(zone)(date)

/** The moment at which clocks in the zone show this time (HH:MM:SS); undefined when there is no such time of day. */
export function momentAt(date: CalendarDate, time: string, zone: TimeZone): Moment | undefined {
  try {
    return momentOf(Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" }).toZonedDateTime(zone))
  } catch {
    return undefined
  }
}

const ZONES_KEPT = 32
const DAYS_KEPT = 2_048

const dayStarts = memoize(ZONES_KEPT, (zone: TimeZone) =>
  memoize(DAYS_KEPT, (date: CalendarDate) => momentOf(Temporal.PlainDate.from(date).toZonedDateTime(zone))),
)

const dayEnds = memoize(ZONES_KEPT, (zone: TimeZone) => memoize(DAYS_KEPT, (date: CalendarDate) => endOf(date, zone)))

function endOf(date: CalendarDate, zone: TimeZone): Moment {
  const midnight = Temporal.PlainDate.from(date).add({ days: 1 }).toPlainDateTime()
  // Where clocks go back over midnight, the day ends twice; the second end counts.
  const last = momentOf(midnight.toZonedDateTime(zone, { disambiguation: "later" })) - 1
  return dayOf(last, zone) === date ? last : startOfDay(dayAfter(date), zone) - 1
}

const dateOfDay = memoize(4_096, dateOfDayNumber)

type OffsetPeriod = Readonly<{ from: Moment; until: Moment; offset: number }>

const PERIODS_PER_ZONE_MAX = 32
const periodsOfZone = new Map<TimeZone, OffsetPeriod[]>()

function offsetAt(moment: Moment, zone: TimeZone): number {
  const periods = periodsOfZone.get(zone) ?? []
  for (const period of periods) if (moment >= period.from && moment < period.until) return period.offset
  const period = findPeriod(moment, zone)
  periodsOfZone.set(zone, [period, ...periods.slice(0, PERIODS_PER_ZONE_MAX - 1)])
  return period.offset
}

function findPeriod(moment: Moment, zone: TimeZone): OffsetPeriod {
  const at = Temporal.Instant.fromEpochNanoseconds(BigInt(withDate(moment)) * 1_000n).toZonedDateTimeISO(zone)
  const next = at.getTimeZoneTransition("next")
  // A nanosecond later, so that a moment exactly at a transition belongs to the new period.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition("previous")
  return {
    from: previous === null ? Number.NEGATIVE_INFINITY : momentOf(previous),
    until: next === null ? Number.POSITIVE_INFINITY : momentOf(next),
    offset: at.offsetNanoseconds / 1_000,
  }
}

const momentOf = (at: Temporal.ZonedDateTime): Moment => Number(at.epochNanoseconds / 1_000n)

// Times as people read them: always in a zone that the page names. Programs read RFC 3339 in UTC (`formatMoment`).

// Made at first use: they are slow to make.
const formatOf = memoize(
  600,
  (zone: TimeZone) => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone }),
)
const relative = memoize(1, (language: string) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }))

const dayFormat = memoize(1, (_: "UTC") => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }))

/** A calendar date as people write it: 1 Nov 2026. */
export const dayInWords = (date: CalendarDate): string => dayFormat("UTC").format(new Date(`${date}T00:00:00Z`))

/** A moment in the zone: 14 Nov 2026, 18:30. */
export const timeInWords = (at: Moment, zone: TimeZone): string => formatOf(zone).format(withDate(at) / 1_000)

const clockOf = memoize(
  600,
  (zone: TimeZone) => new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: zone }),
)

/** The time of day in the zone: 18:30:05. */
export const timeOfDay = (at: Moment, zone: TimeZone): string => clockOf(zone).format(withDate(at) / 1_000)

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

const daysBetween = (at: Moment, now: Moment, zone: TimeZone): number =>
  Math.round(((Date.parse(dayOf(now, zone)) - Date.parse(dayOf(at, zone))) * 1_000) / MICROS_PER_DAY)
