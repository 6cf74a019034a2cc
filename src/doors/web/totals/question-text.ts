import type { TotalQuestion } from "../../../domain/delivery/total-questions.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { formatDate, formatNumber } from "../parts/format.tsx"

const CUMULATIVE = "A total is everything delivered so far."

/** A question about a total: what is odd about it, and why that matters. */
export function questionText(question: TotalQuestion, quantity: number, zone: TimeZone): string {
  const on = (asOf: number) => formatDate(dayOf(asOf, zone))
  const sent = formatNumber(quantity)
  switch (question.kind) {
    case "lower":
      return `The total would go down from ${formatNumber(question.current.quantity)} to ${sent}. ${CUMULATIVE}`
    case "below_earlier": {
      const { quantity: before, asOf } = question.earlier
      return `${sent} is less than the ${formatNumber(before)} measured before, on ${on(asOf)}. ${CUMULATIVE}`
    }
    case "above_later": {
      const { quantity: after, asOf } = question.later
      return `${sent} is more than the ${formatNumber(after)} measured later, on ${on(asOf)}. ${CUMULATIVE}`
    }
    case "above_booked":
      return `${sent} is far above the ${formatNumber(question.booked)} booked.`
    case "above_pace":
      return question.isFirst
        ? `${sent} is far above the plan, about ${formatNumber(question.usual)} by then.`
        : `${sent} is far above the usual pace, which would make it about ${formatNumber(question.usual)}.`
    case "delivered_early": {
      const end = formatDate(question.flightEnd)
      return `The flight runs until ${end}. A flat-rate line that is marked as delivered stays delivered.`
    }
  }
}
