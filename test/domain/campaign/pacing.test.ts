import { describe, expect, test } from "bun:test"
import {
  campaignPace,
  campaignStatus,
  expectedAt,
  lacksRecentFigures,
  type PacedLine,
  paceOf,
  statusOf,
} from "../../../src/domain/campaign/pacing.ts"
import { parseTimestamp } from "../../../src/domain/time/moment.ts"

const at = (text: string) => parseTimestamp(text) ?? Number.NaN
const ZONE = "Europe/Berlin"
const line = (more: Partial<PacedLine> = {}): PacedLine => ({
  pricingBasis: "impressions",
  flightStart: "2026-11-01",
  flightEnd: "2026-11-30",
  booked: 30_000,
  total: null,
  ...more,
})
const total = (quantity: number, asOf = "2026-11-15T23:00:00Z") => ({ quantity, asOf: at(asOf) })

describe("the status of a line", () => {
  test.each([
    ["before its first day in the seller's zone", "2026-10-31T22:59:59Z", line(), "upcoming"],
    ["from its first day on", "2026-10-31T23:00:00Z", line(), "running"],
    ["on its last day", "2026-11-30T22:59:59Z", line(), "running"],
    ["after its last day", "2026-11-30T23:00:00Z", line(), "ended"],
    ["without an end", "2030-01-01T00:00:00Z", line({ flightEnd: null }), "running"],
    ["with all that was booked", "2026-11-15T00:00:00Z", line({ total: total(30_000) }), "delivered"],
    [
      "flat-rate and reported",
      "2026-11-15T00:00:00Z",
      line({ pricingBasis: "flat_rate", total: total(1) }),
      "delivered",
    ],
    ["with nothing booked", "2026-11-15T00:00:00Z", line({ booked: 0, total: total(5) }), "running"],
  ] as const)("%s", (_, now, paced, status) => {
    expect(statusOf(paced, at(now), ZONE)).toBe(status)
  })
})

describe("the pace of a line", () => {
  test("is even over the flight: half of it after half of the days", () => {
    expect(Math.round(expectedAt(line(), at("2026-11-15T23:00:00Z"), ZONE) ?? 0)).toBe(15_000)
  })
  test.each([
    ["behind below nine tenths of the plan", 13_499, "behind"],
    ["on pace from nine tenths on", 13_501, "on_pace"],
    ["on pace up to a tenth above", 16_499, "on_pace"],
    ["ahead beyond that", 16_501, "ahead"],
  ] as const)("is %s", (_, quantity, pace) => {
    expect(paceOf(line({ total: total(quantity) }), ZONE)).toBe(pace)
  })
  test("is judged at the moment of the figure, not at the moment of looking", () => {
    expect(paceOf(line({ total: total(1_000, "2026-11-01T23:00:00Z") }), ZONE)).toBe("on_pace")
  })
  test("is none without an end, a booking or a figure", () => {
    for (const paced of [line({ flightEnd: null, total: total(1) }), line({ booked: null, total: total(1) }), line()]) {
      expect(paceOf(paced, ZONE)).toBeNull()
    }
  })
})

test("a running line is stale after two days without a figure, counted from its start when it has none", () => {
  const now = at("2026-11-15T12:00:00Z")
  expect(lacksRecentFigures(line({ total: total(5, "2026-11-13T11:59:00Z") }), now, ZONE)).toBe(true)
  expect(lacksRecentFigures(line({ total: total(5, "2026-11-13T12:01:00Z") }), now, ZONE)).toBe(false)
  expect(lacksRecentFigures(line(), now, ZONE)).toBe(true)
  expect(lacksRecentFigures(line({ flightStart: "2026-11-14" }), now, ZONE)).toBe(false)
  expect(lacksRecentFigures(line({ flightStart: "2026-12-01" }), now, ZONE)).toBe(false)
})

test("a campaign is what its liveliest line is, and paced as its worst", () => {
  expect(campaignStatus(["ended", "upcoming", "running"])).toBe("running")
  expect(campaignStatus(["delivered", "ended"])).toBe("ended")
  expect(campaignStatus(["delivered", "delivered"])).toBe("delivered")
  expect(campaignStatus([])).toBe("empty")
  expect(campaignPace(["on_pace", "behind", null])).toBe("behind")
  expect(campaignPace([null])).toBeNull()
})
