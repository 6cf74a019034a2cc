import { type DeliveryTotal, FLAT_RATE_DELIVERED } from "../delivery/delivery.ts"
import { costAsNumber } from "../sale/money.ts"
import { type CalendarDate, MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { LineFields } from "./line-fields.ts"
import { COUNTED_BASES } from "./pricing-basis.ts"

type WithTotal = Readonly<{ total: DeliveryTotal | null }>

export type PricedLine = Pick<LineFields, "pricingBasis" | "booked" | "rate" | "currency"> & WithTotal

/** A sum of amounts is the sum of what is shown: no currency has more decimal places, the rest is noise of binary fractions. */
export const withoutNoise = (amount: number) => Math.round(amount * 10_000) / 10_000

/** What was delivered is worth, at most what was booked: what comes beyond that is not paid. Null without a price. */
export const lineValue = (line: PricedLine, delivered = line.total?.quantity ?? 0): number | null =>
  worthOf(line, line.pricingBasis === "flat_rate" ? delivered : Math.min(delivered, line.booked ?? delivered))

/** What the line is worth once everything booked is delivered. Null without a price or a booked quantity. */
export function bookedValue(line: PricedLine): number | null {
  const all = line.pricingBasis === "flat_rate" ? FLAT_RATE_DELIVERED : line.booked
  return all === null ? null : worthOf(line, all)
}

/** To the smallest coin, as a statement has it. */
function worthOf({ pricingBasis, rate, currency }: PricedLine, quantity: number): number | null {
  if (rate === null) return null
  if (pricingBasis === "flat_rate") return quantity === FLAT_RATE_DELIVERED ? costAsNumber(1, rate, 1, currency) : 0
  return costAsNumber(quantity, rate, COUNTED_BASES[pricingBasis].per, currency)
}

export type PacedLine = Pick<LineFields, "pricingBasis" | "flightStart" | "flightEnd" | "booked"> & WithTotal

/** How much should be delivered at a moment if the booked quantity is spread evenly over the flight. Null without a plan. */
export function expectedAt(line: PacedLine, at: Moment, zone: TimeZone): number | null {
  if (line.booked === null || line.flightEnd === null || line.pricingBasis === "flat_rate") return null
  const start = startOfDay(line.flightStart, zone)
  const end = endOfDay(line.flightEnd, zone)
  const share = Math.min(Math.max((at - start) / (end - start), 0), 1)
  return line.booked * share
}

/** How far from the plan, as a share of it: -0.17 is 17% behind. Null without a plan or a total. */
export function offPlan(line: PacedLine, zone: TimeZone): number | null {
  const { total } = line
  // At the time of the total: an old figure is not behind just because it is old.
  const planned = total === null ? null : expectedAt(line, total.asOf, zone)
  return total === null || planned === null || planned === 0 ? null : total.quantity / planned - 1
}

export type ZonedLine = PacedLine & { readonly seller: { readonly timeZone: TimeZone } }

/** The states of a line, as files and programs read them. A campaign is in the first of these that one of its lines is in. */
export const LINE_STATES = [
  "no_recent_figures",
  "behind",
  "over_delivered",
  "ahead",
  "on_pace",
  "running",
  // After all others that run: a campaign ends soon when every line that still runs does.
  "ends_soon",
  "upcoming",
  "ended",
  "delivered",
] as const
export type LineState = (typeof LINE_STATES)[number]

/** The state of a line, in one word: the only place that decides it. */
export function stateOf(line: ZonedLine, now: Moment): LineState {
  if (isDelivered(line)) return isOverDelivered(line) ? "over_delivered" : "delivered"
  const today = dayOf(now, line.seller.timeZone)
  if (today < line.flightStart) return "upcoming"
  if (line.flightEnd !== null && today > line.flightEnd) return "ended"
  if (lacksRecentFigures(line, now)) return "no_recent_figures"
  const pace = paceOf(line)
  if (pace === "behind") return pace
  const left = daysLeft(line, today)
  if (left !== null && left <= ENDS_SOON_DAYS) return "ends_soon"
  return pace ?? "running"
}

export const campaignState = (states: ReadonlySet<LineState>): LineState | "empty" =>
  LINE_STATES.find((state) => states.has(state)) ?? "empty"

export type Phase = "upcoming" | "running" | "ended"

/** By its days. What has no end is over once it is delivered. */
export function phaseOf(line: ZonedLine, now: Moment): Phase {
  const today = dayOf(now, line.seller.timeZone)
  if (today < line.flightStart) return "upcoming"
  return (line.flightEnd === null ? isDelivered(line) : today > line.flightEnd) ? "ended" : "running"
}

/** Running as long as a line runs. A campaign without lines has not begun. */
export function campaignPhase(phases: ReadonlySet<Phase>): Phase {
  if (phases.has("running")) return "running"
  return phases.has("upcoming") || phases.size === 0 ? "upcoming" : "ended"
}

/** The state as people and files read it: what was never reported is no alarm. */
export const stateToShow = <State extends string>(state: State, isReported: boolean): State | "no_totals_yet" =>
  state === "no_recent_figures" && !isReported ? "no_totals_yet" : state

function isDelivered({ pricingBasis, booked, total }: PacedLine): boolean {
  if (total === null) return false
  if (pricingBasis === "flat_rate") return total.quantity === FLAT_RATE_DELIVERED
  return booked !== null && booked > 0 && total.quantity >= booked
}

// Counting differs from system to system: what is less than a fiftieth more than booked is simply delivered.
const TOLERATED_PART = 50

function isOverDelivered({ pricingBasis, booked, total }: PacedLine): boolean {
  if (pricingBasis === "flat_rate" || booked === null || total === null) return false
  // Multiplied, not divided: exact for every whole number that can be reported.
  return (total.quantity - booked) * TOLERATED_PART >= booked
}

// Traffic varies from day to day; within a tenth of the plan no action is needed.
const PACE_SLACK = 0.1

function paceOf(line: ZonedLine): "behind" | "on_pace" | "ahead" | null {
  const off = offPlan(line, line.seller.timeZone)
  if (off === null) return null
  if (off < -PACE_SLACK) return "behind"
  return off > PACE_SLACK ? "ahead" : "on_pace"
}

const FRESH_DAYS = 2

function lacksRecentFigures(line: ZonedLine, now: Moment): boolean {
  if (line.pricingBasis === "flat_rate") return false
  const since = line.total?.asOf ?? startOfDay(line.flightStart, line.seller.timeZone)
  return now - since > FRESH_DAYS * MICROS_PER_DAY
}

/** A flight that ends within this many days, today included, ends soon. */
const ENDS_SOON_DAYS = 7

/** How many days are left, today included; null without an end. */
export function daysLeft({ flightEnd }: Pick<PacedLine, "flightEnd">, today: CalendarDate): number | null {
  if (flightEnd === null) return null
  return Math.round(((Date.parse(flightEnd) - Date.parse(today)) * 1_000) / MICROS_PER_DAY) + 1
}

/** The total of a line that has one for yesterday or today is not due; that of a flat-rate line never is. */
export function isTotalDue(line: ZonedLine, now: Moment): boolean {
  const { pricingBasis, total, seller, flightEnd, flightStart } = line
  if (pricingBasis === "flat_rate" || isDelivered(line)) return false
  const today = dayOf(now, seller.timeZone)
  const yesterday = dayOf(startOfDay(today, seller.timeZone) - 1, seller.timeZone)
  const last = flightEnd !== null && flightEnd < yesterday ? flightEnd : yesterday
  return flightStart <= last && (total === null || dayOf(total.asOf, seller.timeZone) < last)
}

/** Whether somebody may want to type a total of it: it runs, or has ended and its last day is not reported. */
export function takesTotal(line: ZonedLine, now: Moment): boolean {
  if (line.pricingBasis === "flat_rate" && isDelivered(line)) return false
  return isInFlight(line, now) || (dayOf(now, line.seller.timeZone) >= line.flightStart && isTotalDue(line, now))
}

/** Whether today is a day of its flight, also when everything is delivered already. */
export function isInFlight({ flightStart, flightEnd, seller }: ZonedLine, now: Moment): boolean {
  const today = dayOf(now, seller.timeZone)
  return today >= flightStart && (flightEnd === null || today <= flightEnd)
}
