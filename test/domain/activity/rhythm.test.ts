import { describe, expect, test } from "bun:test"
import { activityByDay, activitySums, type FeedCount, rhythmOf, usualInWords } from "../../../src/domain/activity.ts"
import { MICROS_PER_HOUR } from "../../../src/domain/time/moment.ts"

const NOW = Date.parse("2026-11-16T12:00:00Z") * 1_000

/** The state of a key that sent something so many hours ago. */
const stateOf = (hoursAgo: readonly number[]) => {
  const hours = hoursAgo.map((ago) => NOW - ago * MICROS_PER_HOUR)
  return rhythmOf(hours, hours.length === 0 ? null : Math.max(...hours), NOW).state
}

const every = (gap: number, count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i * gap)

test.each([
  ["nothing was sent", [], "unused"],
  ["too few requests to tell", [5, 6], "new"],
  ["hourly, and one is a little late", every(1, 20, 2), "reporting"],
  ["hourly, and three hours of nothing", every(1, 20, 3), "silent"],
  ["daily, and a day and a half of nothing", every(24, 10, 36), "reporting"],
  ["daily, and three days of nothing", every(24, 10, 72), "silent"],
  ["on working days only, on a Monday", [0, 168, 336].flatMap((week) => every(24, 5, 72 + week)), "reporting"],
  ["once, and nothing for a hundred days", [2_400], "silent"],
])("%s: a key is %s", (_, hoursAgo, state) => {
  expect(stateOf(hoursAgo)).toBe(state as ReturnType<typeof stateOf>)
})

test.each([
  [1, "every hour"],
  [6, "every 6 hours"],
  [24, "once a day"],
  [72, "every 3 days"],
  [168, "once a week"],
])("a gap of %i hours is %s", (hours, words) => {
  expect(usualInWords(hours)).toBe(words)
})

describe("the series of a page", () => {
  const count = (time: string, outcome: string, count: number, unit: FeedCount["unit"] = "item"): FeedCount => ({
    apiKeyId: 1,
    hour: Date.parse(time) * 1_000,
    feed: "delivery",
    unit,
    outcome,
    count,
  })

  test("has whole days in the time zone, with today as the last, across a change of the clocks", () => {
    const berlin = Date.parse("2026-10-26T12:00:00Z") * 1_000
    const counts = [count("2026-10-24T22:00:00Z", "accepted", 3), count("2026-10-25T23:00:00Z", "not_seller", 2)]
    const days = activityByDay(counts, 14, berlin, "Europe/Berlin")
    expect(days.map(({ date }) => date).slice(-3)).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"])
    expect(days.slice(-2)).toMatchObject([
      { accepted: 3, rejected: 0 },
      { accepted: 0, rejected: 2 },
    ])
  })

  test("sums requests by outcome and items by reason", () => {
    const time = "2026-11-16T11:00:00Z"
    const sums = activitySums([
      count(time, "answered", 4, "request"),
      count(time, "dry_run", 1, "request"),
      count(time, "rate_limited", 2, "request"),
      count(time, "accepted", 10),
      count(time, "not_seller", 3),
    ])
    expect(sums).toEqual({
      requests: 7,
      dryRuns: 1,
      accepted: 10,
      rejected: 3,
      byReason: { not_seller: 3 },
      byRefusal: { rate_limited: 2 },
    })
  })
})
