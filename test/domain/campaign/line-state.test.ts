import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  campaignPhase,
  campaignState,
  expectedAt,
  LINE_STATES,
  type LineState,
  offPlan,
  phaseOf,
  stateOf,
  type ZonedLine,
} from "../../../src/domain/campaign/line-state.ts"
import { parseTimestamp } from "../../../src/domain/time/moment.ts"

const at = (text: string) => parseTimestamp(text) ?? Number.NaN
const ZONE = "Europe/Berlin"
const NOW = at("2026-11-16T00:00:00Z")
const line = (more: Partial<ZonedLine> = {}): ZonedLine => ({
  pricingBasis: "impressions",
  flightStart: "2026-11-01",
  flightEnd: "2026-11-30",
  booked: 30_000,
  total: null,
  seller: { timeZone: ZONE },
  ...more,
})
const total = (quantity: number, asOf = "2026-11-15T23:00:00Z") => ({ quantity, asOf: at(asOf) })
const flat = (more: Partial<ZonedLine> = {}) => line({ pricingBasis: "flat_rate", booked: null, ...more })

describe("the state of a line", () => {
  test.each<[string, string, ZonedLine, LineState]>([
    ["before its first day in the seller's zone", "2026-10-31T22:59:59Z", line(), "upcoming"],
    ["from its first day on", "2026-10-31T23:00:00Z", line(), "running"],
    ["on its last day", "2026-11-30T22:59:59Z", line({ total: total(29_000, "2026-11-30T20:00:00Z") }), "ends_soon"],
    ["after its last day", "2026-11-30T23:00:00Z", line(), "ended"],
    ["without an end", "2026-11-16T00:00:00Z", line({ flightEnd: null, total: total(1) }), "running"],
    ["with all that was booked", "2026-11-16T00:00:00Z", line({ total: total(30_000) }), "delivered"],
    [
      "with all that was booked, after its last day",
      "2027-01-01T00:00:00Z",
      line({ total: total(30_000) }),
      "delivered",
    ],
    ["with too much, after its last day", "2027-01-01T00:00:00Z", line({ total: total(31_000) }), "over_delivered"],
    ["with nothing booked", "2026-11-16T00:00:00Z", line({ booked: 0, total: total(5) }), "running"],
    ["flat-rate and reported", "2026-11-16T00:00:00Z", flat({ total: total(1) }), "delivered"],
    ["flat-rate and not reported", "2026-11-16T00:00:00Z", flat(), "running"],
    ["flat-rate, not reported and soon over", "2026-11-29T00:00:00Z", flat(), "ends_soon"],
    ["below nine tenths of the plan", "2026-11-16T00:00:00Z", line({ total: total(13_499) }), "behind"],
    ["from nine tenths on", "2026-11-16T00:00:00Z", line({ total: total(13_501) }), "on_pace"],
    ["up to a tenth above", "2026-11-16T00:00:00Z", line({ total: total(16_499) }), "on_pace"],
    ["beyond that", "2026-11-16T00:00:00Z", line({ total: total(16_501) }), "ahead"],
    ["two days after its last figure", "2026-11-17T23:00:00Z", line({ total: total(15_000) }), "on_pace"],
    ["later than that", "2026-11-17T23:00:01Z", line({ total: total(15_000) }), "no_recent_figures"],
    ["two days after its start without a figure", "2026-11-02T23:00:01Z", line(), "no_recent_figures"],
    ["behind without recent figures", "2026-11-18T00:00:00Z", line({ total: total(1) }), "no_recent_figures"],
    [
      "seven days before its end",
      "2026-11-16T00:00:00Z",
      line({ flightEnd: "2026-11-22", total: total(21_000) }),
      "ends_soon",
    ],
    [
      "eight days before its end",
      "2026-11-16T00:00:00Z",
      line({ flightEnd: "2026-11-23", total: total(20_000) }),
      "on_pace",
    ],
    ["behind and soon over", "2026-11-16T00:00:00Z", line({ flightEnd: "2026-11-22", total: total(9_000) }), "behind"],
  ])("%s", (_, now, stated, state) => {
    expect(stateOf(stated, at(now))).toBe(state)
  })

  // The smallest whole number that is two per cent more than what is booked, computed exactly.
  const begins = (booked: bigint) => booked + (booked + 49n) / 50n

  test.each([1, 49, 50, 51, 100, 1_000_000, 10 ** 15])(
    "of %d booked, over-delivered begins two per cent above",
    (booked) => {
      const first = Number(begins(BigInt(booked)))
      const states = [booked - 1, booked, first - 1, first, first + 1].map((quantity) =>
        stateOf(line({ booked, total: total(quantity) }), NOW),
      )
      expect(states.slice(1)).toEqual(["delivered", "delivered", "over_delivered", "over_delivered"])
      expect(["delivered", "over_delivered"]).not.toContain(states[0] as string)
    },
  )

  test("whatever is booked, up to the largest number that can be reported", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 52n), fc.bigInt(-3n, 3n), (booked, off) => {
        const quantity = begins(booked) + off
        const state = stateOf(line({ booked: Number(booked), total: total(Number(quantity)) }), NOW)
        expect(state === "over_delivered").toBe((quantity - booked) * 50n >= booked)
      }),
    )
  })

  test("a plan is even over the flight, and a total is held against the plan of its own time", () => {
    expect(Math.round(expectedAt(line(), at("2026-11-15T23:00:00Z"), ZONE) ?? 0)).toBe(15_000)
    expect(offPlan(line({ total: total(12_000) }), ZONE)).toBeCloseTo(-0.2)
    expect(stateOf(line({ total: total(1_000, "2026-11-01T23:00:00Z") }), at("2026-11-02T12:00:00Z"))).toBe("on_pace")
    for (const without of [line(), line({ booked: null, total: total(1) }), line({ flightEnd: null, total: total(1) })])
      expect(offPlan(without, ZONE)).toBeNull()
  })
})

