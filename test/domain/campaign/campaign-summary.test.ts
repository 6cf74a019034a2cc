import { expect, test } from "bun:test"
import { type SummedLine, summaryOf } from "../../../src/domain/campaign/campaign-summary.ts"
import { bookedValue, lineValue } from "../../../src/domain/campaign/line-state.ts"

const at = (text: string) => Date.parse(text) * 1_000
const NOW = at("2026-11-15T12:00:00Z")

function line(given: Partial<SummedLine> = {}): SummedLine {
  return {
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: "2026-11-30",
    booked: 300_000,
    rate: 10,
    currency: "EUR",
    total: { quantity: 150_000, asOf: at("2026-11-15T11:00:00Z") },
    seller: { timeZone: "UTC" },
    ...given,
  }
}

test("what is delivered beyond what is booked is not paid", () => {
  expect(lineValue(line())).toBe(1_500)
  expect(lineValue(line({ total: { quantity: 400_000, asOf: NOW } }))).toBe(3_000)
  expect(lineValue(line({ booked: null, total: { quantity: 400_000, asOf: NOW } }))).toBe(4_000)
  expect([lineValue(line({ rate: null })), bookedValue(line({ booked: null }))]).toEqual([null, null])
})

test("a flat rate is earned at once when the line is delivered", () => {
  const flat = { pricingBasis: "flat_rate", booked: null, rate: 500 } as const
  expect(lineValue(line({ ...flat, total: null }))).toBe(0)
  expect(bookedValue(line({ ...flat, total: null }))).toBe(500)
})

test("the value of a campaign is the sum of what its lines show, to the cent", async () => {
  const lines = [0.335, 0.335, 0.335].map((rate) =>
    line({ rate, booked: 1_000, total: { quantity: 1_000, asOf: NOW } }),
  )
  const shown = lines.map((one) => lineValue(one) ?? 0)
  expect(summaryOf(lines, NOW).worth?.delivered).toBeCloseTo(
    shown.reduce((sum, value) => sum + value, 0),
    9,
  )
})

test("amounts of several currencies are not added up, nor are impressions and downloads", async () => {
  const mixed = summaryOf([line(), line({ currency: "GBP", pricingBasis: "downloads" })], NOW)
  expect([mixed.worth, mixed.delivered]).toEqual([null, null])
  expect(mixed.worths.map(({ currency }) => currency)).toEqual(["EUR", "GBP"])
  expect(summaryOf([line(), line({ rate: null })], NOW).worths).toEqual([])
  const unpriced = summaryOf([line({ rate: null }), line({ rate: null, booked: 100_000 })], NOW)
  expect(unpriced.delivered).toBe(0.75)
})

test("a campaign spans from its first start to its last end, and has none where a line is open-ended", async () => {
  const { from, to } = summaryOf([line(), line({ flightStart: "2026-10-01", flightEnd: "2026-12-31" })], NOW)
  expect([from, to]).toEqual(["2026-10-01", "2026-12-31"])
  expect(summaryOf([line({ flightEnd: null })], NOW).to).toBeNull()
  expect(summaryOf([], NOW)).toMatchObject({ state: "empty", lines: 0, from: null, to: null, measuredAt: null })
})
