import { memoize } from "../memoize.ts"

// Names are compared again with every page of a list, and comparing them by a collator takes six times as long.
const KEYS_KEPT = 60_000

// Longer runs of digits are ordered as text.
const DIGITS_MAX = 999

/** Sorted by these keys, "Week 2" comes before "Week 10", and neither case nor accents matter. */
export const naturalKey = memoize(KEYS_KEPT, (text: string) =>
  withoutAccents(text)
    .toLowerCase()
    // The number of digits first: of two numbers without leading zeros, the one with more digits is the larger one.
    .replaceAll(
      /0*(\d+)/g,
      (_, digits: string) => String(Math.min(digits.length, DIGITS_MAX)).padStart(3, "0") + digits,
    ),
)

// Most names have none, and looking for them would take most of the time.
const withoutAccents = (text: string) =>
  /^[ -~\n]*$/.test(text) ? text : text.normalize("NFKD").replaceAll(/\p{M}+/gu, "")
