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
    explanation:
      "A field is missing or has the wrong form: a number sent as text, a date that does not exist, both quantities at once. The message names the field.",
  },
  invalid_row: {
    short: "Unreadable",
    title: "Unreadable row",
    explanation: "A field of an affiliate row is missing or has the wrong form. The message names the field.",
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
      "No line that you sell has this package ID, or none of your lines has this affiliate code. Compare the ID with the one on the line's page; add a missing code first.",
  },
  before_flight_start: {
    short: "Too early",
    title: "Before the flight",
    explanation: "The total was measured before the first day of the line's flight. Nothing counts before it.",
  },
  as_of_in_future: {
    short: "Future",
    title: "Measured in the future",
    explanation: "The total was measured later than it was received. The sender's clock or time zone is wrong.",
  },
  date_in_future: {
    short: "Future",
    title: "A day in the future",
    explanation: "The day is later than today in your organization's time zone.",
  },
  flat_rate_takes_no_quantity: {
    short: "Flat rate",
    title: "Figure for a flat-rate line",
    explanation: "A flat-rate line is delivered or not. Send the item without impressions or downloads.",
  },
  quantity_required: {
    short: "Wrong unit",
    title: "Wrong unit",
    explanation:
      "The figure that the line is priced on is missing: impressions for a line priced on impressions, downloads for one priced on downloads.",
  },
  internal_error: {
    short: "Our error",
    title: "Error on our side",
    explanation: "We could not store the item. Nothing was changed. Send it again.",
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
