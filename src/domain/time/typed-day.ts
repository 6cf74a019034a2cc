import type { Errors } from "../errors.ts"
import { type CalendarDate, isDate, MICROS_PER_MS, type Moment, readTimestamp } from "./moment.ts"
import type { TimeZone } from "./time-zone.ts"

/** Which number of 02/11/2026 is the day. */
export const DATE_ORDERS = ["day_first", "month_first"] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

export type TypedDay =
  /** A time of day makes it a moment. The order is the one that the text proves, as 11/14/2026 does. */
  | { readonly asOf: CalendarDate | Moment; readonly order: DateOrder | null }
  | {
      readonly error: string
      /** Both readings of a day that has two, the one with the day first at the beginning. */
      readonly readings?: readonly [dayFirst: CalendarDate, monthFirst: CalendarDate]
    }

// Longer than any day or time, and short enough to look at more than once.
const CHARACTERS_MAX = 100

const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const NUMBERS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?$/
// 14 Nov 2026, 14. November 2026, 14-Nov-26, 14 de nov. de 2026 and November 14, 2026.
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|er|ème|\.)?[ /-](?:de )?(\p{L}{3,10})\.?,?[ /-](?:de )?((?:\d\d)?\d\d)$/iu
const MONTH_FIRST = /^(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/iu
const WITH_TIME = /^(.+?)[T ,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?: ?([ap])\.?m\.?)?( ?(?:UTC|GMT))?$/i
const FIRST_WORD = /^(\p{L}{2,10})\.?,? +/u
// Days as spreadsheets number them, from 2009 to 2064.
const SERIAL = /^[45]\d{4}(?:[.,]\d+)?$/

// English, German, French, Spanish and Portuguese.
const MONTHS = (
  "january/januar/janvier/enero/janeiro february/februar/février/febrero/fevereiro march/märz/mars/marzo/março " +
  "april/avril/abril may/mai/mayo/maio june/juni/juin/junio/junho july/juli/juillet/julio/julho august/août/agosto " +
  "september/septembre/septiembre/setembro october/oktober/octobre/octubre/outubro " +
  "november/novembre/noviembre/novembro december/dezember/décembre/diciembre/dezembro"
)
  .split(" ")
  .map((names) => names.split("/"))
const WEEKDAYS = (
  "monday tuesday wednesday weds thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag " +
  "sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles miercoles jueves " +
  "viernes sábado sabado domingo"
).split(" ")

/**
 * Reads a day or a time as people and ad servers write it. 02.11.2026 is in November everywhere, but 02/11/2026 isn't, so it's
 * refused until the order is known. A time without an offset is meant in the time zone.
 */
export function readTypedDay(typed: string, order: DateOrder | null, timeZone: TimeZone): TypedDay {
  const text = typed.trim()
  if (text.length > CHARACTERS_MAX) return notADay(text)
  if (isDate(text)) return { asOf: text, order: null }
  const moment = readTimestamp(text)
  if (moment !== null) return { asOf: moment, order: null }
  const [, before, hours = "", minutes = "", seconds = "00", half, utc] = WITH_TIME.exec(text) ?? []
  if (before === undefined) return readDay(text, order)
  const read = readDay(before, order)
  if ("error" in read || typeof read.asOf === "number") return read
  const hour = half === undefined ? hours.padStart(2, "0") : hourOf(Number(hours), half)
  const at = momentAt(read.asOf, `${hour}:${minutes}:${seconds}`, utc === undefined ? timeZone : "UTC")
  return at === null ? notADay(text) : { asOf: at, order: read.order }
}

function momentAt(day: CalendarDate, time: string, timeZone: TimeZone): Moment | null {
  if (!/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time)) return null
  return Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timeZone).epochMilliseconds * MICROS_PER_MS
}

/** The hour of a day that is counted in two halves. Empty if it's more than twelve. */
function hourOf(hours: number, half: string): string {
  if (hours < 1 || hours > 12) return ""
  return String((hours % 12) + (half.toLowerCase() === "p" ? 12 : 0)).padStart(2, "0")
}

