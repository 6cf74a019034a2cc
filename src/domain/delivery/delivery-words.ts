import type { JudgedLine } from "../campaign/package-line.ts"
import { COUNTED_BASES, ONE_UNIT_ONLY, takesFraction, UNITS } from "../campaign/pricing-basis.ts"
import { numberProblem } from "../text/typed-number.ts"
import { dayInWords } from "../time/time-zone.ts"
import type { DeliveryReason } from "./delivery.ts"
import { complaintAbout } from "./delivery-message.ts"

type ReasonInWords = Readonly<{ field: "quantity" | "as_of" | "package_id" | ""; text: string }>

function figureOf(line: JudgedLine | undefined): string {
  const unit = line?.pricingBasis ?? UNITS[0]
  if (unit === "flat_rate") return "nothing: this line is flat-rate"
  return `the ${unit} delivered so far, as a ${takesFraction(unit) ? "number" : "whole number"}`
}

/** Why an item was rejected, for the person who typed it. `line` is undefined where it is unknown. */
export function reasonInWords(reason: DeliveryReason, item: unknown, line: JudgedLine | undefined): ReasonInWords {
  switch (reason) {
    case "invalid_item":
      return malformed(item, line)
    case "duplicate_package_id":
      return { field: "package_id", text: "This line is already above. Enter one total per line." }
    case "not_seller":
      return { field: "package_id", text: "No line that you sell has this line ID." }
    case "before_flight_start":
      return {
        field: "as_of",
        text: `The flight starts on ${line === undefined ? "a later day" : dayInWords(line.flightStart)}. If it began earlier, change its first day.`,
      }
    case "as_of_in_future":
      return { field: "as_of", text: "This is in the future. Enter when the total was measured." }
    case "flat_rate_takes_no_quantity":
      return { field: "quantity", text: "This line is flat-rate: it is delivered or not, and takes no figure." }
    case "quantity_required":
      return { field: "quantity", text: `Enter ${figureOf(line)}.` }
    case "internal_error":
      return { field: "", text: "We could not store this. Nothing was changed; please try again." }
  }
}

function malformed(item: unknown, line: JudgedLine | undefined): ReasonInWords {
  const { field } = complaintAbout(item)
  if (field === "package_id") return { field, text: "Not a valid line ID." }
  if (field === "as_of") return { field, text: "Enter a day such as 14 Nov 2026, or a day and a time." }
  const fields = (item ?? {}) as Record<string, unknown>
  const sent = UNITS.filter((unit) => fields[unit] !== undefined)
  if (sent.length > 1) return { field: "quantity", text: `Enter ${ONE_UNIT_ONLY}.` }
  const [misread] = sent.flatMap((unit) => numberProblem(fields[unit], COUNTED_BASES[unit].number) ?? [])
  return { field: "quantity", text: misread ?? `Not a valid number. Enter ${figureOf(line)}.` }
}
