import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, dayBefore, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { endOfDay, startOfDay } from "../time/time-zone.ts"
import { timeOf } from "../time/typed-day.ts"
import type { Part } from "./parts.ts"
import type { FileLine } from "./rows.ts"
import { inWords } from "./upload.ts"

/** A total of a line in a file, made of these rows. */
export interface FileTotal {
  readonly asOf: CalendarDate | Moment
  readonly quantity: number
  readonly rows: readonly number[]
}

interface TotalBefore {
  readonly quantity: number
  /** Whether some of what was delivered before the file begins is unknown. */
  readonly isUnknown: boolean
}

/** The total of a line before the first day of a file. A file that begins with the flight needs no earlier total. */
export function totalBefore(
  days: readonly LineDay[],
  firstDay: CalendarDate | null,
  { flightStart }: FileLine,
  { timeZone }: Receipt,
): TotalBefore {
  if (firstDay === null || firstDay <= flightStart) return { quantity: 0, isUnknown: false }
  const end = endOfDay(dayBefore(firstDay), timeZone)
  const last = days.findLast(({ asOf }) => asOf <= end)
  if (last === undefined) return { quantity: 0, isUnknown: true }
  // A lower total that came later shows that this one was too high.
  const isCorrected = days.some(({ asOf, low }) => asOf > end && low < last.quantity)
  return { quantity: last.quantity, isUnknown: last.asOf !== end || isCorrected }
}

// Sums of numbers with decimals would otherwise end in 0000000002.
const ROUNDED_TO = 1_000_000

/** The figures of each day, oldest first. */
const byDay = (parts: readonly Part[]) => [...Map.groupBy(parts, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))

/** Totals from figures of days: what was delivered before, and every day of the file until then. */
export function addUp(parts: readonly Part[], before: number): (FileTotal & { readonly asOf: CalendarDate })[] {
  let quantity = before
  return byDay(parts).map(([day, ofDay]) => {
    for (const part of ofDay) quantity = Math.round((quantity + part.quantity) * ROUNDED_TO) / ROUNDED_TO
    return { asOf: day, quantity, rows: ofDay.map(({ row }) => row) }
  })
}

/** Why days can't be sent again without the days after them. Null if they can. */
export function laterDaysLeftBehind(
  totals: ReturnType<typeof addUp>,
  days: readonly LineDay[],
  { name }: FileLine,
  { timeZone, today }: Receipt,
): string | null {
  const last = totals.findLast(({ asOf }) => asOf <= today)
  const lastKnown = days.at(-1)
  if (last === undefined || lastKnown === undefined || lastKnown.day <= last.asOf) return null
  const end = endOfDay(last.asOf, timeZone)
  const known = days.findLast(({ asOf }) => asOf <= end)
  if (known === undefined || known.asOf !== end || known.quantity === last.quantity) return null
  const [now, until] = [dateInWords(last.asOf), dateInWords(lastKnown.day)]
  return (
    `${name} would have ${inWords(last.quantity)} on ${now} instead of ${inWords(known.quantity)}, but later days would ` +
    `stay as they are. Send all days up to ${until} in one file.`
  )
}

/**
 * Whether daily figures look as if they were totals: for at least half of the lines they never fall, beginning with what was
 * known before the file. Lines with one day are only compared if no line has several.
 */
export function looksLikeTotals(
  lines: ReadonlyMap<FileLine, readonly Part[]>,
  daysOf: (line: FileLine) => readonly LineDay[],
  { timeZone }: Receipt,
): boolean {
  const figuresOf = [...lines].map(([line, parts]) => {
    const ofDays = byDay(parts)
    const figures = ofDays.map(([, ofDay]) => ofDay.reduce((sum, { quantity }) => sum + quantity, 0))
    return { line, firstDay: ofDays[0]?.[0], figures }
  })
  const hasSeveralDays = figuresOf.some(({ figures }) => figures.length > 1)
  const compared: boolean[] = []
  for (const { line, firstDay, figures } of figuresOf) {
    if (firstDay === undefined || (hasSeveralDays && figures.length === 1)) continue
    const end = endOfDay(dayBefore(firstDay), timeZone)
    const before = daysOf(line).findLast(({ asOf }) => asOf <= end)?.quantity ?? 0
    const all = [before, ...figures]
    const neverFalls = all.every((figure, i) => figure >= (all[i - 1] ?? 0))
    // Without an earlier figure, there is nothing to compare. Several days that rise only on the last one fit both readings.
    const hasEarlier = all.slice(0, -1).some((figure) => figure > 0)
    if (hasEarlier || hasSeveralDays) compared.push(neverFalls && hasEarlier)
  }
  return compared.length > 0 && compared.filter(Boolean).length * 2 >= compared.length
}

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
  return `Row ${odd.row} isn’t counted because ${dateInWords(odd.day)} ${why}, but it’s between other days. If its day is wrong, the total is too low.`
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