describe("the state of a campaign", () => {
  test("is that of its line, where it has one", () => {
    for (const state of LINE_STATES) expect(campaignState(new Set([state]))).toBe(state)
    expect(campaignState(new Set())).toBe("empty")
  })

  test.each<[readonly LineState[], LineState]>([
    [["on_pace", "behind", "ended"], "behind"],
    [["over_delivered", "upcoming"], "over_delivered"],
    [["ends_soon", "on_pace"], "on_pace"],
    [["ends_soon", "delivered"], "ends_soon"],
    [["ended", "upcoming"], "upcoming"],
    [["delivered", "ended"], "ended"],
    [["delivered", "over_delivered"], "over_delivered"],
  ])("%p: %s", (states, state) => {
    expect(campaignState(new Set(states))).toBe(state)
  })

  test("it runs as long as a line's days do, whatever is delivered already", () => {
    const NOW = at("2026-11-18T12:00:00Z")
    const full = total(100_000)
    expect(phaseOf(line({ flightEnd: "2026-11-25", total: full }), NOW)).toBe("running")
    expect(phaseOf(line({ flightEnd: "2026-11-17", total: full }), NOW)).toBe("ended")
    expect(phaseOf(line({ flightStart: "2026-11-20", flightEnd: "2026-11-25" }), NOW)).toBe("upcoming")
    expect(phaseOf(line({ flightEnd: null }), NOW)).toBe("running")
    expect(phaseOf(line({ flightEnd: null, total: full }), NOW)).toBe("ended")
    expect(campaignPhase(new Set(["ended", "running"]))).toBe("running")
    expect(campaignPhase(new Set(["ended", "upcoming"]))).toBe("upcoming")
    expect(campaignPhase(new Set(["ended"]))).toBe("ended")
  })

  test("one without lines has not begun", () => {
    expect(campaignPhase(new Set())).toBe("upcoming")
  })
})
