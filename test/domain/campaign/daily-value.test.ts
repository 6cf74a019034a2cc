import { expect, test } from "bun:test"
import fc from "fast-check"
import type { WatchedLine } from "../../../src/domain/campaign/attention.ts"
import { addValues, sumsOfDays, type ValueSums } from "../../../src/domain/campaign/daily-value.ts"
import { lineValue } from "../../../src/domain/campaign/line-state.ts"
import { lastDays } from "../../../src/domain/delivery/total-series.ts"
import { at } from "../../clock.ts"

function dailyValues(lines: readonly ReturnType<typeof sold>[], dates: Parameters<typeof sumsOfDays>[1]) {
  const sums: ValueSums = new Map()
  for (const { line, reports, isWhole } of lines) addValues(sums, line, reports, isWhole)
  return sumsOfDays(sums, dates)
}

const closing = (day: number) => at(`2026-11-${String(day).padStart(2, "0")}T23:00:00Z`)

function sold(quantities: readonly number[], given: Partial<WatchedLine> = {}) {
  const reports = quantities.map((quantity, i) => ({ quantity, asOf: closing(i + 1) }))
  const line: WatchedLine = {
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: "2026-11-30",
    booked: 10_000,
    rate: 10,
    currency: "EUR",
    total: reports.at(-1) ?? null,
    seller: { timeZone: "UTC" },
    ...given,
  }
  return { line, reports, isWhole: true }
}

const DAYS = lastDays("2026-11-14", 14)
const valuesOf = (lines: ReturnType<typeof sold>[]) =>
  dailyValues(lines, DAYS).map(({ currency, days }) => [currency, ...days.slice(0, 4).map(({ value }) => value)])

test("the days are in order, today being the last", () => {
  expect([DAYS[0], DAYS.at(-1), DAYS.length]).toEqual(["2026-11-01", "2026-11-14", 14])
  expect(lastDays("2026-03-01", 2)).toEqual(["2026-02-28", "2026-03-01"])
})

test("a day is worth what it added, and nothing beyond what is booked", () => {
  expect(valuesOf([sold([4_000, 6_000, 12_000, 15_000])])).toEqual([["EUR", 40, 20, 40, 0]])
  expect(valuesOf([sold([4_000]), sold([1_000], { currency: "USD" }), sold([2_000, 3_000])])).toEqual([
    ["EUR", 60, 10, null, null],
    ["USD", 10, null, null, null],
  ])
})

test("a flat rate is earned on the day it is marked, and a line without a price is worth nothing", () => {
  const total = { quantity: 1, asOf: closing(2) }
  const flat = sold([], { pricingBasis: "flat_rate", booked: null, rate: 500, total })
  expect(valuesOf([flat, sold([4_000], { rate: null })])).toEqual([["EUR", null, 500, null, null]])
})

test("of a history that is cut off, the first day is not taken for everything before it", () => {
  const { line, reports } = sold([4_000, 6_000, 7_000])
  expect(valuesOf([{ line, reports: reports.slice(1), isWhole: false }])).toEqual([["EUR", null, null, 10, null]])
})

test("what was first measured on the last of several days is of all of them, and never of one", () => {
  const days = (measured: readonly (readonly [number, number])[], flightStart: string) => {
    const reports = measured.map(([day, quantity]) => ({ quantity, asOf: closing(day) }))
    return { ...sold([], { flightStart, total: reports.at(-1) ?? null }), reports }
  }
  const [value] = dailyValues(
    [
      days([[3, 1_000]], "2026-11-01"),
      days(
        [
          [4, 500],
          [5, 700],
        ],
        "2026-11-02",
      ),
    ],
    DAYS,
  )
  expect(value?.stretches).toEqual([{ from: "2026-11-01", to: "2026-11-04", value: 15 }])
  expect(value?.days.map((day) => day.value).filter((day) => day !== null)).toEqual([2])
  expect(value?.sum).toBe(17)
  // What began before the days that are asked for is not a sum of these.
  const [early] = dailyValues(
    [
      days(
        [
          [3, 1_000],
          [4, 1_200],
        ],
        "2026-10-20",
      ),
    ],
    DAYS,
  )
  expect(early?.stretches).toEqual([{ from: "2026-10-20", to: "2026-11-03", value: 10 }])
  expect(early?.sum).toBe(2)
})

test("the days add up to the value of the line, however totals move", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 14 }), (quantities) => {
      const one = sold(quantities)
      const [first] = dailyValues([one], DAYS)
      expect(first?.sum).toBeCloseTo(lineValue(one.line) ?? 0, 2)
    }),
  )
})
