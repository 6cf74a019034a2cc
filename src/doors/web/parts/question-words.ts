import type { TotalQuestion } from "../../../domain/delivery/total-questions.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { dateInWords, inNumbers } from "./format.tsx"

const CUMULATIVE = "Totals are cumulative: report everything delivered so far."

/** A question about a total, as sentences: what is odd about it, and why that matters. */
export function questionInWords(question: TotalQuestion, quantity: number, zone: TimeZone): string {
  const on = (asOf: number) => dateInWords(dayOf(asOf, zone))
  const sent = inNumbers(quantity)
  switch (question.kind) {
    case "lower":
      return `The total would go down from ${inNumbers(question.current.quantity)} to ${sent}. ${CUMULATIVE}`
    case "below_earlier": {
      const { quantity: before, asOf } = question.earlier
      return `${sent} is less than the ${inNumbers(before)} measured before, on ${on(asOf)}. ${CUMULATIVE}`
    }
    case "above_later": {
      const { quantity: after, asOf } = question.later
      return `${sent} is more than the ${inNumbers(after)} measured later, on ${on(asOf)}. ${CUMULATIVE}`
    }
    case "above_booked":
      return `${sent} is far above the ${inNumbers(question.booked)} booked.`
    case "above_pace":
      return `${sent} is far above the usual pace, which would give about ${inNumbers(question.usual)}.`
    case "delivered_early": {
      const end = dateInWords(question.flightEnd)
      return `The flight runs until ${end}. A flat-rate line that is marked as delivered stays delivered.`
    }
  }
}
