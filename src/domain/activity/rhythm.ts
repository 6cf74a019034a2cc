import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

// How often a key usually reports, and whether it has been silent for longer than that. The hours in which it sent anything are
// enough to tell.

export const HOUR = 3_600 * MICROS_PER_SECOND
/** Counts and rejected items are kept this long. */
export const ACTIVITY_DAYS = 90
/** How many of a key's latest hours with requests are read. */
export const RHYTHM_HOURS_MAX = 200

// Fewer gaps don't show what is usual.
const GAPS_MIN = 3
// A little late isn't silent.
const SLACK = 1.5
// A feed of working days is silent every weekend. One long outage in a month isn't a habit.
const HABIT_SHARE = 0.95

/** Unused: no request yet. New: too few to tell what is usual. */
export type FeedState = "unused" | "new" | "reporting" | "silent"

export interface Rhythm {
  readonly state: FeedState
  readonly lastAt: Moment | null
  /** The usual time between reports in hours, at least 1. Null if it isn't known. */
  readonly usualHours: number | null
  /** How long nothing has arrived. Null unless it's silent. */
  readonly silentFor: Moment | null
}

/** `hours` are the starts of the latest hours with requests, in any order. `lastAt` is the last request. */
export function rhythmOf(hours: readonly Moment[], lastAt: Moment | null, now: Moment): Rhythm {
  if (lastAt === null) return { state: "unused", lastAt, usualHours: null, silentFor: null }
  const gaps = gapsBetween(hours)
  const usualHours = gaps.length < GAPS_MIN ? null : valueAt(gaps, 0.5)
  const since = Math.max(now - lastAt, 0)
  if (since > longestGap(gaps, usualHours)) return { state: "silent", lastAt, usualHours, silentFor: since }
  return { state: usualHours === null ? "new" : "reporting", lastAt, usualHours, silentFor: null }
}

/** How long a key may be quiet. One hour more than usual, because only the hour of a request is known. */
function longestGap(gaps: readonly number[], usualHours: number | null): Moment {
  if (usualHours === null) return ACTIVITY_DAYS * MICROS_PER_DAY
  return (Math.max(usualHours * SLACK, valueAt(gaps, HABIT_SHARE)) + 1) * HOUR
}

function gapsBetween(hours: readonly Moment[]): number[] {
  const sorted = hours.toSorted((a, b) => a - b)
  const gaps = sorted.slice(1).map((hour, i) => (hour - (sorted[i] ?? hour)) / HOUR)
  return gaps.filter((gap) => gap > 0).sort((a, b) => a - b)
}

const valueAt = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0

/** "every hour", "every 6 hours", "once a day", "every 3 days". */
export function usualInWords(hours: number): string {
  if (hours < 1.5) return "every hour"
  if (hours < 20) return `every ${Math.round(hours)} hours`
  const days = Math.round(hours / 24)
  if (days <= 1) return "once a day"
  return days === 7 ? "once a week" : `every ${days} days`
}
