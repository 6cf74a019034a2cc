import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, dayBefore, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { endOfDay, startOfDay } from "../time/time-zone.ts"
import type { FileSpan } from "./check.ts"
import { labelOf, type Part } from "./parts.ts"
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
  const [firstDay] = days
  const change = sumOf(parts.filter(({ day }) => day === begin.day)) - (firstDay?.quantity ?? 0)
  const isConfirmed = firstDay?.day === begin.day && Math.abs(change) <= firstDay.quantity * MUCH
  if (last === undefined) return { quantity: 0, isUnknown: !isConfirmed }
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
function neverFalls(figures: readonly number[]): boolean {
  const hasEarlier = figures.slice(0, -1).some((figure) => figure > 0)
  return hasEarlier && figures.every((figure, i) => figure >= (figures[i - 1] ?? 0))
}

/** Why the totals of daily figures may be wrong. Null if nothing is odd. */
export const dailyDoubt = (daily: DailyLine, totals: readonly FileTotal[], before: number): string | null =>
  daysNotCounted(daily) ?? cutWithinDay(daily, totals) ?? dayWithoutRows(daily) ?? changesEachDay(daily, totals, before)

const EARLY_DAYS_MIN = 3

/**
 * Rows before the flight and forecasts aren't counted. They are usual at the ends of a file, but in the middle of it, or if
 * they have more than the flight, Excel may have swapped day and month.
 */
function daysNotCounted({ line, parts, receipt }: DailyLine): string | null {
  const isCounted = ({ day }: Part) => day >= line.flightStart && day <= receipt.today
  const between = parts.slice(parts.findIndex(isCounted), parts.findLastIndex(isCounted) + 1)
  const odd = between.find((part) => part.quantity > 0 && !isCounted(part))
  const why = (odd?.day ?? "") > receipt.today ? "is in the future" : "is before the flight"
  if (odd !== undefined)
    return `Row ${odd.row} isn’t counted because ${dateInWords(odd.day)} ${why}, but it’s between other days. If its day is wrong, the total is too low.`
  const early = parts.filter(({ day }) => day < line.flightStart)
  const sumOfEarly = sumOf(early)
  const sumOfOthers = sumOf(parts) - sumOfEarly
  if (byDay(early).length < EARLY_DAYS_MIN || sumOfEarly <= sumOfOthers) return null
  return `The file has ${inWords(sumOfEarly)} for days before the flight, and ${inWords(sumOfOthers)} for days in it. If its days are wrong, the total is too low.`
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { quantity }) => sum + quantity, 0)

const HOUR = 3_600 * MICROS_PER_SECOND

/** Asks about days that aren't whole. A day that is sent again replaces what an earlier file had for it. */
function cutWithinDay(daily: DailyLine, totals: readonly FileTotal[]): string | null {
  const [what, day] = hoursMissing(daily, totals) ?? partsMissing(daily, totals) ?? []
  if (day === undefined) return null
  return `The file doesn’t have all ${what} of ${dateInWords(day)}. If some are missing, the total is too low.`
}

/** The first day of an hourly file, if it's known and the file begins in the middle of it. */
function hoursMissing({ days, receipt: { timeZone } }: DailyLine, [first]: readonly FileTotal[]) {
  const known = days.find(({ day }) => day === first?.parts[0]?.day)
  if (first === undefined || known === undefined || known.quantity === first.quantity) return null
  const times = new Set(first.parts.flatMap(({ asOf }) => (typeof asOf === "number" ? asOf : [])))
  const firstHour = startOfDay(known.day, timeZone) + HOUR
  const isHourly = times.values().some((time) => times.has(time + HOUR))
  const isLate = times.values().every((time) => time >= firstHour)
  return isHourly && isLate ? (["hours", known.day] as const) : null
}

// A device with less than this may have nothing on some days.
const PER_DAY_MIN = 50

/** A day, before today, without parts that all other days have, such as a device. */
function partsMissing({ columns, receipt: { today } }: DailyLine, totals: readonly FileTotal[]) {
  if (columns.length === 0) return null
  const parts = totals.flatMap((total) => total.parts)
  const byLabel = [...Map.groupBy(parts, (part) => labelOf(part, columns)).values()]
  const daysOf = byLabel.map((each) => new Set(each.map(({ day }) => day)))
  // Mailings have other subjects every day. Devices come back.
  const comesBack = daysOf.some(({ size }) => size === totals.length)
  if (!comesBack) return null
  for (const { parts: ofDay } of totals) {
    const day = ofDay[0]?.day ?? today
    const missing = byLabel.filter((_, i) => daysOf[i]?.size === totals.length - 1 && !daysOf[i]?.has(day)).flat()
    if (day < today && sumOf(missing) > PER_DAY_MIN * (totals.length - 1)) return ["rows", day] as const
  }
  return null
}

/** Asks about a day that the whole file leaves out, though it has nearly all others. */
function dayWithoutRows({ parts, begin: { holes } }: DailyLine): string | null {
  if (holes.length === 0) return null
  const days = byDay(parts).map(([day]) => day)
  const hole = holes.find((each) => each > (days[0] ?? each) && each < (days.at(-1) ?? each))
  if (hole === undefined || sumOf(parts) < PER_DAY_MIN * days.length) return null
  return `The file has no row for ${dateInWords(hole)}. If it’s missing, the total is too low.`
}

/** Asks if a file changes each known day: it may be about another part of them, such as another show, that should be added. */
function changesEachDay({ days, begin }: DailyLine, totals: readonly FileTotal[], before: number): string | null {
  let [known, inFile, next] = [before, before, 0]
  const pairs: (readonly [number, number])[] = []
  for (const { day, quantity } of days.filter((each) => isInSpan(each.day, begin))) {
    let total = inFile
    for (let one = totals[next]; one !== undefined && one.asOf <= day; one = totals[++next]) total = one.quantity
    pairs.push([quantity - known, total - inFile])
    ;[known, inFile] = [quantity, total]
  }
  if (!areOtherParts(pairs)) return null
  return "The file changes each day that was known before. If it has another part of these days, such as another show, the total is too low."
}

const MUCH = 0.25

/**
 * Whether figures that replace known ones seem to be about something else: none is as it was, and they are far from it or some
 * are higher and some lower. The last known day was perhaps reported before it was over, so it isn't compared.
 */
export function areOtherParts(pairs: readonly (readonly [known: number, inFile: number])[]): boolean {
  const compared = pairs.filter(([known]) => known > 0)
  const changes = compared.map(([known, inFile]) => inFile - known)
  const settled = changes.slice(0, -1)
  const known = compared.slice(0, -1).reduce((sum, [each]) => sum + each, 0)
  const change = settled.reduce((sum, each) => sum + each, 0)
  const hasSame = changes.some((each) => Math.abs(each) < 1 / ROUNDED_TO)
  // Invalid traffic lowers each day a little, and late figures raise it.
  const isMixed = settled.some((each) => each < 0) && settled.some((each) => each > 0)
  return settled.length > 0 && !hasSame && (isMixed || Math.abs(change) > known * MUCH)
}
