import type { DeliveryTotal } from "../delivery/delivery.ts"
import { type DayTotal, dailyTotals, seriesOf } from "../delivery/total-series.ts"
import { type CalendarDate, dateOfDayNumber } from "../time/moment.ts"
import { dayOf } from "../time/time-zone.ts"
import type { WatchedLine } from "./attention.ts"
import { lineValue, type PricedLine, toCents } from "./line-state.ts"

export interface DailyValue {
  readonly currency: string | null
  readonly days: readonly { readonly date: CalendarDate; readonly value: number }[]
  readonly sum: number
}

interface LineHistory {
  readonly line: WatchedLine
  readonly reports: readonly DeliveryTotal[]
  /** Whether there are no older reports. If there are, what the first day here added is not known, and counts as nothing. */
  readonly isWhole: boolean
}

const DAY_MS = 86_400_000

export function lastDays(today: CalendarDate, count: number): CalendarDate[] {
  const last = Date.parse(today) / DAY_MS
  return Array.from({ length: count }, (_, i) => dateOfDayNumber(last - count + 1 + i))
}

export type ValueSums = Map<string | null, { lines: number; added: Map<CalendarDate, number> }>

/**
 * What each day added to the value of the lines, by currency, the one of most lines first. What comes beyond the booked quantity adds
 * nothing; a day whose total was corrected downwards takes away. Several days reported at once belong to the last of them.
 * Of very many lines some at a time, so that their histories need not be in memory together.
 */
export function addValues(byCurrency: ValueSums, lines: readonly LineHistory[]): void {
  for (const history of lines) {
    const { line } = history
    if (line.rate === null) continue
    const sums = byCurrency.get(line.currency) ?? { lines: 0, added: new Map<CalendarDate, number>() }
    sums.lines++
    for (const [day, value] of valueAdded(history)) sums.added.set(day, (sums.added.get(day) ?? 0) + value)
    byCurrency.set(line.currency, sums)
  }
}

export function sumsOfDays(byCurrency: ValueSums, dates: readonly CalendarDate[]): DailyValue[] {
  return [...byCurrency]
    .toSorted(([, a], [, b]) => b.lines - a.lines)
    .map(([currency, { added }]) => {
      const days = dates.map((date) => ({ date, value: toCents(added.get(date) ?? 0) }))
      return { currency, days, sum: toCents(days.reduce((sum, { value }) => sum + value, 0)) }
    })
}

function valueAdded({ line, reports, isWhole }: LineHistory): [CalendarDate, number][] {
  const zone = line.seller.timeZone
  if (line.pricingBasis === "flat_rate") {
    return line.total === null ? [] : [[dayOf(line.total.asOf, zone), lineValue(line) ?? 0]]
  }
  const days = dailyTotals(seriesOf(line, reports, zone, Number.POSITIVE_INFINITY), line.flightStart)
  return valuesOfDays(line, days).map(({ day, value }, i) => [day, i > 0 || isWhole ? value : 0])
}

export function valuesOfDays(line: PricedLine, days: readonly DayTotal[]): (DayTotal & { readonly value: number })[] {
  const valueAt = (day: DayTotal | undefined) =>
    day === undefined ? 0 : (lineValue({ ...line, total: { asOf: day.asOf, quantity: day.total } }) ?? 0)
  return days.map((day, i) => ({ ...day, value: valueAt(day) - valueAt(days[i - 1]) }))
}
