import { memoize } from "../memoize.ts"
import { type CalendarDate, formatMoment, parseDate, parseTimestamp } from "./moment.ts"
import { momentAt, type TimeZone } from "./time-zone.ts"

/** Which number of 02/11/2026 is the day. */
export const DATE_ORDERS = ["day_first", "month_first"] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

export const isDateOrder = (text: unknown): text is DateOrder => DATE_ORDERS.some((order) => order === text)

type TypedDay =
  /** As the API takes it. */
  | {
      readonly ok: true
      readonly value: string
      /** Which number must come first, where the separator does not say it but the day does: 11/14/2026. */
      readonly order: DateOrder | null
    }
  | { readonly ok: false; readonly message: string; readonly isAmbiguous: boolean }

// Longer than any day or time, and short enough for expressions that look at a text more than once.
const DAY_CHARACTERS_MAX = 100

const DATE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?$/
// Days since 1900, or since 1904: which, the number does not say. From 2009 to 2064.
const SERIAL = /^[45]\d{4}(?:[.,]\d+)?$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const LOCAL = /^(.+?)[T ,]+(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([ap])\.?m\.?)?$/i
// 14 Nov 2026, 14. November 2026 and November 14, 2026.
const NAMED =
  /^(?:(\d{1,2})(?:st|nd|rd|th|\.)? (\p{L}{3,10})\.?,?|(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,?) (\d{4})$/iu
// English, German, French and Spanish.
const MONTHS = (
  "january/januar/janvier/enero february/februar/février/febrero march/märz/mars/marzo april/avril/abril may/mai/mayo " +
  "june/juni/juin/junio july/juli/juillet/julio august/août/agosto september/septembre/septiembre " +
  "october/oktober/octobre/octubre november/novembre/noviembre december/dezember/décembre/diciembre"
)
  .split(" ")
  .map((names) => names.split("/"))
const WEEKDAYS = (
  "monday tuesday wednesday weds thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend " +
  "sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles miercoles jueves viernes sábado sabado domingo"
).split(" ")
const FIRST_WORD = /^(\p{L}{2,10})\.?,? +/u

/**
 * Reads a day, or a time, as people and ad servers write them. 02.11.2026 is a day of November everywhere; 02/11/2026 is not, and is
 * refused until somebody says which comes first. A time without a zone is one of the organization's zone.
 */
export function dayReader(zone: TimeZone, order: DateOrder | null): (text: string) => TypedDay {
  const read = memoize(4_096, (text: string): TypedDay => {
    if (parseDate(text) !== undefined || parseTimestamp(text) !== undefined)
      return { ok: true, value: text, order: null }
    const [, before = "", hour = "", minutes = "", seconds = "00", half] = LOCAL.exec(text) ?? []
    if (before === "") return readDay(text, order)
    const hours = half === undefined ? hour : hourOf(hour, half)
    const day = readDay(before, order)
    const at = day.ok ? momentAt(day.value, `${hours.padStart(2, "0")}:${minutes}:${seconds}`, zone) : undefined
    if (!day.ok) return day
    return at === undefined ? notADay(text) : { ok: true, value: formatMoment(at), order: day.order }
  })
  return (text) => (text.length > DAY_CHARACTERS_MAX ? notADay(text) : read(text))
}

/** The hour of a day that is counted in two halves; none where it is more than twelve. */
function hourOf(hour: string, half: string): string {
  const hours = Number.parseInt(hour, 10)
  if (hours < 1 || hours > 12) return ""
  return String((hours % 12) + (half.toLowerCase() === "p" ? 12 : 0))
}

function readDay(text: string, order: DateOrder | null): TypedDay {
  if (text.length > DAY_CHARACTERS_MAX) return notADay(text)
  const read = readDate(text, order)
  if (read.ok || read.isAmbiguous) return read
  // "Fr, 13.11.2026". Last, because "Mar" is a month as well.
  const [start, word = "-"] = FIRST_WORD.exec(text) ?? [""]
  const isWeekday = WEEKDAYS.some((name) => name.startsWith(word.toLowerCase()))
  return isWeekday ? readDate(text.slice(start.length), order) : read
}

function readDate(text: string, order: DateOrder | null): TypedDay {
  const [, year, month, day] = COMPACT.exec(text) ?? []
  if (year !== undefined) return dayOf(text, [year, month ?? "", day ?? ""])
  const named = namedDay(text)
  if (named !== undefined) return dayOf(text, named)
  const [, first = "", separator = "", second = "", third = ""] = DATE.exec(text) ?? []
  if (first.length === 4) return dayOf(text, [first, second, third])
  // Of two digits, and not of a date with hyphens, in which the year may come first.
  const isShort = third.length === 2 && separator !== "-"
  if (third.length !== 4 && !isShort) return notADay(text)
  const year4 = isShort ? `20${third}` : third
  const dayFirst = dayOf(text, [year4, second, first])
  if (separator === ".") return dayFirst
  const monthFirst = dayOf(text, [year4, first, second])
  if (!monthFirst.ok) return dayFirst.ok ? { ...dayFirst, order: "day_first" } : dayFirst
  if (!dayFirst.ok) return { ...monthFirst, order: "month_first" }
  if (dayFirst.value === monthFirst.value || order === "day_first") return dayFirst
  if (order === "month_first") return monthFirst
  return { ok: false, isAmbiguous: true, message: `${text} can mean ${dayFirst.value} or ${monthFirst.value}.` }
}

/** Year, month and day of a date with the name of its month; at least three letters of it, and enough to tell it from others. */
function namedDay(text: string): readonly [string, string, string] | undefined {
  const [, before, name, other, after, year = ""] = NAMED.exec(text.replaceAll(/\s+/g, " ")) ?? []
  const wanted = (name ?? other ?? "-").toLowerCase()
  const months = MONTHS.flatMap((names, i) => (names.some((entry) => entry.startsWith(wanted)) ? [i + 1] : []))
  return months.length === 1 ? [year, String(months[0]), before ?? after ?? ""] : undefined
}

function dayOf(text: string, [year, month, day]: readonly [string, string, string]): TypedDay {
  const value = parseDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`)
  return value === undefined ? notADay(text) : { ok: true, value, order: null }
}

function notADay(text: string): TypedDay {
  const excerpt = text.replace(/\p{C}/gu, "").slice(0, 40)
  const isSerial = SERIAL.test(text)
  const message = isSerial
    ? `${excerpt} is a day as spreadsheets count them. Show the column as dates, such as 2026-11-14, before you save the file.`
    : `${excerpt} is not a day. Write it as 2026-11-14.`
  return { ok: false, isAmbiguous: false, message }
}

/** A day that somebody typed, as YYYY-MM-DD; undefined when it is none, or could be two. */
type ReadDay = { readonly ok: true; readonly day: CalendarDate } | { readonly ok: false; readonly message: string }

export function readTypedDay(text: string): ReadDay {
  const read = readDay(text.trim(), null)
  if (!read.ok)
    return { ok: false, message: read.isAmbiguous ? `${read.message} Write it as 2026-11-14.` : read.message }
  return { ok: true, day: read.value }
}

/** A period of days. Either end may be open. */
export interface TypedPeriod {
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
  readonly errors: Readonly<{ from?: string; to?: string }>
}

export function readPeriod(fromText: string, toText: string): TypedPeriod {
  const [from, to] = [fromText, toText].map((text) => (text.trim() === "" ? null : readTypedDay(text)))
  const errors = {
    ...(from?.ok === false && { from: from.message }),
    ...(to?.ok === false && { to: to.message }),
  }
  const [first, last] = [from?.ok ? from.day : null, to?.ok ? to.day : null]
  const isBackwards = first !== null && last !== null && last < first
  return {
    from: first,
    to: last,
    errors: isBackwards ? { to: `${last} is before ${first}. Choose a later day, or swap the two.` } : errors,
  }
}

type ReadMoment =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly field: "day" | "time"; readonly message: string }

/**
 * A day and a time of day of a form, as the API takes them: empty for now, a date for the end of that day, else a timestamp. A whole
 * timestamp may be typed as the day. A time alone is one of today.
 */
export function readTypedMoment(dayText: string, timeText: string, zone: TimeZone, today: CalendarDate): ReadMoment {
  const [dayTyped, timeTyped] = [dayText.trim(), timeText.trim()]
  if (timeTyped === "") {
    if (dayTyped === "") return { ok: true, value: "" }
    const read = dayReader(zone, null)(dayTyped)
    return read.ok ? { ok: true, value: read.value } : { ok: false, field: "day", message: read.message }
  }
  const day = dayTyped === "" ? { ok: true as const, day: today } : readTypedDay(dayTyped)
  if (!day.ok) return { ok: false, field: "day", message: day.message }
  const [, hours = "", minutes = "", seconds = "00"] = /^(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?$/.exec(timeTyped) ?? []
  const at = hours === "" ? undefined : momentAt(day.day, `${hours.padStart(2, "0")}:${minutes}:${seconds}`, zone)
  if (at !== undefined) return { ok: true, value: formatMoment(at) }
  return { ok: false, field: "time", message: "Enter a time of day such as 18:30." }
}
