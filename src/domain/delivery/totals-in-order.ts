import type { Moment } from "../time/moment.ts"
import type { DeliveryTotal } from "./delivery.ts"
import type { Neighbours } from "./total-questions.ts"

/** Finds the totals of a line next to a moment. Of several at one moment the one that stands last in `totals` counts. */
export function neighboursIn(totals: readonly DeliveryTotal[]): (asOf: Moment) => Neighbours {
  const byMoment = new Map(totals.map((total) => [total.asOf, total]))
  const inOrder = [...byMoment.values()].sort((one, other) => one.asOf - other.asOf)
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
