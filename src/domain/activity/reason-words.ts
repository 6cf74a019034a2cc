import type { RowReason } from "../affiliate/affiliate-report.ts"
import { ANY_UNIT } from "../campaign/pricing-basis.ts"
import type { DeliveryReason } from "../delivery/delivery.ts"

// The reasons of all three feeds, and the outcomes of whole requests, for people who did not write the sending program.

/** Each as its title and an explanation, in the order in which they are checked. */
export const REASONS: Readonly<Record<DeliveryReason | RowReason, string> & Record<string, string>> = {
  invalid_item:
    "Unreadable item | A field is missing or not as expected, such as a number sent as text. The message names the field.",
  invalid_row: "Unreadable row | A field is missing or not as expected. The message names the field.",
  duplicate_package_id:
    "Line sent twice | The same line was in the request more than once. The first total was used. Send one total per line.",
  not_seller:
    "Unknown line or code | None of your lines has this ID or code. Compare it with the line ID on the line’s page, or add the code first.",
  before_flight_start: "Before the flight | The total was measured before the flight of the line began.",
  as_of_in_future:
    "Measured in the future | The total was measured later than we received it. The sender’s clock or time zone is wrong.",
  date_in_future: "A day in the future | The day has not begun in your time zone yet.",
  flat_rate_takes_no_quantity: `Figure for a flat-rate line | A flat-rate line is delivered or not. Send the item without ${ANY_UNIT}.`,
  quantity_required: `Wrong unit | The figure is in the wrong unit. Send what the line is priced on: ${ANY_UNIT}.`,
  internal_error: "Error on our side | We could not store it. Nothing was changed. Send it again.",
}

export function reasonWords(reason: string) {
  const [title = "", explanation = ""] = (REASONS[reason] ?? reason).split(" | ")
  return { title, explanation }
}

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
