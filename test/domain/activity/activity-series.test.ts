import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  ACTIVITY_PERIODS,
  activitySlots,
  activitySums,
  startOfPeriod,
} from "../../../src/domain/activity/activity-series.ts"
import type { FeedCount } from "../../../src/domain/activity/feed-request.ts"

const HOUR = 3_600_000_000
const count = (hour: number, unit: FeedCount["unit"], outcome: string, number = 1): FeedCount => ({
  keyId: "key",
  hour,
  feed: "delivery",
  unit,
  outcome,
  count: number,
})

test("requests, dry runs and refusals, and items by reason, are summed apart", () => {
  const counts = [
    count(0, "request", "answered", 5),
    count(0, "request", "dry_run", 2),
    count(0, "request", "rate_limited", 3),
    count(0, "item", "accepted", 40),
    count(0, "item", "not_seller", 7),
    count(HOUR, "item", "not_seller", 1),
  ]
  expect(activitySums(counts)).toEqual({
    requests: 10,
    refused: 3,
    dryRuns: 2,
    accepted: 40,
    rejected: 8,
    byReason: { not_seller: 8 },
    byRefusal: { rate_limited: 3 },
  })
})

test("a period has all its hours or days, also where clocks change, and every count of it falls into one", () => {
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"]
  const moments = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }).map((ms) => ms * 1_000)
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), fc.constantFrom(...ACTIVITY_PERIODS), (now, zone, period) => {
      const from = startOfPeriod(period, now, zone)
      const first = Math.ceil(from / HOUR)
      const last = Math.floor(now / HOUR)
      const counts = Array.from({ length: last - first + 1 }, (_, i) => count((first + i) * HOUR, "item", "accepted"))
      const slots = activitySlots(counts, period, now, zone)
      expect(slots).toHaveLength(period === "24h" ? 24 : Number.parseInt(period, 10))
      expect(slots.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(counts.length)
      expect(slots[0]?.start).toBe(from)
    }),
  )
})
