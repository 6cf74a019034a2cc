import { expect, test } from "bun:test"
import { summaryOf } from "../../../src/domain/campaign/campaign-summary.ts"
import { bookedValue, lineValue } from "../../../src/domain/campaign/line-state.ts"
import { at } from "../../clock.ts"
import { givenLine } from "./given-line.ts"

const NOW = at("2026-11-15T12:00:00Z")

test("what is delivered beyond what is booked is not paid", () => {
  expect(lineValue(givenLine())).toBe(1_500)
  expect(lineValue(givenLine({ total: { quantity: 400_000, asOf: NOW } }))).toBe(3_000)
  expect(lineValue(givenLine({ booked: null, total: { quantity: 400_000, asOf: NOW } }))).toBe(4_000)
  expect([lineValue(givenLine({ rate: null })), bookedValue(givenLine({ booked: null }))]).toEqual([null, null])
})

test("a flat rate is earned at once when the line is delivered", () => {
  const flat = { pricingBasis: "flat_rate", booked: null, rate: 500 } as const
  expect(lineValue(givenLine({ ...flat, total: null }))).toBe(0)
  expect(bookedValue(givenLine({ ...flat, total: null }))).toBe(500)
})

test("the value of a campaign is the sum of what its lines show, to the cent", async () => {
  const lines = [0.335, 0.335, 0.335].map((rate) =>
    givenLine({ rate, booked: 1_000, total: { quantity: 1_000, asOf: NOW } }),
  )
  const shown = lines.map((one) => lineValue(one) ?? 0)
  expect(summaryOf(lines, NOW).worth?.delivered).toBeCloseTo(
    shown.reduce((sum, value) => sum + value, 0),
    9,
  )
})

test("amounts of several currencies are not added up, nor are impressions and downloads", async () => {
  const mixed = summaryOf([givenLine(), givenLine({ currency: "GBP", pricingBasis: "downloads" })], NOW)
  expect([mixed.worth, mixed.delivered]).toEqual([null, null])
  expect(mixed.worths.map(({ currency }) => currency)).toEqual(["EUR", "GBP"])
  expect(summaryOf([givenLine(), givenLine({ rate: null })], NOW).worths).toEqual([])
  const unpriced = summaryOf([givenLine({ rate: null }), givenLine({ rate: null, booked: 100_000 })], NOW)
  expect(unpriced.delivered).toBe(0.75)
})

test("a campaign spans from its first start to its last end, and has none where a line is open-ended", async () => {
  const { from, to } = summaryOf([givenLine(), givenLine({ flightStart: "2026-10-01", flightEnd: "2026-12-31" })], NOW)
  expect([from, to]).toEqual(["2026-10-01", "2026-12-31"])
  expect(summaryOf([givenLine({ flightEnd: null })], NOW).to).toBeNull()
  expect(summaryOf([], NOW)).toMatchObject({ state: "empty", lines: 0, from: null, to: null, measuredAt: null })
})
