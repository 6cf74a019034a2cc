import { valuesOfDays } from "../../campaign/daily-value.ts"
import { lineValue, type PricedLine, type ZonedLine } from "../../campaign/line-state.ts"
import { type DeliveryTotal, FLAT_RATE_DELIVERED } from "../../delivery/delivery.ts"
import { addedByDay, firstDayOf } from "../../delivery/total-series.ts"
import { type CalendarDate, dayAfter, type Moment } from "../../time/moment.ts"
import { dayOf } from "../../time/time-zone.ts"

// What a line has delivered, in all or in some days. Every figure comes from the functions that make the buyer's page.

export type DeliveredLine = ZonedLine & PricedLine

/** Both days included, each in the seller's time zone. */
export type Period = Readonly<{ from: CalendarDate; to: CalendarDate }>

/** What one day added, or several of which only the total at their end is known. */
export interface DeliveredDay {
  /** The last of them. */
  readonly date: CalendarDate
  readonly covers: number
  readonly quantity: number
  readonly spend: number
}

/** Days whose delivery is not counted, because nothing was reported for them alone. */
export interface UnknownDays extends Period {
  /** What was delivered in these and in days outside the period together; absent where nothing is known yet. */
  readonly undivided?: number
}

export interface LineDelivery {
  /** Null before the first report, and for a flat rate. */
  readonly quantity: number | null
  /** Null without a price. */
  readonly spend: number | null
  readonly days: readonly DeliveredDay[]
  readonly unknown: readonly UnknownDays[]
}

/** From the start of the flight. */
export function deliveredInAll(line: DeliveredLine, totals: readonly DeliveryTotal[] = []): LineDelivery {
  const quantity = line.pricingBasis === "flat_rate" ? null : (line.total?.quantity ?? null)
  return { quantity, spend: lineValue(line), days: daysOf(line, totals), unknown: [] }
}

/** `totals` are the last totals of all its days. */
export function deliveredIn(line: DeliveredLine, totals: readonly DeliveryTotal[], period: Period, now: Moment) {
  const all = daysOf(line, totals)
  const days = all.filter((day) => firstOf(day) >= period.from && day.date <= period.to)
  const sum = (of: (day: DeliveredDay) => number) => days.reduce((total, day) => total + of(day), 0)
  const isFlat = line.pricingBasis === "flat_rate"
  return {
    quantity: isFlat || all.length === 0 ? null : sum(({ quantity }) => quantity),
    spend: line.rate === null ? null : sum(({ spend }) => spend),
    days,
    unknown: isFlat ? [] : [...undivided(all, period), ...unreported(line, all, period, now)],
  }
}

const firstOf = ({ date, covers }: DeliveredDay): CalendarDate => firstDayOf({ day: date, covers })

function daysOf(line: DeliveredLine, totals: readonly DeliveryTotal[]): DeliveredDay[] {
  const zone = line.seller.timeZone
  // A flat rate is delivered once, on the day that it was.
  if (line.pricingBasis === "flat_rate") {
    if (line.total?.quantity !== FLAT_RATE_DELIVERED) return []
    return [{ date: dayOf(line.total.asOf, zone), covers: 1, quantity: 0, spend: lineValue(line) ?? 0 }]
  }
  if (totals.length === 0) return []
  return valuesOfDays(line, addedByDay(line, totals, zone)).map(({ day, covers, added, value }) => {
    return { date: day, covers, quantity: added, spend: value }
  })
}

/** Days of the period that were reported together with others outside it. */
const undivided = (days: readonly DeliveredDay[], { from, to }: Period): UnknownDays[] =>
  days.flatMap((day) => {
    const first = firstOf(day)
    const isAcross = (first < from && day.date >= from) || (first <= to && day.date > to)
    return isAcross ? [{ from: later(first, from), to: earlier(day.date, to), undivided: day.quantity }] : []
  })

/** Days of the period and the flight, up to today, after the last total. */
function unreported(line: DeliveredLine, days: readonly DeliveredDay[], period: Period, now: Moment): UnknownDays[] {
  const last = days.at(-1)
  const from = later(last === undefined ? line.flightStart : dayAfter(last.date), period.from)
  const over = earlier(dayOf(now, line.seller.timeZone), line.flightEnd ?? period.to)
  const to = earlier(period.to, over)
  return from <= to ? [{ from, to }] : []
}

const later = (a: CalendarDate, b: CalendarDate) => (a > b ? a : b)
const earlier = (a: CalendarDate, b: CalendarDate) => (a < b ? a : b)
