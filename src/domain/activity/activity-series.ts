import { hourOf } from "../operations/refusal.ts"
import { dayAfter, daysBefore, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"
import { dayOf, startOfDay, type TimeZone } from "../time/time-zone.ts"
import type { FeedCount } from "./feed-request.ts"

const HOUR = 3_600 * MICROS_PER_SECOND

/** What a period of the page covers: the last 24 hours, or whole days with today as the last. */
export type ActivityPeriod = "24h" | "14d" | "90d"
export const ACTIVITY_PERIODS: readonly ActivityPeriod[] = ["24h", "14d", "90d"]
const DAYS: Readonly<Record<ActivityPeriod, number>> = { "24h": 1, "14d": 14, "90d": 90 }

export function startOfPeriod(period: ActivityPeriod, now: Moment, zone: TimeZone): Moment {
  if (period === "24h") return hourOf(now) - 23 * HOUR
  return startOfDay(daysBefore(dayOf(now, zone), DAYS[period] - 1), zone)
}

export type ActivitySlot = Readonly<ReturnType<typeof activitySlots>[number]>

/** Every hour or day of the period in order, also those in which nothing came. Hours belong to the day in which they start. */
export function activitySlots(counts: readonly FeedCount[], period: ActivityPeriod, now: Moment, zone: TimeZone) {
  const isHourly = period === "24h"
  const byStart = Map.groupBy(counts, ({ hour }) => (isHourly ? hour : startOfDay(dayOf(hour, zone), zone)))
  return startsOf(period, now, zone).map((start) => {
    const { accepted, rejected } = activitySums(byStart.get(start) ?? [])
    return { start, date: dayOf(start, zone), accepted, rejected }
  })
}

function startsOf(period: ActivityPeriod, now: Moment, zone: TimeZone): Moment[] {
  const first = startOfPeriod(period, now, zone)
  if (period === "24h") return Array.from({ length: 24 }, (_, i) => first + i * HOUR)
  const starts: Moment[] = []
  const today = dayOf(now, zone)
  for (let date = dayOf(first, zone); date <= today; date = dayAfter(date)) starts.push(startOfDay(date, zone))
  return starts
}

export type ActivitySums = Readonly<ReturnType<typeof activitySums>>

export function activitySums(counts: readonly FeedCount[]) {
  const byReason: Record<string, number> = {}
  const byRefusal: Record<string, number> = {}
  // Refused are requests that were refused as a whole.
  const sums = { requests: 0, refused: 0, accepted: 0, rejected: 0, dryRuns: 0 }
  for (const { unit, outcome, count } of counts) {
    if (unit === "request") {
      sums.requests += count
      if (outcome === "dry_run") sums.dryRuns += count
      else if (outcome !== "answered") {
        sums.refused += count
        byRefusal[outcome] = (byRefusal[outcome] ?? 0) + count
      }
    } else if (outcome === "accepted") sums.accepted += count
    else {
      sums.rejected += count
      byReason[outcome] = (byReason[outcome] ?? 0) + count
    }
  }
  return { ...sums, byReason, byRefusal }
}
