import type { CalendarDate, Moment } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import type { DeliveryEffect, DeliveryTotal } from "./delivery.ts"

interface Arrival {
  readonly effect: DeliveryEffect
  /** Whether it is the current total from then on. */
  readonly isCurrent: boolean
  /** What the history has of its moment: this very total, which counts, or perhaps another. Nothing there is later than the current total. */
  readonly ofMoment: "nothing" | "perhaps something" | "the same"
}

const NEWER: Arrival = { effect: "applied", isCurrent: true, ofMoment: "nothing" }
const CONFIRMING: Arrival = { effect: "unchanged", isCurrent: true, ofMoment: "nothing" }
const CORRECTING: Arrival = { effect: "applied", isCurrent: true, ofMoment: "perhaps something" }
const REPEATED: Arrival = { effect: "unchanged", isCurrent: false, ofMoment: "the same" }
const LATE: Arrival = { effect: "older_than_current", isCurrent: false, ofMoment: "perhaps something" }

/**
 * The rule about reports, for those that save them and those that preview them: the newest `as_of` is current, also with the same
 * quantity; at equal `as_of` the later arrival wins.
 */
export function arrivalOf(current: DeliveryTotal | undefined, { asOf, quantity }: DeliveryTotal): Arrival {
  if (current === undefined) return NEWER
  if (asOf < current.asOf) return LATE
  if (asOf > current.asOf) return quantity === current.quantity ? CONFIRMING : NEWER
  return quantity === current.quantity ? REPEATED : CORRECTING
}

type TotalOfLine = DeliveryTotal & { readonly lineId: number }

/** The effects of totals that arrive one after the other. */
export function effectsOf(
  totals: readonly TotalOfLine[],
  currentOf: (lineId: number) => DeliveryTotal | undefined,
): DeliveryEffect[] {
  const moved = new Map<number, DeliveryTotal>()
  return totals.map((total) => {
    const { effect, isCurrent } = arrivalOf(moved.get(total.lineId) ?? currentOf(total.lineId), total)
    if (isCurrent) moved.set(total.lineId, total)
    return effect
  })
}

export type LastOfMoment = Readonly<{ quantity: number; receivedAt: Moment }>

/** Of a line and moment the report that is received last counts, whatever the clocks of several servers say. */
export const receivedAfter = (receivedAt: Moment, last: LastOfMoment | undefined): Moment =>
  last === undefined ? receivedAt : Math.max(receivedAt, last.receivedAt + 1)

/** What a storage engine knows of lines, and writes for the reports of them that it is told to keep. */
export interface Recording<Total extends TotalOfLine> {
  currentOf(lineId: number): DeliveryTotal | undefined
  /** The report of its line and moment that was received last. */
  lastOfMoment(total: Total): LastOfMoment | undefined
  /** It was received after this one of the same line and moment. */
  addReport(total: Total, last: LastOfMoment | undefined): void
  setCurrent(total: Total): void
  /** The day that it is of, in the seller's time zone, has this total: see `withTotal`. */
  addToDay(total: Total, day: CalendarDate): void
  /** Another total of the same moment may count no longer: then the day is worked out from its reports. */
  corrects(total: Total, day: CalendarDate): void
}

/** Lets a total arrive: what is kept of it, and its effect. */
export function arrive<Total extends TotalOfLine>(recording: Recording<Total>, total: Total, zone: TimeZone) {
  const { effect, isCurrent, ofMoment } = arrivalOf(recording.currentOf(total.lineId), total)
  if (ofMoment === "the same") return effect
  const isAmongOthers = ofMoment === "perhaps something"
  const last = isAmongOthers ? recording.lastOfMoment(total) : undefined
  const isKnown = last?.quantity === total.quantity
  if (isKnown && !isCurrent) return effect
  if (!isKnown) recording.addReport(total, last)
  if (isCurrent) recording.setCurrent(total)
  const day = dayOf(total.asOf, zone)
  recording.addToDay(total, day)
  if (isAmongOthers) recording.corrects(total, day)
  return effect
}

/** Whether a line is still at the total that somebody has seen; null: at none. */
export function isStillAt(current: DeliveryTotal | undefined, seen: DeliveryTotal | null): boolean {
  if (current === undefined || seen === null) return current === undefined && seen === null
  return current.asOf === seen.asOf && current.quantity === seen.quantity
}

// The clocks of several servers differ by minutes.
const AHEAD: Moment = 600_000_000

/** A current total that was measured later is of a clock that was ahead: until then no other replaces it. */
export const latestMeasurable = (now: Moment): Moment => now + AHEAD
