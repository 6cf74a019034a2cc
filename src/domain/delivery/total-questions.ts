import type { PacedLine } from "../campaign/line-state.ts"
import { hashToken } from "../keys/api-key.ts"
import { type CalendarDate, MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryTotal } from "./delivery.ts"

/**
 * What to ask a person before a total is saved. Any total is allowed, and the API accepts it without a question; but somebody who
 * types a daily figure, or one digit too many, should see the effect first.
 */
export type TotalQuestion =
  /** The current total would go down. */
  | { readonly kind: "lower"; readonly current: DeliveryTotal }
  /** Measured before the current total, and less than what was measured before it. */
  | { readonly kind: "below_earlier"; readonly earlier: DeliveryTotal }
  /** Measured before the current total, and more than what was measured after it. */
  | { readonly kind: "above_later"; readonly later: DeliveryTotal }
  | { readonly kind: "above_booked"; readonly booked: number }
  /** `usual` is the total expected from the pace so far, or, for a first one, from the plan. */
  | { readonly kind: "above_pace"; readonly usual: number; readonly isFirst: boolean }
  /** A flat-rate line would be marked as delivered before its flight is over. */
  | { readonly kind: "delivered_early"; readonly flightEnd: CalendarDate }

export type Neighbours = Readonly<{ earlier: DeliveryTotal | undefined; later: DeliveryTotal | undefined }>

// Delivering a little more than booked is common; 50 % more is not.
const ABOVE_BOOKED_FACTOR = 1.5
// Traffic has bursts. Five times the usual amount since the last report is more than a burst.
const ABOVE_PACE_FACTOR = 5
// Small steps are never asked about, even if they are large compared with the total so far.
const STEP_OF_BOOKED_MIN = 0.1
const STEP_WITHOUT_BOOKED_MIN = 10_000

/** `line.total` is the current total. The neighbours matter only to a total that is older than it. */
export function questionsAbout(
  total: DeliveryTotal,
  line: PacedLine,
  neighbours: Neighbours,
  zone: TimeZone,
): TotalQuestion[] {
  if (line.pricingBasis === "flat_rate") return flatRateQuestions(total, line, zone)
  if (line.total !== null && total.asOf < line.total.asOf) return lateQuestions(total, neighbours)
  if (line.total !== null && total.quantity < line.total.quantity) return [{ kind: "lower", current: line.total }]
  return [...aboveBooked(total, line), ...abovePace(total, line, zone)]
}

function flatRateQuestions(total: DeliveryTotal, line: PacedLine, zone: TimeZone): TotalQuestion[] {
  if (line.total !== null || line.flightEnd === null || dayOf(total.asOf, zone) >= line.flightEnd) return []
  return [{ kind: "delivered_early", flightEnd: line.flightEnd }]
}

/** A late total changes nothing today. It is questionable only if it does not fit between its neighbours. */
function lateQuestions({ quantity }: DeliveryTotal, { earlier, later }: Neighbours): TotalQuestion[] {
  if (earlier !== undefined && quantity < earlier.quantity) return [{ kind: "below_earlier", earlier }]
  return later !== undefined && quantity > later.quantity ? [{ kind: "above_later", later }] : []
}

function aboveBooked({ quantity }: DeliveryTotal, { booked, total }: PacedLine): TotalQuestion[] {
  if (booked === null || booked === 0) return []
  const most = booked * ABOVE_BOOKED_FACTOR
  // Asked once, not with every report.
  const isKnown = total !== null && total.quantity > most
  return quantity > most && !isKnown ? [{ kind: "above_booked", booked }] : []
}

function abovePace(total: DeliveryTotal, line: PacedLine, zone: TimeZone): TotalQuestion[] {
  const start = startOfDay(line.flightStart, zone)
  const from = line.total ?? { quantity: 0, asOf: start }
  const perDay = Math.max(plannedPerDay(line, zone), from.quantity / daysBetween(start, from.asOf))
  const usualStep = perDay * daysBetween(from.asOf, total.asOf)
  const step = total.quantity - from.quantity
  const stepMin = line.booked === null ? STEP_WITHOUT_BOOKED_MIN : line.booked * STEP_OF_BOOKED_MIN
  if (usualStep === 0 || step <= stepMin || step <= usualStep * ABOVE_PACE_FACTOR) return []
  return [{ kind: "above_pace", usual: Math.round(from.quantity + usualStep), isFirst: line.total === null }]
}

function plannedPerDay(line: PacedLine, zone: TimeZone): number {
  if (line.booked === null || line.flightEnd === null) return 0
  return line.booked / daysBetween(startOfDay(line.flightStart, zone), endOfDay(line.flightEnd, zone))
}

/** At least one day: less is too short to tell a pace. */
const daysBetween = (from: Moment, to: Moment): number => Math.max((to - from) / MICROS_PER_DAY, 1)

interface AskedTotal {
  readonly lineId: number
  /** The stored total when it was asked, regardless of earlier rows of the same file. */
  readonly current: DeliveryTotal | null
  readonly quantity: number
  readonly questions: readonly TotalQuestion[]
}

/**
 * A digest of the questions, so that a confirmation counts only for these: another current total, figure or question changes it.
 * Empty when nothing was asked.
 */
export function answerTo(totals: readonly AskedTotal[]): string {
  const asked = totals.filter(({ questions }) => questions.length > 0)
  if (asked.length === 0) return ""
  const parts = asked.map(({ lineId, current, quantity, questions }) => [
    lineId,
    current === null ? null : [current.asOf, current.quantity],
    quantity,
    questions.map(({ kind }) => kind),
  ])
  return hashToken(JSON.stringify(parts)).slice(0, 32)
}

/** Finds the totals of a line next to a moment. Of several at one moment the one that stands last in `totals` counts. */
export function neighboursIn(totals: readonly DeliveryTotal[]): (asOf: Moment) => Neighbours {
  const byMoment = new Map(totals.map((total) => [total.asOf, total]))
  const inOrder = [...byMoment.values()].sort((a, b) => a.asOf - b.asOf)
  return (asOf) => {
    // The first total at this moment or later.
    let [place, high] = [0, inOrder.length]
    while (place < high) {
      const middle = (place + high) >>> 1
      if ((inOrder[middle]?.asOf ?? 0) < asOf) place = middle + 1
      else high = middle
    }
    const isAt = inOrder[place]?.asOf === asOf
    return { earlier: inOrder[place - 1], later: inOrder[isAt ? place + 1 : place] }
  }
}
