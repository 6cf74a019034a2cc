import { type CalendarDate, dayAfter, dayBefore, type Moment } from "../time/moment.ts"
import { dayOf, startOfDay, type TimeZone } from "../time/time-zone.ts"
import { HOUR } from "./rhythm.ts"

/** What the page of feed activity covers: the last 24 hours, or whole days with today as the last. */
export const ACTIVITY_PERIODS = ["24h", "14d", "90d"] as const
export type ActivityPeriod = (typeof ACTIVITY_PERIODS)[number]

const DAYS: Readonly<Record<ActivityPeriod, number>> = { "24h": 1, "14d": 14, "90d": 90 }

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

export const hourOf = (moment: Moment): Moment => moment - (moment % HOUR)

export function startOfPeriod(period: ActivityPeriod, now: Moment, timeZone: TimeZone): Moment {
  if (period === "24h") return hourOf(now) - 23 * HOUR
  return startOfDay(dayBefore(dayOf(now, timeZone), DAYS[period] - 1), timeZone)
}

/** The items of one hour or day. */
export interface ActivitySlot {
  readonly start: Moment
  readonly date: CalendarDate
  readonly accepted: number
  readonly rejected: number
}

/** Every hour or day of the period in order, even without requests. An hour belongs to the day in which it starts. */
export function activitySlots(
  counts: readonly FeedCount[],
  period: ActivityPeriod,
  now: Moment,
  timeZone: TimeZone,
): ActivitySlot[] {
  const slotOf = (hour: Moment) => (period === "24h" ? hour : startOfDay(dayOf(hour, timeZone), timeZone))
  const bySlot = Map.groupBy(counts, ({ hour }) => slotOf(hour))
  return startsOf(period, now, timeZone).map((start) => {
    const { accepted, rejected } = activitySums(bySlot.get(start) ?? [])
    return { start, date: dayOf(start, timeZone), accepted, rejected }
  })
}

function startsOf(period: ActivityPeriod, now: Moment, timeZone: TimeZone): Moment[] {
  const first = startOfPeriod(period, now, timeZone)
  if (period === "24h") return Array.from({ length: 24 }, (_, i) => first + i * HOUR)
  const starts: Moment[] = []
  const today = dayOf(now, timeZone)
  for (let date = dayOf(first, timeZone); date <= today; date = dayAfter(date)) starts.push(startOfDay(date, timeZone))
  return starts
}

export interface ActivitySums {
  readonly requests: number
  /** Requests that were refused as a whole. */
  readonly refused: number
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
  const refused = sum(byRefusal)
  return {
    requests: answered + dryRuns + refused,
    refused,
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
