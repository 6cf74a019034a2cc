import { expect, test } from "bun:test"
import { dueLines, pressingLines, takesTotal, type WatchedLine } from "../../src/domain/campaign/attention.ts"
import { forecastOf } from "../../src/domain/campaign/line-state.ts"
import { readTimestamp } from "../../src/domain/time/moment.ts"
import { endOfDay } from "../../src/domain/time/time-zone.ts"

const at = (text: string) => readTimestamp(text) ?? Number.NaN
const NOW = at("2026-11-15T12:00:00Z")

const line = (
  id: number,
  fields: Partial<WatchedLine> & { readonly delivered?: number; readonly on?: string } = {},
) => {
  const { delivered, on = "2026-11-14", ...rest } = fields
  const total = delivered === undefined ? null : { quantity: delivered, asOf: endOfDay(on, "UTC") }
  const basics = {
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: "2026-11-30",
    timeZone: "UTC",
  } as const
  return { id, ...basics, booked: 3_000, rate: null, currency: null, total, ...rest }
}

test("lines that can still be rescued come first, then the lines with the most money at stake", () => {
  const priced = { rate: 10, currency: "EUR" }
  const lines = [
    line(1, { delivered: 1_400, flightEnd: "2026-11-18", booked: 1_500 }),
    line(2, { delivered: 3_200, booked: 3_000 }),
    line(3, { delivered: 100, ...priced, booked: 10_000 }),
    line(4, { delivered: 100, ...priced, booked: 90_000 }),
    line(5, { delivered: 1_400 }),
    line(6, { delivered: 100, flightStart: "2026-12-01", flightEnd: null }),
  ]
  const pressing = pressingLines(lines, NOW)
  expect(pressing.map(({ line: { id }, state }) => [id, state])).toEqual([
    [4, "behind"],
    [3, "behind"],
    [2, "over_delivered"],
    [1, "ends_soon"],
  ])
})

test("a line takes a total while it runs, and for a week after if its last day is missing", () => {
  const cases = [
    [line(1), true],
    [line(1, { flightStart: "2026-11-16" }), false],
    [line(1, { flightEnd: "2026-11-08" }), true],
    [line(1, { flightEnd: "2026-11-07" }), false],
    [line(1, { flightEnd: "2026-11-10", delivered: 5, on: "2026-11-10" }), false],
    [line(1, { flightEnd: "2026-11-10", pricingBasis: "flat_rate", booked: null }), true],
    [line(1, { flightEnd: "2026-11-10", delivered: 5, on: "2026-11-09" }), true],
    [line(1, { pricingBasis: "flat_rate", booked: null, delivered: 1 }), false],
    [line(1, { pricingBasis: "flat_rate", booked: null }), true],
  ] as const
  for (const [each, expected] of cases) expect([each, takesTotal(each, NOW)]).toEqual([each, expected])
})

test("a line is due without a total of yesterday, unless an API key will report it", () => {
  const feed = (keyId: number) => ({ keyId, label: "Ad server", receivedAt: 0 })
  const lines = [
    line(1),
    line(2, { delivered: 100 }),
    line(3, { delivered: 100, on: "2026-11-13" }),
    line(4, { delivered: 100, on: "2026-11-13" }),
    line(5, { delivered: 100, on: "2026-11-10" }),
    line(6, { delivered: 100, on: "2026-11-10" }),
    line(7, { delivered: 3_000, on: "2026-11-10" }),
  ]
  const feeds = new Map([4, 5, 6].map((id) => [id, feed(id === 6 ? 2 : 1)]))
  // Key 2 is silent, so the key needs attention, and not its lines.
  expect(dueLines(lines, feeds, new Set([2]), NOW).map(({ id }) => id)).toEqual([1, 3, 5])
})

test("a forecast continues the last seven days, and says what is needed from now on", () => {
  const day = (date: string, quantity: number) => ({ day: date, quantity, asOf: endOfDay(date, "UTC") })
  const totals = [day("2026-11-05", 500), day("2026-11-07", 700), day("2026-11-14", 1_400)]
  const forecast = { perDay: 100, days: 7, atEnd: 3_000, neededPerDay: 100 }
  expect(forecastOf(line(1, { delivered: 1_400 }), totals, NOW)).toEqual(forecast)
  expect(forecastOf(line(1, { delivered: 1_400, booked: null }), totals, NOW)).toMatchObject({ neededPerDay: null })
  expect(forecastOf(line(1, { delivered: 3_500 }), totals, NOW)).toMatchObject({ neededPerDay: null })
  for (const nothing of [
    line(1),
    line(1, { delivered: 5, flightEnd: null }),
    line(1, { delivered: 5, flightEnd: "2026-11-14" }),
    // It has ended, though its last day isn't reported yet.
    line(1, { delivered: 5, on: "2026-11-13", flightEnd: "2026-11-14" }),
  ])
    expect(forecastOf(nothing, totals, NOW)).toBeNull()
})

test("a forecast says of how many days it is the average, if it isn't of seven", () => {
  const day = (date: string, quantity: number) => ({ day: date, quantity, asOf: endOfDay(date, "UTC") })
  const young = line(1, { delivered: 300, flightStart: "2026-11-12" })
  expect(forecastOf(young, [day("2026-11-14", 300)], NOW)).toMatchObject({ perDay: 100, days: 3 })
  const rare = [day("2026-11-02", 200), day("2026-11-14", 1_400)]
  expect(forecastOf(line(1, { delivered: 1_400 }), rare, NOW)).toMatchObject({ perDay: 100, days: 12 })
})
