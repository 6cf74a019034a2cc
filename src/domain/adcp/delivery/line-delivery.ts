import type { LineFields } from "../../campaign/line.ts"
import { type DeliveredDays, deliveredDays, type PricedLine, worthOf } from "../../campaign/value.ts"
import type { DayTotal } from "../../delivery/day.ts"
import { type Coins, exactSum } from "../../money.ts"
import { type CalendarDate, dayAfter, type Moment } from "../../time/moment.ts"
import { dayOf, type TimeZone } from "../../time/time-zone.ts"

/** Days in each seller's time zone, both included. */
export interface Period {
  readonly from: CalendarDate
  readonly to: CalendarDate
}

interface DeliveredLine extends PricedLine, Pick<LineFields, "flightStart" | "flightEnd"> {
  readonly timeZone: TimeZone
}

/** Days of a period whose delivery isn't counted, because they weren't reported by themselves. */
export interface UnknownDays extends Period {
  /** The delivery of these days together with days outside the period. Null if it isn't known yet. */
  readonly together: number | null
}

/** What a line delivered, altogether or in a period. */
export interface LineDelivery {
  /** Null before the first report, and for a flat rate. */
  readonly quantity: number | null
  /** Null without a price. */
  readonly coins: Coins | null
  readonly days: readonly DeliveredDays[]
  readonly unknown: readonly UnknownDays[]
}

/** Since the start of the flight. `totals` has the measured days, if days are asked for. */
export function deliveredSoFar(line: DeliveredLine, totals: readonly DayTotal[]): LineDelivery {
  const quantity = line.pricingBasis === "flat_rate" ? null : (line.total?.quantity ?? null)
  return { quantity, coins: worthOf(line, line.total?.quantity ?? 0), days: deliveredDays(line, totals), unknown: [] }
}

/** In a period. `totals` has all measured days. */
export function deliveredIn(
  line: DeliveredLine,
  totals: readonly DayTotal[],
  period: Period,
  now: Moment,
): LineDelivery {
  const all = deliveredDays(line, totals)
  const days = all.filter(({ from, to }) => from >= period.from && to <= period.to)
  const isFlat = line.pricingBasis === "flat_rate"
  return {
    quantity: isFlat || all.length === 0 ? null : exactSum(days.map(({ quantity }) => quantity)),
    coins: line.rate === null ? null : days.reduce((sum, { coins }) => sum + (coins ?? 0), 0),
    days,
    unknown: isFlat ? [] : [...acrossBorder(all, period), ...unreported(line, all, period, now)],
  }
}

/** Days of the period that were reported together with others outside it. */
const acrossBorder = (days: readonly DeliveredDays[], { from, to }: Period): UnknownDays[] =>
  days.flatMap((day) => {
    const isAcross = (day.from < from && day.to >= from) || (day.from <= to && day.to > to)
    return isAcross ? [{ from: later(day.from, from), to: earlier(day.to, to), together: day.quantity }] : []
  })

/** Days of the period and the flight, up to today, after the last total. */
function unreported(line: DeliveredLine, days: readonly DeliveredDays[], period: Period, now: Moment): UnknownDays[] {
  const last = days.at(-1)
  const from = later(last === undefined ? line.flightStart : dayAfter(last.to), period.from)
  const end = earlier(dayOf(now, line.timeZone), line.flightEnd ?? period.to)
  const to = earlier(period.to, end)
  return from <= to ? [{ from, to, together: null }] : []
}

const later = (a: CalendarDate, b: CalendarDate) => (a > b ? a : b)
const earlier = (a: CalendarDate, b: CalendarDate) => (a < b ? a : b)
