import type { RowReason } from "../affiliate/affiliate-report.ts"
import { ANY_UNIT } from "../campaign/pricing-basis.ts"
import type { DeliveryReason } from "../delivery/delivery.ts"

// The reasons of all three feeds, and the outcomes of whole requests, for people who did not write the sending program.

type ReasonWords = Readonly<{ title: string; explanation: string }>

/** In the order in which they are checked. */
export const REASONS: Readonly<Record<DeliveryReason | RowReason, ReasonWords> & Record<string, ReasonWords>> = {
  invalid_item: reason(
    "Unreadable item",
    "A field is missing or not as expected, such as a number sent as text. The message names the field.",
  ),
  invalid_row: reason("Unreadable row", "A field is missing or not as expected. The message names the field."),
  duplicate_package_id: reason(
    "Line sent twice",
    "The same line was in the request more than once. The first total was used. Send one total per line.",
  ),
  not_seller: reason(
    "Unknown line or code",
    "None of your lines has this ID or code. Compare it with the line ID on the line’s page, or add the code first.",
  ),
  before_flight_start: reason("Before the flight", "The total was measured before the flight of the line began."),
  as_of_in_future: reason(
    "Measured in the future",
    "The total was measured later than we received it. The sender’s clock or time zone is wrong.",
  ),
  date_in_future: reason("A day in the future", "The day has not begun in your time zone yet."),
  flat_rate_takes_no_quantity: reason(
    "Figure for a flat-rate line",
    `A flat-rate line is delivered or not. Send the item without ${ANY_UNIT}.`,
  ),
  quantity_required: reason(
    "Wrong unit",
    `The figure is in the wrong unit. Send what the line is priced on: ${ANY_UNIT}.`,
  ),
  internal_error: reason("Error on our side", "We could not store it. Nothing was changed. Send it again."),
}

function reason(title: string, explanation: string): ReasonWords {
  return { title, explanation }
}

export const reasonWords = (reason: string): ReasonWords => REASONS[reason] ?? { title: reason, explanation: "" }

const OUTCOMES: Readonly<Record<string, string>> = {
  answered: "answered",
  dry_run: "dry run",
  invalid_json: "not JSON",
  invalid_request: "malformed",
  body_timeout: "too slow",
  body_too_large: "too large",
  unsupported_media_type: "wrong content type",
  rate_limited: "over the rate limit",
}

/** The outcome of a whole request: "over the rate limit". */
export const outcomeInWords = (outcome: string): string => OUTCOMES[outcome] ?? outcome.replaceAll("_", " ")
