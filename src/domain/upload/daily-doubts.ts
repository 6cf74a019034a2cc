import { dateInWords, daysBetween, MICROS_PER_SECOND } from "../time/moment.ts"
import { startOfDay } from "../time/time-zone.ts"
import { byDay, type DailyLine, type FileTotal, isInSpan, MUCH, ROUNDED_TO, sumOf } from "./daily.ts"
import { labelOf, type Part } from "./parts.ts"
import { inWords, NEARLY_ALL } from "./upload.ts"

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
const QUIET = 0.25

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
    if (missing.length === 0) continue
    const onOtherDays = sumOf(parts.filter((part) => part.day !== day)) - sumOf(missing)
    // On a day with little delivery, a device may have none.
    const isUsual = sumOf(ofDay) * (totals.length - 1) > QUIET * onOtherDays
    if (day < today && isUsual && sumOf(missing) > PER_DAY_MIN * (totals.length - 1)) return ["rows", day] as const
  }
  return null
}

/** Asks about a day that the whole file leaves out, though it has nearly all others. */
function dayWithoutRows({ parts, begin: { holes } }: DailyLine): string | null {
  if (holes.length === 0) return null
  const days = byDay(parts).map(([day]) => day)
  const [first = "", last = ""] = [days[0], days.at(-1)]
  const hole = holes.find((each) => each > first && each < last)
  if (hole === undefined || sumOf(parts) < PER_DAY_MIN * days.length) return null
  // Several newsletters together may have nearly all days.
  if (days.length < NEARLY_ALL * (daysBetween(first, last) + 1)) return null
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
