import type { LineDay } from "../delivery/day.ts"
import type { Receipt } from "../delivery/delivery.ts"
import { dateInWords } from "../time/in-words.ts"
import { type CalendarDate, dayBefore } from "../time/moment.ts"
import { endOfDay } from "../time/time-zone.ts"
import { inWords } from "./in-words.ts"
import type { FileLine } from "./line-finder.ts"

/** The figure of a line on one day, as a file has it. */
export interface DayFigure {
  readonly row: number
  readonly day: CalendarDate
  readonly quantity: number
}

/** A total of a line at the end of a day, made of these rows. */
export interface DayTotal {
  readonly day: CalendarDate
  readonly quantity: number
  readonly rows: readonly number[]
}

export interface TotalBefore {
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

/** Totals from figures of days: what was delivered before, and every day of the file until then. */
export function addUp(figures: readonly DayFigure[], before: number): DayTotal[] {
  let quantity = before
  const byDay = [...Map.groupBy(figures, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  return byDay.map(([day, ofDay]) => {
    for (const figure of ofDay) quantity = Math.round((quantity + figure.quantity) * ROUNDED_TO) / ROUNDED_TO
    return { day, quantity, rows: ofDay.map(({ row }) => row) }
  })
}

/** Why days can't be sent again without the days after them. Null if they can. */
export function laterDaysLeftBehind(
  totals: readonly DayTotal[],
  days: readonly LineDay[],
  { name }: FileLine,
  { timeZone }: Receipt,
): string | null {
  const last = totals.at(-1)
  const lastKnown = days.at(-1)
  if (last === undefined || lastKnown === undefined || lastKnown.day <= last.day) return null
  const end = endOfDay(last.day, timeZone)
  const known = days.findLast(({ asOf }) => asOf <= end)
  if (known === undefined || known.asOf !== end || known.quantity === last.quantity) return null
  const [now, until] = [dateInWords(last.day), dateInWords(lastKnown.day)]
  return (
    `${name} would have ${inWords(last.quantity)} on ${now} instead of ${inWords(known.quantity)}, but later days would ` +
    `stay as they are. Send all days up to ${until} in one file.`
  )
}

/** Whether the figures of several days never fall, as totals never do, although adding them up makes a difference. */
export function neverFalls(figures: readonly DayFigure[]): boolean {
  const totals = addUp(figures, 0)
  let before = 0
  let sum = 0
  for (const { quantity } of totals) {
    const ofDay = quantity - sum
    if (ofDay < before) return false
    before = ofDay
    sum = quantity
  }
  return totals.length > 1 && sum !== before
}
