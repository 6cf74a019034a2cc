import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { ACTIVITY_MICROS } from "./feed-request.ts"

// How often a key usually reports, and whether it has been silent for longer than that. Known from the hours in which it sent
// anything, so that it costs no more than the counts.

const HOUR = 3_600 * MICROS_PER_SECOND
/** How many of a key's latest hours with requests are looked at. */
export const RHYTHM_HOURS_MAX = 200
// Fewer gaps say nothing about what is usual.
const GAPS_MIN = 3
// A little late is not silent.
const SLACK = 1.5
// A feed of working days is silent every weekend. One long outage in a month is not a habit.
const HABIT_SHARE = 0.95

/** Only a feed whose last request came before this moment can be silent: the shortest gap that is known is an hour. */
export const silentOnlyBefore = (now: Moment): Moment => now - (SLACK + 1) * HOUR

/** Unused: no request yet. New: too few to know what is usual. */
export type FeedState = "unused" | "new" | "reporting" | "silent"

export interface Rhythm {
  readonly state: FeedState
  readonly lastAt: Moment | null
  /** The usual time between reports in hours, at least 1; null when unknown. */
  readonly usualHours: number | null
  /** How long nothing has come, while it is silent. */
  readonly silentFor: Moment | null
}

/** `hours`: the starts of the latest hours with requests, in any order. `lastAt`: the last request. */
export function rhythmOf(hours: readonly Moment[], lastAt: Moment | null, now: Moment): Rhythm {
  if (lastAt === null) return { state: "unused", lastAt, usualHours: null, silentFor: null }
  const since = Math.max(now - lastAt, 0)
  const gaps = gapsOf(hours)
  const usualHours = gaps.length < GAPS_MIN ? null : at(gaps, 0.5)
  // One hour more, because it is only known in which hour a report came.
  const longest = (usual: number) => (Math.max(usual * SLACK, at(gaps, HABIT_SHARE)) + 1) * HOUR
  if (since > (usualHours === null ? ACTIVITY_MICROS : longest(usualHours)))
    return { state: "silent", lastAt, usualHours, silentFor: since }
  return { state: usualHours === null ? "new" : "reporting", lastAt, usualHours, silentFor: null }
}

function gapsOf(hours: readonly Moment[]): number[] {
  const sorted = hours.toSorted((a, b) => a - b)
  return sorted
    .slice(1)
    .map((hour, i) => (hour - (sorted[i] ?? hour)) / HOUR)
    .filter((gap) => gap > 0)
    .sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

/** "every hour", "every 6 hours", "once a day", "every 3 days". */
export function usualInWords(hours: number): string {
  if (hours < 1.5) return "every hour"
  if (hours < 20) return `every ${Math.round(hours)} hours`
  const days = Math.round(hours / 24)
  if (days <= 1) return "once a day"
  return days === 7 ? "once a week" : `every ${days} days`
}

/** "2 days and 6 hours". */
export function spanInWords(span: Moment): string {
  const days = Math.floor(span / MICROS_PER_DAY)
  const hours = Math.floor((span % MICROS_PER_DAY) / HOUR)
  const words = [counted(days, "day"), counted(hours, "hour")].filter((word) => word !== null)
  return words.length === 0 ? "less than an hour" : words.join(" and ")
}

const counted = (count: number, unit: string): string | null =>
  count === 0 ? null : `${count} ${unit}${count === 1 ? "" : "s"}`

interface FeedKey {
  readonly revokedAt: Moment | null
  readonly lastUsedAt: Moment | null
  readonly hours: readonly Moment[]
  readonly lastRequest: { readonly at: Moment } | null
}

export interface WatchedKey<Key extends FeedKey = FeedKey> {
  readonly key: Key
  readonly rhythm: Rhythm
  /** Whether it has sent nothing for longer than usual. A revoked key is not expected to. */
  readonly isSilent: boolean
}

export function watchKey<Key extends FeedKey>(key: Key, now: Moment): WatchedKey<Key> {
  const rhythm = rhythmOf(key.hours, key.lastRequest?.at ?? key.lastUsedAt, now)
  return { key, rhythm, isSilent: key.revokedAt === null && rhythm.state === "silent" }
}

/**
 * Whether a line that a key reported last at this moment was in its latest requests, and the next one is not late. Of a key that was not
 * quiet of late there is no rhythm to ask.
 */
export function isOnSchedule(reportedAt: Moment, rhythm: Rhythm | undefined, now: Moment): boolean {
  const { state = "reporting", lastAt = silentOnlyBefore(now) } = rhythm ?? {}
  return state === "reporting" && lastAt !== null && reportedAt >= lastAt - HOUR
}

export const silentKeys = <Key extends FeedKey>(keys: readonly Key[], now: Moment): WatchedKey<Key>[] =>
  keys.map((key) => watchKey(key, now)).filter(({ isSilent }) => isSilent)
