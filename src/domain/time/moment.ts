import { memoize } from "../memoize.ts"

// What moment.ts parses, as patterns for schemas.

const leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
const day =
  "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|" +
  `02-(?:0[1-9]|1[0-9]|2[0-8]))|${leapYear}-02-29)`
const timeOfDay = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"
const offset = "[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]"

/** Days that exist; 29 February only in leap years. */
export const DAY_PATTERN = `^${day}$`
/** A day, or a moment as RFC 3339 writes it, in which T and Z may be small letters. */
export const DAY_OR_MOMENT_PATTERN = `^${day}(?:[Tt]${timeOfDay}(?:[Zz]|${offset}))?$`
/** A moment as AdCP writes it. */
export const MOMENT_PATTERN = `^${day}T${timeOfDay}(?:Z|${offset})$`

/** A point in time: microseconds since 1970-01-01T00:00:00Z. */
export type Moment = number

/** `YYYY-MM-DD`. Dates compare as strings. */
export type CalendarDate = string

export const MICROS_PER_MS = 1_000
export const MICROS_PER_SECOND = 1_000_000
export const MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND

/** 0000-01-01 and 9999-12-31, the first and the last day that `YYYY-MM-DD` can express. */
const FIRST_DAY = -719_528
const LAST_DAY = 2_932_896
const MS_PER_DAY = 86_400_000
// The calendar repeats after 400 years. Date takes years below 100 for those of the last century.
const YEARS_LATER = 400
const DAYS_LATER = 146_097

// The rows of a feed have the days of a month or two at most.
const DAYS_CACHED_MAX = 64
const isDay = memoize(DAYS_CACHED_MAX, (text: string) => dayNumberAt(text) !== undefined)

/** Parses exactly `YYYY-MM-DD`; undefined for a day that does not exist, such as 30 February. */
export const parseDate = (text: string): CalendarDate | undefined =>
  text.length === 10 && isDay(text) ? text : undefined

/** Parses an RFC 3339 timestamp; undefined without `Z` or an offset. Digits beyond the microsecond are cut off. */
export function parseTimestamp(text: string): Moment | undefined {
  const day = dayNumberAt(text)
  if (day === undefined || !isOneOf(text, 10, "T", "t")) return undefined
  if (text[13] !== ":" || text[16] !== ":") return undefined
  const hour = twoDigits(text, 11, 23)
  const minute = twoDigits(text, 14, 59)
  const second = twoDigits(text, 17, 59)
  if (hour < 0 || minute < 0 || second < 0) return undefined

  const fractionEnd = text[19] === "." ? endOfDigits(text, 20) : 19
  if (fractionEnd === 20) return undefined
  const offsetMinutes = parseOffset(text, fractionEnd)
  if (offsetMinutes === undefined) return undefined

  const seconds = day * 86_400 + hour * 3_600 + (minute - offsetMinutes) * 60 + second
  return seconds * MICROS_PER_SECOND + microsAt(text, 20, fractionEnd)
}

/** The nearest moment that has a date. Only somebody who changes the database by hand can store another. */
export const withDate = (moment: Moment): Moment =>
  Math.min(Math.max(moment, FIRST_DAY * MICROS_PER_DAY), (LAST_DAY + 1) * MICROS_PER_DAY - MICROS_PER_SECOND)

/** RFC 3339 in UTC, as short as the moment allows: whole seconds, milliseconds or microseconds. */
export function formatMoment(at: Moment): string {
  const moment = withDate(at)
  const ms = Math.floor(moment / MICROS_PER_MS)
  const micros = moment - ms * MICROS_PER_MS
  const text = new Date(ms).toISOString()
  if (micros > 0) return `${text.slice(0, -1)}${String(micros).padStart(3, "0")}Z`
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text
}

export const formatMinute = (moment: Moment): string => `${formatMoment(moment).slice(0, 16)}Z`