function readDay(text: string, order: DateOrder | null): TypedDay {
  const read = readDate(text, order)
  if (!("error" in read) || read.readings !== undefined) return read
  // "Fr, 13.11.2026". This comes last, because "Mar" is a month as well.
  const [start, word = "-"] = FIRST_WORD.exec(text) ?? [""]
  const isWeekday = WEEKDAYS.some((name) => name.startsWith(word.toLowerCase()))
  return isWeekday ? readDate(text.slice(start.length), order) : read
}

function readDate(text: string, order: DateOrder | null): TypedDay {
  const [, year = "", month = "", day = ""] = COMPACT.exec(text) ?? namedDay(text) ?? []
  if (year !== "") return dayFrom(text, dateOf(year, month, day))
  const [, first = "", separator = "", second = "", third = ""] = NUMBERS.exec(text) ?? []
  if (first.length === 4) return dayFrom(text, dateOf(first, second, third))
  // In a date with hyphens and two digits, the year may come first.
  const isShort = third.length === 2 && separator !== "-"
  if (third.length !== 4 && !isShort) return notADay(text)
  const fullYear = isShort ? `20${third}` : third
  const dayFirst = dateOf(fullYear, second, first)
  const monthFirst = separator === "." ? null : dateOf(fullYear, first, second)
  if (dayFirst === null || monthFirst === null || dayFirst === monthFirst) {
    const proven = separator === "." || dayFirst === monthFirst ? null : dayFirst === null ? "month_first" : "day_first"
    return dayFrom(text, dayFirst ?? monthFirst, proven)
  }
  if (order !== null) return { asOf: order === "day_first" ? dayFirst : monthFirst, order: null }
  const error = `${text} can mean ${dayFirst} or ${monthFirst}. Write it as ${dayFirst} or ${monthFirst}.`
  return { error, readings: [dayFirst, monthFirst] }
}

/** The parts of a date with the name of its month, or with enough letters to tell it from the others. */
function namedDay(text: string): readonly string[] | null {
  const plain = text.replaceAll(/\s+/g, " ")
  const [, day = "", monthAfter, year = ""] = DAY_FIRST.exec(plain) ?? []
  const [, month = monthAfter, dayAfter = day, yearAfter = year] = MONTH_FIRST.exec(plain) ?? []
  const wanted = month?.toLowerCase() ?? "-"
  const months = MONTHS.flatMap((names, i) => (names.some((each) => each.startsWith(wanted)) ? [i + 1] : []))
  return months.length === 1 ? [text, yearAfter.padStart(4, "20"), String(months[0]), dayAfter] : null
}

function dateOf(year: string, month: string, day: string): CalendarDate | null {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  return isDate(date) ? date : null
}

const dayFrom = (text: string, asOf: CalendarDate | null, order: DateOrder | null = null): TypedDay =>
  asOf === null ? notADay(text) : { asOf, order }

function notADay(text: string): TypedDay {
  const quoted = text.replace(/\p{C}/gu, "").slice(0, 40)
  if (SERIAL.test(text)) {
    const cure = "Format the column as dates, such as 2026-11-14, before you save the file."
    return { error: `${quoted} is a day as spreadsheets number them. ${cure}` }
  }
  return { error: `${quoted} isn’t a day. Write it as 2026-11-14.` }
}

/** A day without a time means the end of that day. */
type ReadWhen = { readonly asOf: CalendarDate | Moment } | { readonly errors: Errors }

/** Reads a day and a time of day, each from its own field. */
export function readWhen(texts: { readonly day: string; readonly time: string }, timeZone: TimeZone): ReadWhen {
  const { day, time } = texts
  if (!isDate(day)) return { errors: { day: "Enter a day, such as 2026-11-14." } }
  if (time === "") return { asOf: day }
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return { errors: { time: "Enter a time, such as 18:30." } }
  // When clocks go forward, 02:30 doesn't exist, so it's read as an hour later.
  return {
    asOf: Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timeZone).epochMilliseconds * MICROS_PER_MS,
  }
}

/** The time that clocks in the zone show: "18:30". */
export const timeOf = (moment: Moment, timeZone: TimeZone): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(moment / MICROS_PER_MS)
