import { type Errors, errorsIn } from "../errors.ts"
import { dayOf } from "../time/time-zone.ts"
import type { LineFields } from "./line.ts"
import type { PacedLine } from "./line-state.ts"

const RATE_STATED = "A statement covers this line. The next one will include the difference."

/**
 * Questions to ask before an edit is saved, by field, because the edit contradicts the delivery. Either may be right.
 */
export function questionsAboutEdit(
  { booked, flightStart, rate, currency }: LineFields,
  stored: PacedLine & Pick<LineFields, "rate" | "currency">,
  isStated: boolean,
): Errors {
  const { total, timeZone } = stored
  if (total === null) return {}
  const measuredOn = dayOf(total.asOf, timeZone)
  const isLess = booked !== null && booked !== stored.booked && booked < total.quantity
  const isLater = flightStart !== stored.flightStart && flightStart > measuredOn
  const hasNewPrice = rate !== stored.rate || currency !== stored.currency
  return errorsIn({
    rate: hasNewPrice && isStated ? RATE_STATED : undefined,
    booked: isLess ? `${total.quantity.toLocaleString("en")} are already delivered.` : undefined,
    flightStart: isLater ? `The current total was measured before that, on ${measuredOn}.` : undefined,
  })
}
