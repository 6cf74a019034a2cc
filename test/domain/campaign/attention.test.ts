import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  attentionOf,
  isFedBy,
  type Judged,
  mostPressingFirst,
  offPlan,
  type WatchedLine,
  worthByCurrency,
} from "../../../src/domain/campaign/attention.ts"
import { lineValue } from "../../../src/domain/campaign/line-value.ts"
import { paceOf, statusOf } from "../../../src/domain/campaign/pacing.ts"

const at = (text: string) => Date.parse(text) * 1_000
const NOW = at("2026-11-15T12:00:00Z")
const HOUR = 3_600_000_000

/** On pace, with two weeks left. */
function line(given: Partial<WatchedLine> = {}): WatchedLine {
  return {
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: "2026-11-30",
    booked: 300_000,
    rate: 10,
    currency: "EUR",
    total: { quantity: 145_000, asOf: at("2026-11-15T11:00:00Z") },
    seller: { timeZone: "UTC" },
    ...given,
  }
}

const totalOf = (quantity: number, asOf = NOW - HOUR) => ({ quantity, asOf })

describe("what needs a seller", () => {
  test.each([
    ["nothing, on pace", line(), null],
    ["behind", line({ total: totalOf(100_000) }), "behind"],
    ["more than booked", line({ total: totalOf(300_001) }), "over"],
    ["exactly what is booked needs nobody", line({ total: totalOf(300_000) }), null],
    ["no figure for two days", line({ total: totalOf(120_000, NOW - 49 * HOUR) }), "silent"],
    ["ends in six days", line({ flightEnd: "2026-11-21", total: totalOf(210_000) }), "ends"],
    ["ends in seven days", line({ flightEnd: "2026-11-22", total: totalOf(200_000) }), null],
    ["behind counts more than ending", line({ flightEnd: "2026-11-21", total: totalOf(100_000) }), "behind"],
    ["ended yesterday", line({ flightEnd: "2026-11-14", total: totalOf(100_000) }), null],
    ["starts tomorrow", line({ flightStart: "2026-11-16", total: null }), null],
    ["a flat rate not marked yet", line({ pricingBasis: "flat_rate", booked: null, total: null }), null],
    [
      "a flat rate that ends today and is not marked yet",
      line({ pricingBasis: "flat_rate", booked: null, total: null, flightEnd: "2026-11-15" }),
      "ends",
    ],
  ] as const)("%s", (_, given, reason) => {
    expect(attentionOf(given, NOW)).toBe(reason)
  })

  test("the day is that of the seller", () => {
    const ended = line({ flightEnd: "2026-11-14", total: totalOf(100_000) })
    const early = at("2026-11-15T03:00:00Z")
    expect(attentionOf(ended, early)).toBeNull()
    expect(attentionOf({ ...ended, seller: { timeZone: "America/New_York" } }, early)).toBe("behind")
  })

  test("how far from the plan", () => {
    expect(offPlan(line({ total: totalOf(120_000, at("2026-11-16T00:00:00Z")) }))).toBeCloseTo(-0.2)
    expect(offPlan(line({ total: null }))).toBeNull()
    expect(offPlan(line({ booked: null }))).toBeNull()
  })
})

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

test("whatever a line is like, a reason is true of it", () => {
  fc.assert(
    fc.property(anyLine, (one) => {
      const reason = attentionOf(one, NOW)
      const zone = one.seller.timeZone
      if (reason === null) return
      if (reason === "over") expect(one.total?.quantity ?? 0).toBeGreaterThan(one.booked ?? 0)
      else expect(statusOf(one, NOW, zone)).toBe("running")
      if (reason === "behind") expect(paceOf(one, zone)).toBe("behind")
      if (reason === "ends") expect(one.flightEnd).not.toBeNull()
    }),
  )
})

test("sorting loses and adds nothing, and puts what needs nobody last, in the order it came", () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 30 }), (lines) => {
      const judged = lines.map((one): Judged<WatchedLine> => ({ line: one, reason: attentionOf(one, NOW) }))
      const sorted = mostPressingFirst(judged)
      expect(new Set(sorted)).toEqual(new Set(judged))
      const needing = judged.filter(({ reason }) => reason !== null).length
      expect(sorted.slice(0, needing).every(({ reason }) => reason !== null)).toBe(true)
      expect(sorted.slice(needing)).toEqual(judged.filter(({ reason }) => reason === null))
    }),
  )
})

test("of two lines that are behind, the one with more money missing comes first", () => {
  const small = line({ booked: 1_000, total: totalOf(10) })
  const large = line({ booked: 900_000, total: totalOf(100_000) })
  const sorted = mostPressingFirst([small, large].map((one) => ({ line: one, reason: attentionOf(one, NOW) })))
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
      const sums = worthByCurrency(lines)
      expect(new Set(sums.map(({ currency }) => currency)).size).toBe(sums.length)
      const all = sums.reduce((sum, { delivered }) => sum + delivered, 0)
      expect(all).toBeCloseTo(
        lines.reduce((sum, one) => sum + (lineValue(one) ?? 0), 0),
        4,
      )
    }),
  )
})
