// The reasons of all three feeds, and the outcomes of whole requests, for people who did not write the sending program.

interface ReasonWords {
  /** A word or two, for a chart. */
  readonly short: string
  readonly title: string
  readonly explanation: string
}

const REASONS: Readonly<Record<string, ReasonWords>> = {
  invalid_item: {
    short: "Unreadable",
    title: "Unreadable item",
    explanation: "A field is missing or not as expected, such as a number sent as text. The message names the field.",
  },
  invalid_row: {
    short: "Unreadable",
    title: "Unreadable row",
    explanation: "A field is missing or not as expected. The message names the field.",
  },
  duplicate_package_id: {
    short: "Duplicate",
    title: "Line sent twice",
    explanation: "The same line was in the request more than once. The first total was used. Send one total per line.",
  },
  not_seller: {
    short: "Unknown line",
    title: "Unknown line or code",
    explanation:
      "None of your lines has this package ID or code. Compare it with the ID on the line’s page, or add the code first.",
  },
  before_flight_start: {
    short: "Too early",
    title: "Before the flight",
    explanation: "The total was measured before the flight of the line began.",
  },
  as_of_in_future: {
    short: "Future",
    title: "Measured in the future",
    explanation: "The total was measured later than we received it. The sender’s clock or time zone is wrong.",
  },
  date_in_future: {
    short: "Future",
    title: "A day in the future",
    explanation: "The day has not begun in your time zone yet.",
  },
  flat_rate_takes_no_quantity: {
    short: "Flat rate",
    title: "Figure for a flat-rate line",
    explanation: "A flat-rate line is delivered or not. Send the item without impressions or downloads.",
  },
  quantity_required: {
    short: "Wrong unit",
    title: "Wrong unit",
    explanation: "The figure is in the wrong unit. Send what the line is priced on: impressions or downloads.",
  },
  internal_error: {
    short: "Our error",
    title: "Error on our side",
    explanation: "We could not store it. Nothing was changed. Send it again.",
  },
}

/** The reasons that are explained, in the order in which they are checked. */
export const EXPLAINED_REASONS: readonly string[] = Object.keys(REASONS)

export function reasonWords(reason: string): ReasonWords {
  return REASONS[reason] ?? { short: reason, title: reason, explanation: "" }
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
export function outcomeInWords(outcome: string): string {
  return OUTCOMES[outcome] ?? outcome.replaceAll("_", " ")
}
