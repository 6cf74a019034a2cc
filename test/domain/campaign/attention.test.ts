import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  isFedBy,
  type Judged,
  mostPressingFirst,
  reasonOf,
  type WatchedLine,
} from "../../../src/domain/campaign/attention.ts"
import { worthsOf } from "../../../src/domain/campaign/campaign-summary.ts"
import { lineValue, stateOf } from "../../../src/domain/campaign/line-state.ts"
import { at } from "../../clock.ts"
import { givenLine } from "./given-line.ts"

const NOW = at("2026-11-15T12:00:00Z")
const HOUR = 3_600_000_000

/** On pace, with two weeks left. */
const line = (given: Partial<WatchedLine> = {}): WatchedLine =>
  givenLine({ total: { quantity: 145_000, asOf: at("2026-11-15T11:00:00Z") }, ...given })

const totalOf = (quantity: number, asOf = NOW - HOUR) => ({ quantity, asOf })

const anyLine = fc.record<WatchedLine>({
  pricingBasis: fc.constantFrom("impressions", "downloads", "flat_rate"),
  flightStart: fc.constantFrom("2026-10-01", "2026-11-01", "2026-11-15", "2026-11-20"),
  flightEnd: fc.constantFrom("2026-11-14", "2026-11-15", "2026-11-18", "2026-12-31", null),
  booked: fc.constantFrom(0, 1_000, 300_000, null),
  rate: fc.constantFrom(0, 10, 24.5, null),
  currency: fc.constantFrom("EUR", "USD", null),
  total: fc.option(
    fc.record({ quantity: fc.integer({ min: 0, max: 400_000 }), asOf: fc.integer({ min: NOW - 90 * HOUR, max: NOW }) }),
  ),
  seller: fc.constantFrom({ timeZone: "UTC" }, { timeZone: "Pacific/Auckland" }),
})

test("sorting loses and adds nothing, and puts what needs nobody last, in the order it came", () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 30 }), (lines) => {
      const judged = lines.map((one): Judged<WatchedLine> => ({ line: one, state: stateOf(one, NOW) }))
      const sorted = mostPressingFirst(judged)
      expect(new Set(sorted)).toEqual(new Set(judged))
      const needing = judged.filter(({ state }) => reasonOf(state) !== null).length
      expect(sorted.slice(0, needing).every(({ state }) => reasonOf(state) !== null)).toBe(true)
      expect(sorted.slice(needing)).toEqual(judged.filter(({ state }) => reasonOf(state) === null))
    }),
  )
})

test("of two lines that are behind, the one with more money missing comes first", () => {
  const small = line({ booked: 1_000, total: totalOf(10) })
  const large = line({ booked: 900_000, total: totalOf(100_000) })
  const sorted = mostPressingFirst([small, large].map((one) => ({ line: one, state: stateOf(one, NOW) })))
  expect(sorted.map(({ line: { booked } }) => booked)).toEqual([900_000, 1_000])
})

test("a silent feed explains the lines that it reported last", () => {
  const silent = { state: "silent", lastAt: NOW - 60 * HOUR, usualHours: 1, silentFor: 60 * HOUR } as const
  expect(isFedBy(line({ total: totalOf(1, NOW - 70 * HOUR) }), silent)).toBe(true)
  expect(isFedBy(line({ total: totalOf(1, NOW - 59 * HOUR) }), silent)).toBe(false)
  expect(isFedBy(line({ total: totalOf(1, NOW - 200 * HOUR) }), silent)).toBe(false)
  expect(isFedBy(line({ total: null }), silent)).toBe(false)
  expect(isFedBy(line({ total: totalOf(1, NOW - 70 * HOUR) }), { ...silent, silentFor: null })).toBe(false)
})

test("sums are made for each currency, and no line is in two", () => {
  fc.assert(
    fc.property(fc.array(anyLine), (lines) => {
      const sums = worthsOf(lines)
      expect(new Set(sums.map(({ currency }) => currency)).size).toBe(sums.length)
      const all = sums.reduce((sum, { delivered }) => sum + delivered, 0)
      expect(all).toBeCloseTo(
        lines.reduce((sum, one) => sum + (lineValue(one) ?? 0), 0),
        4,
      )
    }),
  )
})
