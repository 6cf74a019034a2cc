import type { Moment } from "../time/moment.ts"
import type { OpenDay } from "./closing-day.ts"
import type { DeliveryEffect, DeliveryTotal } from "./delivery.ts"

export interface Arrival {
  readonly effect: DeliveryEffect
  /** Whether it is the current total from then on. */
  readonly isCurrent: boolean
  /** Whether it is in the history already. Nothing there is later than the current total. */
  readonly inHistory: "no" | "perhaps" | "yes"
}

const NEWER: Arrival = { effect: "applied", isCurrent: true, inHistory: "no" }
const CONFIRMING: Arrival = { effect: "unchanged", isCurrent: true, inHistory: "no" }
const CORRECTING: Arrival = { effect: "applied", isCurrent: true, inHistory: "perhaps" }
const REPEATED: Arrival = { effect: "unchanged", isCurrent: false, inHistory: "yes" }
const LATE: Arrival = { effect: "older_than_current", isCurrent: false, inHistory: "perhaps" }

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

/** The effects of totals that arrive one after the other. */
export function effectsOf(
  totals: readonly (DeliveryTotal & { readonly lineId: number })[],
  currentOf: (lineId: number) => DeliveryTotal | undefined,
): DeliveryEffect[] {
  const moved = new Map<number, DeliveryTotal>()
  return totals.map((total) => {
    const { effect, isCurrent } = arrivalOf(moved.get(total.lineId) ?? currentOf(total.lineId), total)
    if (isCurrent) moved.set(total.lineId, total)
    return effect
  })
}

/** The current total of a line, and its report that arrived last, where the linked list of its history starts. */
export interface CurrentTotal extends OpenDay {
  readonly lastAsOf: Moment
  readonly lastQuantity: number
}

/** What a line is at after a report: it becomes current unless it is late, and the last of the history unless it is in there already. */
export function afterReport(
  before: CurrentTotal | undefined,
  { asOf, quantity }: DeliveryTotal,
  isAdded: boolean,
  { dayEnd, dayLow }: Pick<OpenDay, "dayEnd" | "dayLow">,
): CurrentTotal {
  if (before === undefined) return { asOf, quantity, lastAsOf: asOf, lastQuantity: quantity, dayEnd, dayLow }
  const isLate = asOf < before.asOf
  return {
    asOf: isLate ? before.asOf : asOf,
    quantity: isLate ? before.quantity : quantity,
    lastAsOf: isAdded ? asOf : before.lastAsOf,
    lastQuantity: isAdded ? quantity : before.lastQuantity,
    dayEnd,
    dayLow,
  }
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
