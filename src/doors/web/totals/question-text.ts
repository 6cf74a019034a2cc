import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import type { TotalQuestion } from "../../../domain/delivery/total-questions.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { formatDate, formatNumber } from "../parts/format.tsx"

const CUMULATIVE = "A total is everything delivered so far."

/** A question about a total: what is odd about it, and why that matters. */
export function questionText(question: TotalQuestion, quantity: number, zone: TimeZone): string {
  const sent = formatNumber(quantity)
  const measured = (total: DeliveryTotal, when: "before" | "later") =>
    `${formatNumber(total.quantity)} measured ${when}, on ${formatDate(dayOf(total.asOf, zone))}`
  switch (question.kind) {
    case "lower":
      return `The total would go down from ${formatNumber(question.current.quantity)} to ${sent}. ${CUMULATIVE}`
    case "below_earlier":
      return `${sent} is less than the ${measured(question.earlier, "before")}. ${CUMULATIVE}`
    case "above_later":
      return `${sent} is more than the ${measured(question.later, "later")}. ${CUMULATIVE}`
    case "above_booked":
      return `${sent} is far above the ${formatNumber(question.booked)} booked.`
    case "above_pace":
      return question.isFirst
        ? `${sent} is far above the plan, about ${formatNumber(question.usual)} by then.`
        : `${sent} is far above the usual pace, which would make it about ${formatNumber(question.usual)}.`
    case "delivered_early":
      return `The flight runs until ${formatDate(question.flightEnd)}. It counts as delivered until withdrawn.`
  }
}
