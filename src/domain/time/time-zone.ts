import { memoize } from "../memoize.ts"
import { type CalendarDate, dateOfDayNumber, dayAfter, MICROS_PER_DAY, type Moment } from "./moment.ts"

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

// Whoever looks at thousands of lines asks for today again and again.
let lastMoment: Moment | undefined
let lastZone: TimeZone | undefined
let lastDay: CalendarDate = ""

/** The calendar date in the zone at this moment. */
export function dayOf(moment: Moment, zone: TimeZone): CalendarDate {
  if (moment !== lastMoment || zone !== lastZone) {
    lastDay = dateOfDay(Math.floor((moment + offsetAt(moment, zone)) / MICROS_PER_DAY))
    lastMoment = moment
    lastZone = zone
  }
  return lastDay
}

/** The first moment of the day in the zone. It is not midnight where the clocks skip midnight. */
export function startOfDay(date: CalendarDate, zone: TimeZone): Moment {
  return dayStarts(zone)(date)
}

/** The last microsecond of the day in the zone. For a day that the zone skipped: of the day before it. */
export function endOfDay(date: CalendarDate, zone: TimeZone): Moment {
  return dayEnds(zone)(date)
}

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

/** A period in which a zone has one offset from UTC. */
interface OffsetPeriod {
  readonly from: Moment
  readonly until: Moment
  readonly offset: number
}

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
  const at = Temporal.Instant.fromEpochNanoseconds(BigInt(moment) * 1_000n).toZonedDateTimeISO(zone)
  const next = at.getTimeZoneTransition("next")
  // A nanosecond later, so that a moment exactly at a transition belongs to the new period.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition("previous")
  return {
    from: previous === null ? Number.NEGATIVE_INFINITY : momentOf(previous),
    until: next === null ? Number.POSITIVE_INFINITY : momentOf(next),
    offset: at.offsetNanoseconds / 1_000,
  }
}

function momentOf(at: Temporal.ZonedDateTime): Moment {
  return Number(at.epochNanoseconds / 1_000n)
}