export const formatSecond = (moment: Moment): string => `${formatMoment(moment).slice(0, 19)}Z`

/** Whether a moment is later than now, compared in milliseconds, because the clock is not finer. */
export const isAfter = (moment: Moment, now: Moment): boolean =>
  Math.floor(moment / MICROS_PER_MS) > Math.floor(now / MICROS_PER_MS)

export const dayAfter = (date: CalendarDate): CalendarDate => dateOfDayNumber((dayNumberAt(date) ?? 0) + 1)

export const daysBefore = (date: CalendarDate, days: number): CalendarDate =>
  dateOfDayNumber((dayNumberAt(date) ?? 0) - days)

export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (dayNumberAt(to) ?? 0) - (dayNumberAt(from) ?? 0)

/** The date this many days after 1970-01-01, from 0000-01-01 to 9999-12-31. */
export const dateOfDayNumber = (day: number): CalendarDate =>
  new Date(Math.min(Math.max(day, FIRST_DAY), LAST_DAY) * MS_PER_DAY).toISOString().slice(0, 10)

/** Days since 1970-01-01 of the date at the start of the text, or undefined when it is not a date. */
function dayNumberAt(text: string): number | undefined {
  if (text[4] !== "-" || text[7] !== "-") return undefined
  const century = twoDigits(text, 0, 99)
  const yearOfCentury = twoDigits(text, 2, 99)
  const month = twoDigits(text, 5, 12)
  const day = twoDigits(text, 8, 31)
  if (century < 0 || yearOfCentury < 0 || month < 1 || day < 1) return undefined
  const later = Date.UTC(century * 100 + yearOfCentury + YEARS_LATER, month - 1, day)
  // 30 February would be a day in March.
  return new Date(later).getUTCDate() === day ? later / MS_PER_DAY - DAYS_LATER : undefined
}

/** The two digits at a position, or -1 when they are not digits or more than `most`. */
function twoDigits(text: string, at: number, most: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  if (!(tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) return -1
  const value = tens * 10 + ones
  return value <= most ? value : -1
}

function endOfDigits(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++
  return at
}

function microsAt(text: string, from: number, end: number): number {
  let micros = 0
  for (let at = from; at < from + 6; at++) micros = micros * 10 + (at < end ? text.charCodeAt(at) - 48 : 0)
  return micros
}

/** Minutes east of UTC, parsed from `at` to the end of the text. */
function parseOffset(text: string, at: number): number | undefined {
  if (isOneOf(text, at, "Z", "z")) return text.length === at + 1 ? 0 : undefined
  if (!isOneOf(text, at, "+", "-") || text.length !== at + 6 || text[at + 3] !== ":") return undefined
  const hours = twoDigits(text, at + 1, 23)
  const minutes = twoDigits(text, at + 4, 59)
  if (hours < 0 || minutes < 0) return undefined
  return (hours * 60 + minutes) * (text[at] === "-" ? -1 : 1)
}

const isOneOf = (text: string, at: number, a: string, b: string): boolean => text[at] === a || text[at] === b

const MICROS_BY_UNIT: Readonly<Record<string, Moment>> = {
  s: MICROS_PER_SECOND,
  m: 60 * MICROS_PER_SECOND,
  h: 3_600 * MICROS_PER_SECOND,
  d: MICROS_PER_DAY,
}

/** "30m", "24h" or "7d" in microseconds; undefined for anything else, and for nothing. */
export function readDuration(text: string): Moment | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const micros = Number(count) * (MICROS_BY_UNIT[unit] ?? 0)
  return micros > 0 ? micros : undefined
}

/** As it can be typed: 24h, 5m or 90s. */
export function durationInWords(micros: Moment): string {
  const unit = (["h", "m"] as const).find((name) => micros % (MICROS_BY_UNIT[name] ?? 1) === 0) ?? "s"
  return `${micros / (MICROS_BY_UNIT[unit] ?? 1)}${unit}`
}
