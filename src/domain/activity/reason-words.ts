import { DELIVERY_REASONS, type DeliveryReason } from "../delivery/delivery.ts"
import { reasonForPeople } from "../delivery/delivery-reasons.ts"

// The reasons of all three feeds, and the outcomes of whole requests, for people who did not write the sending program.

/** Reasons that only rows of the affiliate feeds have. */
const OF_ROWS: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  invalid_row: { title: "Unreadable row", text: "A field is missing or not as expected. The message names the field." },
  date_in_future: { title: "A day in the future", text: "The day has not begun in your time zone yet." },
}

export const FEED_REASONS: readonly string[] = [...DELIVERY_REASONS, ...Object.keys(OF_ROWS)]

const isOfDelivery = (reason: string): reason is DeliveryReason => DELIVERY_REASONS.some((known) => known === reason)

export const reasonWords = (reason: string): { readonly title: string; readonly text: string } =>
  isOfDelivery(reason) ? reasonForPeople(reason) : (OF_ROWS[reason] ?? { title: reason, text: "" })

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
