import { type Errors, errorsIn } from "../errors.ts"
import { dayOf } from "../time/time-zone.ts"
import type { LineFields } from "./line.ts"
import type { PacedLine } from "./line-state.ts"

/** What to ask before an edit is saved, by field, because it contradicts what is delivered. Either may be right. */
export function questionsAboutEdit({ booked, flightStart }: LineFields, stored: PacedLine): Errors {
  const { total, timeZone } = stored
  if (total === null) return {}
  const measuredOn = dayOf(total.asOf, timeZone)
  const isLess = booked !== null && booked !== stored.booked && booked < total.quantity
  const isLater = flightStart !== stored.flightStart && flightStart > measuredOn
  return errorsIn({
    booked: isLess ? `${total.quantity.toLocaleString("en")} are already delivered.` : undefined,
    flightStart: isLater ? `The current total was measured before that, on ${measuredOn}.` : undefined,
  })
}
