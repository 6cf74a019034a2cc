import type { DeliveryTotal } from "../delivery/delivery.ts"
import { type AddedOnDay, addedByDay, firstDayOf } from "../delivery/total-series.ts"
import { type CalendarDate, daysBetween } from "../time/moment.ts"
import { dayOf } from "../time/time-zone.ts"
import type { WatchedLine } from "./attention.ts"
import { lineValue, type PricedLine, withoutNoise } from "./line-state.ts"

/** Days of which only the sum is known, both included. */
export type Stretch = Readonly<{ from: CalendarDate; to: CalendarDate; value: number }>

export const daysIn = ({ from, to }: Pick<Stretch, "from" | "to">): number => daysBetween(from, to) + 1

export interface DailyValue {
  readonly currency: string | null
  /** Null where no line was measured for that day alone. */
  readonly days: readonly { readonly date: CalendarDate; readonly value: number | null }[]
  /** What came in days that were not measured one by one; no two have a day in common. */
  readonly stretches: readonly Stretch[]
  /** Of the days, and of the stretches that begin on one of them. */
  readonly sum: number
}

export type ValueSums = Map<
  string | null,
  { lines: number; added: Map<CalendarDate, number>; stretches: Map<string, Stretch> }
>

/**
 * Adds what each day added to the value of a line, by currency. What comes beyond the booked quantity adds nothing. Unless `reports` are
 * whole, there are older ones: then what the first day here added is not known, and counts as nothing.
 */
export function addValues(sums: ValueSums, line: WatchedLine, reports: readonly DeliveryTotal[], isWhole: boolean) {
  if (line.rate === null) return
  const sum = sums.get(line.currency) ?? { lines: 0, added: new Map(), stretches: new Map() }
  sums.set(line.currency, sum)
  sum.lines++
  for (const { day, covers, value } of valueAdded(line, reports, isWhole)) {
    if (covers === 1) sum.added.set(day, (sum.added.get(day) ?? 0) + value)
    else {
      const from = firstDayOf({ day, covers })
      const before = sum.stretches.get(from + day)
      sum.stretches.set(from + day, { from, to: day, value: (before?.value ?? 0) + value })
    }
  }
}

/** The currency of most lines first. */
export function sumsOfDays(byCurrency: ValueSums, dates: readonly CalendarDate[]): DailyValue[] {
  const first = dates[0] ?? ""
  return [...byCurrency]
    .toSorted(([, a], [, b]) => b.lines - a.lines)
    .map(([currency, { added, stretches: all }]) => {
      const days = dates.map((date) => ({ date, value: rounded(added.get(date)) }))
      const stretches = joined([...all.values()].filter(({ to, value }) => to >= first && value !== 0))
      const counted = [...days, ...stretches.filter(({ from }) => from >= first)]
      return { currency, days, stretches, sum: withoutNoise(counted.reduce((sum, { value }) => sum + (value ?? 0), 0)) }
    })
}

const rounded = (value: number | undefined) => (value === undefined ? null : withoutNoise(value))

/** Stretches that have a day in common are one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const apart: Stretch[] = []
  for (const { from, to, value } of stretches.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = apart.at(-1)
    if (last === undefined || last.to < from) apart.push({ from, to, value: withoutNoise(value) })
    else {
      const [, end = to] = [last.to, to].sort()
      apart[apart.length - 1] = { from: last.from, to: end, value: withoutNoise(last.value + value) }
    }
  }
  return apart
}

function valueAdded(line: WatchedLine, reports: readonly DeliveryTotal[], isWhole: boolean) {
  const zone = line.seller.timeZone
  if (line.pricingBasis === "flat_rate") {
    return line.total === null ? [] : [{ day: dayOf(line.total.asOf, zone), covers: 1, value: lineValue(line) ?? 0 }]
  }
  const days = valuesOfDays(line, addedByDay(line, reports, zone))
  return isWhole ? days : days.slice(1)
}

type ValuedDay = Pick<AddedOnDay, "day" | "covers" | "added"> & { readonly value: number }

export function valuesOfDays(line: PricedLine, days: readonly AddedOnDay[]): ValuedDay[] {
  let before = 0
  return days.map(({ day, covers, added, total }) => {
    const now = lineValue(line, total) ?? 0
    const value = now - before
    before = now
    return { day, covers, added, value }
  })
}
