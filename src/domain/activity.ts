import { maskKeys } from "./api-key.ts"
import { type CalendarDate, datesFrom, dayBefore, MICROS_PER_DAY, MICROS_PER_HOUR, type Moment } from "./time/moment.ts"
import { dayOf, startOfDay, type TimeZone } from "./time/time-zone.ts"

// How often a key usually reports, and whether it has been silent for longer than that. The hours in which it sent anything are
// enough to tell.

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
  /** The usual time between reports in hours, at least 1. Null if it isn't known. */
  readonly usualHours: number | null
  /** How long nothing has arrived. Null unless it's silent. */
  readonly silentFor: Moment | null
}

/** `hours` are the starts of the latest hours with requests, in any order. `lastAt` is the last request. */
export function rhythmOf(hours: readonly Moment[], lastAt: Moment | null, now: Moment): Rhythm {
  if (lastAt === null) return { state: "unused", usualHours: null, silentFor: null }
  const gaps = gapsBetween(hours)
  const usualHours = gaps.length < GAPS_MIN ? null : valueAt(gaps, 0.5)
  const since = Math.max(now - lastAt, 0)
  if (since > longestGap(gaps, usualHours)) return { state: "silent", usualHours, silentFor: since }
  return { state: usualHours === null ? "new" : "reporting", usualHours, silentFor: null }
}

/** How long a key may be quiet. One hour more than usual, because only the hour of a request is known. */
function longestGap(gaps: readonly number[], usualHours: number | null): Moment {
  if (usualHours === null) return ACTIVITY_DAYS * MICROS_PER_DAY
  return (Math.max(usualHours * SLACK, valueAt(gaps, HABIT_SHARE)) + 1) * MICROS_PER_HOUR
}

