import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, dayBefore, type Moment } from "../time/moment.ts"
import { endOfDay } from "../time/time-zone.ts"
import type { FileSpan } from "./check.ts"
import type { Part } from "./parts.ts"
import type { FileLine } from "./rows.ts"
import { inWords } from "./upload.ts"

/** A total of a line in a file, made of these figures. */
export interface FileTotal {
  readonly asOf: CalendarDate | Moment
  readonly quantity: number
  readonly parts: readonly Part[]
}

/** A line whose figures are added up by day, and what is known about it. */
export interface DailyLine {
  readonly line: FileLine
  /** Its figures in the order of the file. */
  readonly parts: readonly Part[]
  /** Its known days, oldest first. */
  readonly days: readonly LineDay[]
  readonly begin: FileSpan
  readonly receipt: Receipt
  /** The columns that tell the rows of a day apart. */
  readonly columns: readonly number[]
}

/** The total of a line before the first day of the file. A file that begins with the flight needs no earlier total. */
export function totalBefore({ line, parts, days, begin, receipt }: DailyLine) {
  if (begin.day === null || begin.day <= line.flightStart) return { quantity: 0, isUnknown: false }
  const end = endOfDay(dayBefore(begin.day), receipt.timeZone)
  const last = days.findLast(({ asOf }) => asOf <= end)
  // If about the same first day was reported before, somebody already confirmed that there's nothing before it.
  const [[firstDay, ofFirstDay] = ["", []]] = byDay(parts)
  const [known] = days
  const isConfirmed = known?.day === firstDay && Math.abs(sumOf(ofFirstDay) - known.quantity) <= known.quantity * MUCH
  if (last === undefined) return { quantity: 0, isUnknown: !isConfirmed }
  // A lower total that came later shows that this one was too high.
  const isCorrected = days.some(({ asOf, low }) => asOf > end && low < last.quantity)
  return { quantity: last.quantity, isUnknown: last.asOf !== end || isCorrected }
}

// Sums of numbers with decimals would otherwise end in 0000000002.
export const ROUNDED_TO = 1_000_000

/** Totals from figures of days: what was delivered before, and every day of the file until then. */
export function addUp(parts: readonly Part[], before: number): FileTotal[] {
  let quantity = before
  return byDay(parts).map(([asOf, ofDay]) => {
    for (const part of ofDay) quantity = Math.round((quantity + part.quantity) * ROUNDED_TO) / ROUNDED_TO
    return { asOf, quantity, parts: ofDay }
  })
}

export const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { quantity }) => sum + quantity, 0)

/** A change of known figures by more than this is odd. */
export const MUCH = 0.25

/** The figures of each day, oldest first. */
export const byDay = (parts: readonly Part[]) =>
  [...Map.groupBy(parts, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * What is wrong with days that end before the last known one: later totals stay as they are. That's a conflict if these totals
 * don't fit, and a doubt if nobody can tell.
 */
export function laterTotalsStay(totals: readonly FileTotal[], { line, days, receipt }: DailyLine) {
  const fine = { conflict: null, doubt: null }
  const [last, lastKnown] = [totals.at(-1), days.at(-1)]
  if (typeof last?.asOf !== "string" || lastKnown === undefined || lastKnown.day <= last.asOf) return fine
  const end = endOfDay(last.asOf, receipt.timeZone)
  const known = days.find(({ asOf }) => asOf === end)
  const lower = days.find(({ asOf, low }) => asOf > end && low < last.quantity)
  if (known?.quantity === last.quantity) return fine
  const lastDay = dateInWords(lastKnown.day)
  if (known === undefined && lower === undefined) {
    const doubt = `Later totals stay as they are, up to ${inWords(lastKnown.quantity)} on ${lastDay}. If they don’t include these days, or wrong ones, send all days up to then in one file.`
    return { ...fine, doubt }
  }
  const instead = known === undefined ? "" : ` instead of ${inWords(known.quantity)}`
  const such = lower === undefined ? "" : `, with ${inWords(lower.low)} on ${dateInWords(lower.day)}`
  const conflict =
    `${line.name} would have ${inWords(last.quantity)} on ${dateInWords(last.asOf)}${instead}, ` +
    `but later days would stay as they are${such}. Send all days up to ${lastDay} in one file.`
  return { ...fine, conflict }
}

/**
 * The totals of known days for which the file has no row. Nothing was delivered on them, so they have the total of the day before.
 * Otherwise such a day would keep the total that an earlier file gave it, and take what the next day delivered.
 */
export function totalsOfEmptyDays(
  { days, begin }: DailyLine,
  totals: readonly FileTotal[],
  before: number,
): FileTotal[] {
  const inFile = new Set(totals.map(({ asOf }) => asOf))
  const empty = days.filter(({ day }) => isInSpan(day, begin) && !inFile.has(day))
  return empty.map(({ day }) => ({
    asOf: day,
    quantity: totals.findLast(({ asOf }) => asOf < day)?.quantity ?? before,
    parts: [],
  }))
}

/** Whether a file says something about a day, though perhaps not about each line. */
export const isInSpan = (day: CalendarDate, { day: first, lastDay }: FileSpan) =>
  first !== null && lastDay !== null && day >= first && day <= lastDay

/** The figures of a line on each of its days in the file, after what was known before them. */
export function figuresByDay({ parts, days, receipt }: DailyLine): number[] {
  const ofDays = byDay(parts)
  const end = endOfDay(dayBefore(ofDays[0]?.[0] ?? receipt.today), receipt.timeZone)
  const before = days.findLast(({ asOf }) => asOf <= end)?.quantity ?? 0
  return [before, ...ofDays.map(([, ofDay]) => sumOf(ofDay))]
}

/**
 * Whether daily figures look as if they were totals: for at least half of the lines they never fall, beginning with what was
 * known before the file. Lines with one day are only compared if no line has several.
 */
export function looksLikeTotals(figuresOf: readonly (readonly number[])[]): boolean {
  const hasSeveralDays = figuresOf.some(({ length }) => length > 2)
  const compared = figuresOf.filter((figures) => {
    // Without an earlier figure, there is nothing to compare. Several days that rise only on the last one fit both readings.
    return hasSeveralDays ? figures.length > 2 : figures.length === 2 && figures[0] !== 0
  })
  const rising = compared.filter(neverFalls)
  return rising.length > 0 && rising.length * 2 >= compared.length
}

/** Whether figures never fall, and not only the last one is above zero. */
function neverFalls(figures: readonly number[]): boolean {
  const hasEarlier = figures.slice(0, -1).some((figure) => figure > 0)
  return hasEarlier && figures.every((figure, i) => figure >= (figures[i - 1] ?? 0))
}
