// What moment.ts parses, as patterns for schemas.

const leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
const day =
  "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|" +
  `02-(?:0[1-9]|1[0-9]|2[0-8]))|${leapYear}-02-29)`
const timeOfDay = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"
const offset = "[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]"

/** Days that exist; 29 February only in leap years. */
export const DAY_PATTERN = `^${day}$`
/** A day, or a moment as RFC 3339 writes it, in which T and Z may be small letters. */
export const DAY_OR_MOMENT_PATTERN = `^${day}(?:[Tt]${timeOfDay}(?:[Zz]|${offset}))?$`
/** A moment as AdCP writes it. */
export const MOMENT_PATTERN = `^${day}T${timeOfDay}(?:Z|${offset})$`
