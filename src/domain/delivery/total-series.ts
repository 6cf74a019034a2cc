import { expectedAt, type PacedLine } from "../campaign/pacing.ts"
import { type CalendarDate, MICROS_PER_MS, type Moment } from "../time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"

/** One moment of a line's delivery over time. */
export interface SeriesPoint {
  readonly asOf: Moment
  /** The day it belongs to in the seller's zone. A closing total, measured in a day's last microsecond, belongs to that day. */
  readonly day: CalendarDate
  /** The total; null where only the plan is known, at the end of a flight. */
  readonly quantity: number | null
  /** Where the plan was at that moment, in whole units; null without a plan. */
  readonly expected: number | null
}

/**
 * A line's delivery over time, from the start of the flight on, and to its end where there is a plan. Charts, sketches, tables and
 * files are all made from this. One point for each moment; where more than `most` were measured, the last of each day; where that
 * is still too many, evenly chosen ones.
 *
 * `reports` are in order of time, the latest arrival of each moment first, as the store gives them.
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
  // What was measured at just that moment, and left out above, is known better than from the plan.
  return [...shown, ...ends.map((end) => measured.find(({ asOf }) => asOf === end.asOf) ?? end)]
    .sort((one, other) => one.asOf - other.asOf)
    .map((point) => ({ ...point, expected: plannedAt(line, point.asOf, zone) }))
}

type Measured = Omit<SeriesPoint, "expected">

/** Nothing was delivered when the flight began; when it ends, the plan is what was booked. */
function flightEnds(line: PacedLine, zone: TimeZone): Measured[] {
  const start = { asOf: startOfDay(line.flightStart, zone), day: line.flightStart, quantity: 0 }
  if (line.flightEnd === null || line.booked === null) return [start]
  return [start, { asOf: endOfDay(line.flightEnd, zone), day: line.flightEnd, quantity: null }]
}

/** Of several totals of one moment the one that stands: the current total, or else what arrived last. */
function lastArrivals(current: DeliveryTotal | null, reports: readonly DeliveryTotal[]): DeliveryTotal[] {
  const standing = reports.filter(({ asOf }, i) => asOf !== reports[i - 1]?.asOf)
  // A total that returns to an earlier figure of the same moment adds nothing to the history, but is current.
  return standing.map((total) => (current !== null && total.asOf === current.asOf ? current : total))
}

function closingOnly(points: readonly Measured[]): Measured[] {
  return points.filter(({ day }, i) => day !== points[i + 1]?.day)
}

function plannedAt(line: PacedLine, at: Moment, zone: TimeZone): number | null {
  const expected = expectedAt(line, at, zone)
  return expected === null ? null : Math.round(expected)
}

/** At most so many, evenly chosen; the first and the last are always among them. */
function thinned<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  const step = (items.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => items[Math.round(i * step)]).filter((item) => item !== undefined)
}

/**
 * A moment in seconds, as charts count: to the millisecond and never rounded up, because the end of a day would become
 * the beginning of the next.
 */
export function chartSeconds(moment: Moment): number {
  return Math.floor(moment / MICROS_PER_MS) / 1_000
}
