import type { Moment } from "../time/moment.ts"
import type { DeliveryTotal } from "./delivery.ts"
import type { Neighbours } from "./total-questions.ts"

/** Totals of one line sorted by time, one per moment. */
export interface TotalsInOrder {
  /** Replaces a total of the same moment. */
  add(total: DeliveryTotal): void
  around(asOf: Moment): Neighbours
}

/** `arrived` is sorted by arrival, oldest first. */
export function totalsInOrder(arrived: readonly DeliveryTotal[]): TotalsInOrder {
  const byMoment = new Map(arrived.map((total) => [total.asOf, total]))
  const totals = [...byMoment.values()].sort((one, other) => one.asOf - other.asOf)

  /** Index of the first total at this moment or later. */
  function placeOf(asOf: Moment): number {
    let [low, high] = [0, totals.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((totals[middle]?.asOf ?? 0) < asOf) low = middle + 1
      else high = middle
    }
    return low
  }

  const isAt = (place: number, asOf: Moment) => totals[place]?.asOf === asOf

  return {
    add(total) {
      const place = placeOf(total.asOf)
      totals.splice(place, isAt(place, total.asOf) ? 1 : 0, total)
    },
    around(asOf) {
      const place = placeOf(asOf)
      return { earlier: totals[place - 1], later: totals[isAt(place, asOf) ? place + 1 : place] }
    },
  }
}
