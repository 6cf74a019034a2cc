import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { startOfDay } from "../time/time-zone.ts"
import { timeOf } from "../time/typed-day.ts"
import type { FileTotal } from "./daily.ts"
import type { Part } from "./parts.ts"
import type { FileLine } from "./rows.ts"
import { inWords } from "./upload.ts"

const HOUR = 3_600 * MICROS_PER_SECOND

/**
 * Why a day that isn't counted may be misread: it stands between days that are counted. Files are in order, so days before the flight
 * and forecasts are at their ends, but Excel swaps day and month in the middle.
 */
export function dayOutOfOrder(figures: readonly Part[], { flightStart }: FileLine, { today }: Receipt): string | null {
  const isCounted = ({ day }: Part) => day >= flightStart && day <= today
  const first = figures.findIndex(isCounted)
  const last = figures.findLastIndex(isCounted)
  const odd = figures.slice(first, last).find((part) => part.quantity > 0 && !isCounted(part))
  if (odd === undefined) return null
  const why = odd.day > today ? "is in the future" : "is before the flight"
  return `Row ${odd.row} isn’t counted because ${dateInWords(odd.day)} ${why}, but it stands between other days. If its day is wrong, the total is too low.`
}

/**
 * Why rows may be missing: the file has none for a day, and adds up to less until then than is known. A file needs no rows
 * for days without delivery. But a person who only types new figures also leaves out days with known ones.
 */
export function dayMissing(
  totals: readonly FileTotal[],
  days: readonly LineDay[],
  firstDay: CalendarDate | null,
  before: number,
  { name }: FileLine,
): string | null {
  const inFile = new Set(totals.map(({ asOf }) => asOf))
  const last = totals.at(-1)?.asOf ?? ""
  let known = Number.POSITIVE_INFINITY
  for (const { day, low, quantity } of days.toReversed()) {
    // A later total that was lower shows that the ones before it were too high.
    known = Math.min(known, low, quantity)
    if (firstDay === null || day < firstDay || day >= last || inFile.has(day)) continue
    const until = totals.findLast(({ asOf }) => asOf < day)?.quantity ?? before
    if (until < known)
      return `The file has no row for ${dateInWords(day)} and adds up to ${inWords(until)} until then, but ${name} already had ${inWords(known)}. If rows are missing, the total is too low.`
  }
  return null
}

/** Where a file begins: its first day, and its first time if it has times. */
export interface FileBegin {
  readonly firstDay: CalendarDate | null
  readonly firstMoment: Moment | null
}

/**
 * Why the first day of an hourly file may be incomplete: it begins later than the day, and an earlier file had this day. A day that is
 * sent again replaces what was reported for it, so the hours of the earlier file would be lost.
 */
export function beginsLate(
  figures: readonly Part[],
  days: readonly LineDay[],
  { firstDay, firstMoment }: FileBegin,
  { timeZone }: Receipt,
): string | null {
  if (firstMoment === null || firstDay === null || firstMoment < startOfDay(firstDay, timeZone) + HOUR) return null
  const isHourly = [...Map.groupBy(figures, ({ day }) => day).values()].some(
    (ofDay) => new Set(ofDay.map(({ asOf }) => asOf)).size > 1,
  )
  if (!isHourly || !days.some(({ day }) => day === firstDay)) return null
  const begin = `${timeOf(firstMoment, timeZone)} on ${dateInWords(firstDay)}`
  return `The file begins at ${begin} and replaces what was reported for this day. If earlier hours are missing, the total is too low.`
}

/** Whether a text is a number with decimals that matter: 112.5, but not 12.00 or 1,234. */
export const isFraction = (text: string): boolean => /\d[.,]\d?[1-9]$/.test(text)

const THOUSANDS = /\b(?:tsd|thousands?|tausend)\b|\(['’]?000s?\)|\(k\)|[x×] ?1[.,]?000/i

/** Why a column may count thousands: its heading says so, or it has parts of impressions. Other rows may happen to be whole. */
export function countsThousands(heading: string, fractionRow: number | null): string | null {
  const sentences: string[] = []
  if (THOUSANDS.test(heading)) sentences.push(`The column is called “${heading}”.`)
  if (fractionRow !== null) sentences.push(`Row ${fractionRow} has a part of an impression.`)
  const [why] = sentences
  return why === undefined ? null : `${why} If the column counts thousands, the total is too low.`
}
