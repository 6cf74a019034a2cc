import type { Moment } from "../time/moment.ts"

// Made when it is first used: it is slow to make.
let format: Intl.DateTimeFormat | undefined

/** "15 Nov 2026, 12:00 UTC". A message goes to people of several organizations, so it has no other time zone. */
export function timeInWords(moment: Moment): string {
  format ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })
  return `${format.format(moment / 1_000)} UTC`
}
