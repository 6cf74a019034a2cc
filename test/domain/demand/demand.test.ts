import { expect, test } from "bun:test"
import { readBrief } from "../../../src/domain/adcp/brief/reading/read-brief.ts"
import { demandOf, weekOf, weeksBefore } from "../../../src/domain/demand/demand.ts"
import { demandWeeks, summarizeDemand } from "../../../src/domain/demand/demand-summary.ts"
import { whyNothing } from "../../../src/domain/demand/why-nothing.ts"
import { parseTimestamp } from "../../../src/domain/time/moment.ts"

const at = (timestamp: string) => parseTimestamp(timestamp) ?? 0

function read(brief: string, filters?: { countries?: string[]; channels?: string[] }) {
  const reading = readBrief(brief, "2026-11-15", () => true)
  return demandOf({ brief, reading, filters, matched: 0, products: [], isNextPage: false })
}

test("a demand is what the brief reader understood, with what the filters say", () => {
  const demand = read("30 second podcast spots in Germany and Austria, budget 8,000 EUR", { countries: ["CH", "DE"] })
  expect(demand.countries).toEqual(["CH", "DE", "AT"])
  expect(demand.formats).toContain("podcast 30 s")
  expect(demand.budget).toEqual({ amount: 8_000, currency: "EUR" })
})

test("a brief is kept short, on one line, and without credentials", () => {
  const secret = `aba_${"x".repeat(38)}`
  const { brief } = read(`a\n\tb ${secret} Bearer abcdefghijkl ${"long ".repeat(2_000)}`)
  expect(brief).toStartWith("a b aba_******** Bearer ********")
  expect(brief?.length).toBeLessThanOrEqual(250)
  expect(read("x\0\ud800y").brief?.isWellFormed()).toBe(true)
})

test("weeks begin on Monday in UTC", () => {
  expect(weekOf(at("2026-11-15T23:59:59Z"))).toBe("2026-11-09")
  expect(weekOf(at("2026-11-16T00:00:00Z"))).toBe("2026-11-16")
  expect(weeksBefore(at("2026-11-16T00:00:00Z"), 1)).toBe("2026-11-09")
})

test("counts are summed over weeks, most asked first, and weeks without calls are there", () => {
  const count = (week: string, kind: "outcome" | "country" | "budget" | "caller", value: string, calls: number) => ({
    week,
    kind,
    value,
    calls,
    unmatched: value === "nothing" || value === "FR" ? calls : 0,
  })
  const counts = [
    count("2026-11-02", "outcome", "matched", 3),
    count("2026-11-09", "outcome", "nothing", 2),
    count("2026-11-09", "outcome", "refused", 1),
    count("2026-11-02", "country", "FR", 1),
    count("2026-11-09", "country", "DE", 2),
    count("2026-11-09", "budget", "EUR 5000", 2),
    count("2026-11-09", "budget", "EUR 9000", 1),
    count("2026-11-09", "budget", "USD 1", 2),
    count("2026-11-09", "caller", "", 4),
    count("2026-11-09", "caller", "key", 2),
  ]
  expect(demandWeeks(counts, 3, at("2026-11-15T12:00:00Z"))).toEqual([
    { week: "2026-10-26", matched: 0, nothing: 0, refused: 0 },
    { week: "2026-11-02", matched: 3, nothing: 0, refused: 0 },
    { week: "2026-11-09", matched: 0, nothing: 2, refused: 1 },
  ])
  expect(summarizeDemand(counts)).toMatchObject({
    matched: 3,
    nothing: 2,
    refused: 1,
    keys: 1,
    withoutKey: 4,
    medianBudget: { amount: 5_000, currency: "EUR", calls: 3 },
    countries: [
      { value: "DE", calls: 2, unmatched: 0 },
      { value: "FR", calls: 1, unmatched: 1 },
    ],
  })
  expect(summarizeDemand([]).medianBudget).toBeNull()
})

test("why a brief matched nothing: no key, nothing open, another country, another channel, other words", () => {
  const offer = {
    channelsOf: new Map([["p", ["display"]]]),
    openingsOf: new Map([["key", [{ productId: "p", territories: ["DE"] }]]]),
  }
  const brief = {
    week: "2026-11-09",
    digest: "",
    brief: "",
    countries: ["DE", "FR"],
    formats: ["display"],
    budget: null,
    currency: null,
    agentKeyId: "key",
    asked: 1,
    matched: 0,
    firstProduct: null,
    lastAt: 0,
  }
  expect(whyNothing({ ...brief, agentKeyId: null }, offer).why).toBe("no key")
  expect(whyNothing({ ...brief, agentKeyId: "other" }, offer).why).toBe("nothing open")
  expect(whyNothing({ ...brief, countries: ["FR"] }, offer)).toEqual({ why: "country", countries: ["FR"] })
  expect(whyNothing({ ...brief, formats: ["podcast 30 s"] }, offer)).toEqual({ why: "channel", channels: ["podcast"] })
  expect(whyNothing(brief, offer).why).toBe("words")
  expect(whyNothing({ ...brief, countries: [], formats: [] }, offer).why).toBe("words")
})
