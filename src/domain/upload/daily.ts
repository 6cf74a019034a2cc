import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, dayBefore, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { endOfDay, startOfDay } from "../time/time-zone.ts"
import { timeOf } from "../time/typed-day.ts"
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
}

/** The total of a line before the first day of the file. A file that begins with the flight needs no earlier total. */
export function totalBefore({ line, days, begin, receipt }: DailyLine) {
  if (begin.day === null || begin.day <= line.flightStart) return { quantity: 0, isUnknown: false }
  const end = endOfDay(dayBefore(begin.day), receipt.timeZone)
  const last = days.findLast(({ asOf }) => asOf <= end)
  if (last === undefined) return { quantity: 0, isUnknown: true }
  // A lower total that came later shows that this one was too high.
  const isCorrected = days.some(({ asOf, low }) => asOf > end && low < last.quantity)
  return { quantity: last.quantity, isUnknown: last.asOf !== end || isCorrected }
}

// Sums of numbers with decimals would otherwise end in 0000000002.
const ROUNDED_TO = 1_000_000

/** Totals from figures of days: what was delivered before, and every day of the file until then. */
export function addUp(parts: readonly Part[], before: number): FileTotal[] {
  let quantity = before
  return byDay(parts).map(([asOf, ofDay]) => {
    for (const part of ofDay) quantity = Math.round((quantity + part.quantity) * ROUNDED_TO) / ROUNDED_TO
    return { asOf, quantity, parts: ofDay }
  })
}

/** The figures of each day, oldest first. */
const byDay = (parts: readonly Part[]) => [...Map.groupBy(parts, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))

/** The last total of a file whose days end before the last known one, and what is known about that day and the later ones. */
function beforeLaterDays(totals: readonly FileTotal[], { days, receipt }: DailyLine) {
  const [last, lastKnown] = [totals.at(-1), days.at(-1)]
  if (typeof last?.asOf !== "string" || lastKnown === undefined || lastKnown.day <= last.asOf) return null
  const end = endOfDay(last.asOf, receipt.timeZone)
  const lower = days.find(({ asOf, low }) => asOf > end && low < last.quantity)
  return { day: last.asOf, quantity: last.quantity, known: days.find(({ asOf }) => asOf === end), lower, lastKnown }
}

/** Why days can't be sent without the days after them. Null if they can. */
export function laterDaysLeftBehind(totals: readonly FileTotal[], daily: DailyLine): string | null {
  const found = beforeLaterDays(totals, daily)
  if (found === null || found.known?.quantity === found.quantity) return null
  const { day, quantity, known, lower, lastKnown } = found
  if (known === undefined && lower === undefined) return null
  const instead = known === undefined ? "" : ` instead of ${inWords(known.quantity)}`
  const such = lower === undefined ? "" : `, with ${inWords(lower.low)} on ${dateInWords(lower.day)}`
  return (
    `${daily.line.name} would have ${inWords(quantity)} on ${dateInWords(day)}${instead}, ` +
    `but later days would stay as they are${such}. Send all days up to ${dateInWords(lastKnown.day)} in one file.`
  )
}

