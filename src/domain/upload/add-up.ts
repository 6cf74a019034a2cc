import { formatMicros, microsOf } from "../affiliate/affiliate-metric.ts"
import type { DeliveryTotal } from "../delivery/delivery.ts"
import { exactNumber } from "../schema/json.ts"
import { type CalendarDate, daysBefore } from "../time/moment.ts"
import { dayInWords, dayOf, endOfDay, type TimeZone } from "../time/time-zone.ts"
import { type RowRefusal, refusal } from "./row-reader.ts"

// Sums of numbers with a fraction would otherwise end in 0000000002.
const SUMS_ROUNDED_TO = 1_000_000

/** The day of parts that have none. */
export const NO_DAY = ""

/** The parts of one line's total, by day: their sum, the last of them, and the numbers of their rows. */
export type LineParts = Map<CalendarDate, { sum: number; last: number; readonly rows: number[] }>

export function addPart(parts: LineParts, day: CalendarDate, quantity: number, row: number): void {
  const ofDay = parts.get(day)
  if (ofDay === undefined) return void parts.set(day, { sum: quantity, last: quantity, rows: [row] })
  ofDay.sum += quantity
  ofDay.last = quantity
  ofDay.rows.push(row)
}

/** Whether figures of several days never fall, as totals so far do not, and it matters whether they are. */
export function neverFalls(parts: LineParts): boolean {
  const sums = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { sum }]) => sum)
  const isRising = sums.every((sum, i) => sum >= (sums[i - 1] ?? 0))
  return isRising && sums.length > 1 && sums.reduce((total, sum) => total + sum, 0) !== sums.at(-1)
}

export type DayTotal = Readonly<{ day: CalendarDate; quantity: number }>

/** Totals to date, oldest first: what was delivered before the file begins, plus every day in it. Days before the flight do not count. */
export function totalsOf(parts: LineParts, before: number, flightStart: CalendarDate): DayTotal[] {
  const days = [...parts].filter(([day]) => day === NO_DAY || day >= flightStart)
  let total = before
  return days
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, { sum }]) => {
      total = Math.round((total + sum) * SUMS_ROUNDED_TO) / SUMS_ROUNDED_TO
      return { day, quantity: total }
    })
}

/**
 * What a line had delivered before the first day of a file, from the totals that are known; or why nobody can tell. A file that begins
 * with the flight needs none. Otherwise the total at the end of the day before is needed, or somebody who knows that nothing came since
 * the last one: anything else would leave days out.
 */
export function deliveredBefore(
  firstDay: CalendarDate,
  line: { readonly flightStart: CalendarDate; readonly name: string },
  totals: readonly DeliveryTotal[],
  zone: TimeZone,
  isNothingBefore = false,
): number | RowRefusal {
  if (firstDay <= line.flightStart) return 0
  const end = endOfDay(daysBefore(firstDay, 1), zone)
  const total = totals.findLast(({ asOf }) => asOf <= end)
  if (isNothingBefore || total?.asOf === end) return total?.quantity ?? 0
  const dayBefore = dayInWords(daysBefore(firstDay, 1))
  const text =
    `The file begins on ${dayInWords(firstDay)}, but the total of ${line.name} at the end of ${dayBefore} is not known. ` +
    `Export from ${dayInWords(line.flightStart)} on, when the flight began, or report the total of ${dayBefore} first.`
  return { ...refusal("gap", "Days before the file are missing", text, line.name), decide: "before" }
}

/**
 * Why days that were reported before cannot be reported again: totals of later days stay as they are, and would no longer follow from the
 * corrected ones. `last` is the last total that the file makes of the line.
 */
export function leavesBehind(
  last: DayTotal | undefined,
  line: { readonly name: string; readonly total: DeliveryTotal | null },
  totals: readonly DeliveryTotal[],
  zone: TimeZone,
): RowRefusal | null {
  if (line.total === null || last === undefined || last.day === NO_DAY) return null
  const end = endOfDay(last.day, zone)
  const stored = totals.findLast(({ asOf }) => asOf === end)?.quantity
  if (line.total.asOf <= end || stored === undefined || stored === last.quantity) return null
  const until = dayInWords(dayOf(line.total.asOf, zone))
  const text =
    `Up to ${dayInWords(last.day)} it would be ${inWords(last.quantity)} instead of ${inWords(stored)}, but the ${inWords(line.total.quantity)} up to ${until} ` +
    `would stay. Send all days up to ${until} in one file.`
  return refusal(`behind ${line.name}`, `Later days of ${line.name} would not follow`, text, line.name)
}

const inWords = (quantity: number) => quantity.toLocaleString("en")

/** For every total of a line when one of its rows cannot be read: the sum would be too low. */
export function incomplete(row: number, name: string): RowRefusal {
  const text = `Row ${row} cannot be counted, so the sum would be too low. Correct that row, then send the file again.`
  return refusal(`incomplete ${name}`, `Figures of ${name} are incomplete`, text, name)
}

/** The figures of one affiliate code on one day, in exact numbers, and the numbers of the rows that they are in. */
export interface CodeDay {
  readonly code: string
  readonly date: CalendarDate
  readonly figures: { clicks?: bigint; conversions?: bigint; conversionValue?: bigint }
  readonly rows: number[]
}

type Element = Readonly<Record<string, unknown>>

export const COUNTS = ["clicks", "conversions"] as const

export function addFigure({ figures, rows }: CodeDay, element: Element, row: number): void {
  rows.push(row)
  for (const name of COUNTS) {
    const value = element[name]
    if (typeof value === "number" && Number.isSafeInteger(value)) figures[name] = (figures[name] ?? 0n) + BigInt(value)
  }
  const micros = microsOf(element["conversionValue"])
  if (micros !== undefined) figures.conversionValue = (figures.conversionValue ?? 0n) + BigInt(micros)
}

/** As the API takes it. */
export function metricOf({ code, date, figures: { conversionValue, ...counts } }: CodeDay): Element {
  const element: Record<string, unknown> = { code, date }
  for (const [name, count] of Object.entries(counts)) element[name] = Number(count)
  if (conversionValue !== undefined) element["conversionValue"] = exactNumber(formatMicros(conversionValue))
  return element
}
