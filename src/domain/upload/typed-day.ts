import { memoize } from "../memoize.ts"
import { formatMoment, parseDate, parseTimestamp } from "../time/moment.ts"
import { momentAt, type TimeZone } from "../time/time-zone.ts"
import type { UploadChoices } from "./upload.ts"

export type DateOrder = NonNullable<UploadChoices["dates"]>

export type TypedDay =
  /** As the API takes it, and the form it was written in. */
  | { readonly ok: true; readonly value: string; readonly form: DayForm }
  | { readonly ok: false; readonly message: string; readonly isAmbiguous: boolean }

export type DayForm = "iso" | "timestamp" | "day_first" | "month_first" | "local_time"

const DATE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const LOCAL = /^(\S+?)[T ,]+(\d{1,2}):(\d\d)(?::(\d\d))?$/

/**
 * Reads a day, or a time, as people and ad servers write them. 02.11.2026 is a day of November everywhere; 02/11/2026 is not, and is
 * refused until somebody says which comes first. A time without a zone is one of the organization's zone.
 */
export function dayReader(zone: TimeZone, order: DateOrder | null): (text: string) => TypedDay {
  return memoize(4_096, (text: string) => {
    const isOurs = parseDate(text) !== undefined
    if (isOurs || parseTimestamp(text) !== undefined) {
      return { ok: true, value: text, form: isOurs ? "iso" : "timestamp" }
    }
    const [, before = "", hours = "", minutes = "", seconds = "00"] = LOCAL.exec(text) ?? []
    if (before === "") return readDay(text, order)
    const day = readDay(before, order)
    const at = day.ok ? momentAt(day.value, `${hours.padStart(2, "0")}:${minutes}:${seconds}`, zone) : undefined
    if (!day.ok) return day
    return at === undefined ? notADay(text) : { ok: true, value: formatMoment(at), form: "local_time" }
  })
}

function readDay(text: string, order: DateOrder | null): TypedDay {
  const [, year, month, day] = COMPACT.exec(text) ?? []
  if (year !== undefined) return dayOf(text, [year, month ?? "", day ?? ""], "iso")
  const [, first = "", separator = "", second = "", third = ""] = DATE.exec(text) ?? []
  if (first.length === 4) return dayOf(text, [first, second, third], "iso")
  if (third.length !== 4) return notADay(text)
  const dayFirst = dayOf(text, [third, second, first], "day_first")
  if (separator === ".") return dayFirst
  const monthFirst = dayOf(text, [third, first, second], "month_first")
  if (!dayFirst.ok || !monthFirst.ok) return dayFirst.ok ? dayFirst : monthFirst
  if (dayFirst.value === monthFirst.value || order === "day_first") return dayFirst
  if (order === "month_first") return monthFirst
  return { ok: false, isAmbiguous: true, message: `${text} can mean ${dayFirst.value} or ${monthFirst.value}.` }
}

function dayOf(text: string, [year, month, day]: readonly [string, string, string], form: DayForm): TypedDay {
  const value = parseDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`)
  return value === undefined ? notADay(text) : { ok: true, value, form }
}

function notADay(text: string): TypedDay {
  const shown = text.replace(/\p{C}/gu, "").slice(0, 40)
  return { ok: false, isAmbiguous: false, message: `${shown} is not a day. Write it as 2026-11-14.` }
}