/** Days change nothing about later totals. Nobody can tell whether those include them, unless the total between them is known. */
export function laterTotalsStay(totals: readonly FileTotal[], daily: DailyLine): string | null {
  const found = beforeLaterDays(totals, daily)
  if (found === null || found.known !== undefined) return null
  const { day, quantity } = found.lastKnown
  return `Later totals stay as they are, up to ${inWords(quantity)} on ${dateInWords(day)}. If they don’t include these days, or wrong ones, send all days up to then in one file.`
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
const isInSpan = (day: CalendarDate, { day: first, lastDay }: FileSpan) =>
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
export function neverFalls(figures: readonly number[]): boolean {
  const hasEarlier = figures.slice(0, -1).some((figure) => figure > 0)
  return hasEarlier && figures.every((figure, i) => figure >= (figures[i - 1] ?? 0))
}

/** Why the totals of daily figures may be wrong. Null if nothing is odd. */
export const dailyDoubt = (daily: DailyLine, totals: readonly FileTotal[], before: number): string | null =>
  dayOutOfOrder(daily) ??
  mostlyBeforeFlight(daily) ??
  dayMissing(daily, totals, before) ??
  beginsLate(daily) ??
  beginsWithFewerRows(daily, totals) ??
  replacesMuchLess(daily, totals, before)

/**
 * A day that isn't counted may be misread if it stands between days that are. Files are in order, so days before the flight and
 * forecasts are at their ends, but Excel swaps day and month in the middle.
 */
function dayOutOfOrder({ line, parts, receipt }: DailyLine): string | null {
  const isCounted = ({ day }: Part) => day >= line.flightStart && day <= receipt.today
  const between = parts.slice(parts.findIndex(isCounted), parts.findLastIndex(isCounted) + 1)
  const odd = between.find((part) => part.quantity > 0 && !isCounted(part))
  if (odd === undefined) return null
  const why = odd.day > receipt.today ? "is in the future" : "is before the flight"
  return `Row ${odd.row} isn’t counted because ${dateInWords(odd.day)} ${why}, but it’s between other days. If its day is wrong, the total is too low.`
}

const EARLY_DAYS_MIN = 3

/** Excel may also swap day and month in most rows of a file, so that they are before the flight. */
function mostlyBeforeFlight({ line, parts }: DailyLine): string | null {
  const early = parts.filter(({ day }) => day < line.flightStart)
  const sumOfEarly = sumOf(early)
  const sumOfCounted = sumOf(parts) - sumOfEarly
  if (byDay(early).length < EARLY_DAYS_MIN || sumOfEarly <= sumOfCounted) return null
  return `The file has ${inWords(sumOfEarly)} for days before the flight, and ${inWords(sumOfCounted)} for days in it. If its days are wrong, the total is too low.`
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * Rows may be missing if the file has none for a day, and adds up to less until then than is known. A file needs no rows for
 * days without delivery. But a person who only types new figures also leaves out days with known ones.
 */
function dayMissing({ line, days, begin }: DailyLine, totals: readonly FileTotal[], before: number): string | null {
  const inFile = new Set(totals.map(({ asOf }) => asOf))
  let known = Number.POSITIVE_INFINITY
  for (const { day, low, quantity } of days.toReversed()) {
    // A later total that was lower shows that the ones before it were too high.
    known = Math.min(known, low, quantity)
    if (!isInSpan(day, begin) || inFile.has(day)) continue
    const until = totals.findLast(({ asOf }) => asOf < day)?.quantity ?? before
    if (until < known)
      return `The file has no row for ${dateInWords(day)} and adds up to ${inWords(until)} until then, but ${line.name} already had ${inWords(known)}. If rows are missing, the total is too low.`
  }
  return null
}

const HOUR = 3_600 * MICROS_PER_SECOND

/**
 * The first day of an hourly file may be incomplete if the file begins later than the day, and an earlier file had this day. A day
 * that is sent again replaces what was reported for it, so the hours of the earlier file would be lost.
 */
function beginsLate({ parts, days, begin, receipt: { timeZone } }: DailyLine): string | null {
  if (begin.moment === null || begin.day === null || begin.moment < startOfDay(begin.day, timeZone) + HOUR) return null
  // Mailings have times as well, but hardly exactly an hour apart.
  const times = new Set(parts.map(({ asOf }) => asOf))
  const isHourly = parts.some(({ asOf }) => typeof asOf === "number" && times.has(asOf + HOUR))
  if (!isHourly || !days.some(({ day }) => day === begin.day)) return null
  const time = `${timeOf(begin.moment, timeZone)} on ${dateInWords(begin.day)}`
  return `The file begins at ${time} and replaces what was reported for this day. If earlier hours are missing, the total is too low.`
}

/** If the file was cut within a day that an earlier file began, its first day has fewer rows than the days after it. */
function beginsWithFewerRows({ days }: DailyLine, totals: readonly FileTotal[]): string | null {
  const [first, ...later] = totals
  const known = days.find(({ day }) => day === first?.asOf)
  if (first === undefined || known === undefined || known.quantity === first.quantity) return null
  // The last day may be incomplete as well.
  const compared = later.length > 1 ? later.slice(0, -1) : later
  const isShort = compared.length > 0 && compared.every(({ parts }) => parts.length > first.parts.length)
  if (!isShort) return null
  const day = dateInWords(known.day)
  return `The file has fewer rows for ${day} than for later days, and replaces what was reported for it. If rows are missing, the total is too low.`
}

const MUCH_MORE = 1.25
const TOO_SMALL_TO_MATTER = 0.000_001

/**
 * If the file has much more for known days, it may be about another part of them, such as another show, that should be added. A
 * corrected export still has some days as they were.
 */
function replacesMuchLess({ days }: DailyLine, totals: readonly FileTotal[], before: number): string | null {
  const knownOn = new Map(days.map(({ day, quantity }, i) => [day, quantity - (days[i - 1]?.quantity ?? 0)]))
  const isAsKnown = totals.some(({ parts }) => {
    const known = knownOn.get(parts[0]?.day as CalendarDate) ?? 0
    const inFile = sumOf(parts)
    return known > 0 && Math.abs(known - inFile) < TOO_SMALL_TO_MATTER
  })
  // The last known day was perhaps reported before it was over.
  const settled = days.slice(0, -1).findLast(({ day }) => totals.some(({ asOf }) => asOf === day))
  const last = totals.find(({ asOf }) => asOf === settled?.day)
  if (isAsKnown || settled === undefined || last === undefined || settled.quantity <= before) return null
  if (last.quantity - before <= (settled.quantity - before) * MUCH_MORE) return null
  return `The file replaces what was reported until ${dateInWords(settled.day)}: ${inWords(settled.quantity)} becomes ${inWords(last.quantity)}. If it has another part of these days, such as another show, the total is too low.`
}