function gapsBetween(hours: readonly Moment[]): number[] {
  const sorted = hours.toSorted((a, b) => a - b)
  const gaps = sorted.slice(1).map((hour, i) => (hour - (sorted[i] ?? hour)) / MICROS_PER_HOUR)
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

/** How many days the page of feed activity may cover, with today as the last. The first is the usual number. */
export const ACTIVITY_PERIODS = [14, ACTIVITY_DAYS] as const

/** A number of requests by outcome, or of items that were accepted or rejected for a reason, in one hour. */
export interface FeedCount {
  readonly apiKeyId: number
  readonly hour: Moment
  readonly feed: string
  readonly unit: "request" | "item"
  /** "answered", "dry_run" or the code of a refusal; "accepted" or the reason of a rejection. */
  readonly outcome: string
  readonly count: number
}

export const hourOf = (moment: Moment): Moment => moment - (moment % MICROS_PER_HOUR)

/** The first hour of that many days. */
export function startOfPeriod(days: number, now: Moment, timeZone: TimeZone): Moment {
  const start = startOfDay(dayBefore(dayOf(now, timeZone), days - 1), timeZone)
  // Where a day begins at half past, its first hour is the next one.
  return hourOf(start + MICROS_PER_HOUR - 1)
}

/** The items of one day. */
export interface ActivityDay {
  readonly date: CalendarDate
  readonly accepted: number
  readonly rejected: number
}

/** Each of that many days in order, even without requests. An hour belongs to the day in which it starts. */
export function activityByDay(
  counts: readonly FeedCount[],
  days: number,
  now: Moment,
  timeZone: TimeZone,
): ActivityDay[] {
  const today = dayOf(now, timeZone)
  const byDay = Map.groupBy(counts, ({ hour }) => dayOf(hour, timeZone))
  return datesFrom(dayBefore(today, days - 1), today).map((date) => {
    const { accepted, rejected } = activitySums(byDay.get(date) ?? [])
    return { date, accepted, rejected }
  })
}

export interface ActivitySums {
  readonly requests: number
  readonly dryRuns: number
  readonly accepted: number
  readonly rejected: number
  /** Rejected items by reason. */
  readonly byReason: Readonly<Record<string, number>>
  /** Refused requests by code. */
  readonly byRefusal: Readonly<Record<string, number>>
}

export function activitySums(counts: readonly FeedCount[]): ActivitySums {
  const requests = countsBy(counts.filter(({ unit }) => unit === "request"))
  const { answered = 0, dry_run: dryRuns = 0, ...byRefusal } = requests
  const { accepted = 0, ...byReason } = countsBy(counts.filter(({ unit }) => unit === "item"))
  return {
    requests: answered + dryRuns + sum(byRefusal),
    dryRuns,
    accepted,
    rejected: sum(byReason),
    byReason,
    byRefusal,
  }
}

function countsBy(counts: readonly FeedCount[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { outcome, count } of counts) sums[outcome] = (sums[outcome] ?? 0) + count
  return sums
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)

const OUTCOMES: Readonly<Record<string, string>> = {
  answered: "answered",
  dry_run: "dry run",
  invalid_json: "not JSON",
  invalid_request: "malformed",
  body_too_large: "too large",
  unsupported_media_type: "wrong content type",
  rate_limited: "over the rate limit",
}

/** The outcome of a whole request: "over the rate limit". */
export const outcomeInWords = (outcome: string): string => OUTCOMES[outcome] ?? outcome.replaceAll("_", " ")

/** For each reason, this many rejected items of a request are kept. All of them are counted. */
const KEPT_FOR_A_REASON = 5
const MESSAGE_CHARACTERS_MAX = 300
const SENT_CHARACTERS_MAX = 600

/** A request of an API key that was answered or refused. */
export interface FeedRequest {
  readonly organizationId: number
  readonly apiKeyId: number
  readonly at: Moment
  readonly feed: string
  /** "answered", "dry_run" or the code of a refusal. */
  readonly outcome: string
  readonly accepted: number
  readonly rejected: readonly RejectedRow[]
  /** What was sent. Rejected rows name their places in it. */
  readonly items: readonly unknown[]
}

interface RejectedRow {
  readonly index: number
  readonly reason: string
  readonly message: string
}

/** The part of a rejected item that is kept. */
interface RejectedSample {
  readonly reason: string
  readonly message: string
  readonly packageId: string | null
  readonly code: string | null
  /** The item as it was sent, shortened, with keys masked. */
  readonly sent: string
}

/** The first few rejected items of each reason. */
export function rejectedSamples({ rejected, items }: FeedRequest): RejectedSample[] {
  const byReason = Map.groupBy(rejected, ({ reason }) => reason)
  return [...byReason.values()].flatMap((rows) =>
    rows.slice(0, KEPT_FOR_A_REASON).map(({ index, reason, message }) => {
      const item = items[index]
      return {
        reason,
        message: shortened(message, MESSAGE_CHARACTERS_MAX),
        packageId: textIn(item, "package_id") ?? textIn(item, "packageId"),
        code: textIn(item, "code"),
        sent: shortened(flatJson(item), SENT_CHARACTERS_MAX),
      }
    }),
  )
}

const PACKAGE_OR_CODE_MAX = 128

function textIn(item: unknown, field: string): string | null {
  const value = typeof item === "object" && item !== null ? (item as Record<string, unknown>)[field] : undefined
  if (typeof value !== "string" || value.length > PACKAGE_OR_CODE_MAX) return null
  const text = maskKeys(value).toWellFormed()
  return field === "code" ? text : text.toLowerCase()
}

/** The item as JSON without nested values. Items are flat, and an item with 100,000 levels would take seconds. */
function flatJson(item: unknown): string {
  let isItem = true
  const json = JSON.stringify(item, (_, value) => {
    const isNested = typeof value === "object" && value !== null && !isItem
    isItem = false
    return isNested ? "…" : value
  })
  return json ?? ""
}

/** Masks keys before it cuts, so that no part of one is left at the end. */
function shortened(text: string, most: number): string {
  const masked = maskKeys(text)
  const cut = masked.length <= most ? masked : `${masked.slice(0, most)}…`
  return cut.toWellFormed()
}
