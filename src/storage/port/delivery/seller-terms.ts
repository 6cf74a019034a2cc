import type { TimeZone } from "../../../domain/time/time-zone.ts"

/** What a seller's rows are checked against: the seller's time zone, and what was found for each row, all at one revision. */
export interface Terms<Found> {
  /** Pass it on when writing rows that were checked against these terms: if the terms have changed, nothing is written. */
  readonly revision: number
  readonly timeZone: TimeZone
  readonly items: readonly (Found | undefined)[]
}
