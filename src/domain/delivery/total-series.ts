import { expectedAt, type PacedLine } from "../campaign/pacing.ts"
import { type CalendarDate, MICROS_PER_MS, type Moment } from "../time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"

export interface SeriesPoint {
  readonly asOf: Moment
  /** The day in the seller's time zone. A closing total, in a day's last microsecond, belongs to that day. */
  readonly day: CalendarDate
  /** The total; null where only the plan is known, at the end of a flight. */
  readonly quantity: number | null
  /** The planned total at that moment, in whole units; null without a plan. */
  readonly expected: number | null
}

/**
 * A line's delivery over time, from the start of the flight to its end where there is a plan. Charts, sparklines, tables and files
 * are made from it. If there are more than `most` points, only the last of each day; if these are still too many, an even sample.
 *
 * `reports` are sorted by time, the latest arrival of each moment last, as the store returns them.
 */
export function seriesOf(
  line: PacedLine,
  reports: readonly DeliveryTotal[],
  zone: TimeZone,
  most: number,
): readonly SeriesPoint[] {
  const measured = lastArrivals(line.total, reports).map(({ asOf, quantity }) => ({
    asOf,
    quantity,
    day: dayOf(asOf, zone),
  }))
  const shown = thinned(measured.length > most ? closingOnly(measured) : measured, most)
  const taken = new Set(shown.map(({ asOf }) => asOf))
  const ends = flightEnds(line, zone).filter(({ asOf }) => !taken.has(asOf))
  // A total measured at that very moment, but left out above, is better than the plan.
  return [...shown, ...ends.map((end) => measured.find(({ asOf }) => asOf === end.asOf) ?? end)]
    .sort((one, other) => one.asOf - other.asOf)
    .map((point) => ({ ...point, expected: plannedAt(line, point.asOf, zone) }))
}

type Measured = Omit<SeriesPoint, "expected">

/** Zero at the start of the flight; at its end, only the plan is known. */
function flightEnds(line: PacedLine, zone: TimeZone): Measured[] {
  const start = { asOf: startOfDay(line.flightStart, zone), day: line.flightStart, quantity: 0 }
  if (line.flightEnd === null || line.booked === null) return [start]
  return [start, { asOf: endOfDay(line.flightEnd, zone), day: line.flightEnd, quantity: null }]
}

/** One total per moment: the current total, or else the last arrival. */
function lastArrivals(current: DeliveryTotal | null, reports: readonly DeliveryTotal[]): DeliveryTotal[] {
  const latest = reports.filter(({ asOf }, i) => asOf !== reports[i + 1]?.asOf)
  // A correction back to an earlier figure of the same moment is not in the history again, but is current.
  return latest.map((total) => (current !== null && total.asOf === current.asOf ? current : total))
}

function closingOnly(points: readonly Measured[]): Measured[] {
  return points.filter(({ day }, i) => day !== points[i + 1]?.day)
}

function plannedAt(line: PacedLine, at: Moment, zone: TimeZone): number | null {
  const expected = expectedAt(line, at, zone)
  return expected === null ? null : Math.round(expected)
}

/** An even sample of at most `most` items, including the first and the last. */
function thinned<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  const step = (items.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => items[Math.round(i * step)]).filter((item) => item !== undefined)
}

/** Seconds for charts, rounded down to the millisecond: rounded up, the end of a day would become the start of the next. */
export function chartSeconds(moment: Moment): number {
  return Math.floor(moment / MICROS_PER_MS) / 1_000
}
