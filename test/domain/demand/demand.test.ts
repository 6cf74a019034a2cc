import { expect, test } from "bun:test"
import { readBrief } from "../../../src/domain/adcp/brief/reading/read-brief.ts"
import { type Demand, demandOf, type Shown } from "../../../src/domain/demand/demand.ts"
import { DemandTally } from "../../../src/domain/demand/demand-tally.ts"
import { whyNothing } from "../../../src/domain/demand/why-nothing.ts"
import { parseTimestamp } from "../../../src/domain/time/moment.ts"
import { dayOf } from "../../../src/domain/time/time-zone.ts"

const at = (timestamp: string) => parseTimestamp(timestamp) ?? 0

function read(brief: string, filters?: Shown["filters"]) {
  const reading = readBrief(brief)
  return demandOf({ brief, reading, filters, matched: 0, products: [], isNextPage: false })
}

test("a demand is what the brief reader understood, with what the filters say", () => {
  const demand = read("30 second podcast spots in Germany and Austria, budget 8,000 EUR", { countries: ["CH", "DE"] })
  expect(demand.countries).toEqual(["CH", "DE", "AT"])
  expect(demand.formats).toEqual(["podcast"])
  expect(demand.budget).toEqual({ amount: 8_000, currency: "EUR" })
})

test("a brief is kept short, on one line, and without credentials of other services", () => {
  const { brief } = read(`a\n\tb Bearer abcdefghijkl ${"long ".repeat(2_000)}`)
  expect(brief).toStartWith("a b Bearer ********")
  expect(brief?.length).toBeLessThanOrEqual(250)
  expect(read("x\0\ud800y").brief?.isWellFormed()).toBe(true)
})

const asked = (fields: Partial<Demand> = {}): Demand => ({
  brief: "podcasts about hiking",
  countries: ["AT", "DE"],
  formats: ["audio 30 s"],
  budget: { amount: 7_512, currency: "EUR" },
  matched: 0,
  products: ["p1", "p2"],
  isNextPage: false,
  ...fields,
})

function tallied(...calls: readonly (readonly [string, string | null, Demand | null])[]): DemandTally {
  const tally = new DemandTally((moment) => dayOf(moment, "UTC"))
  for (const [id, [time, agentKeyId, demand]] of calls.entries())
    tally.add({ id, at: at(time), agentKeyId, demand: demand && JSON.stringify(demand) })
  return tally
}

test("calls add up by the day, with how many matched nothing; a further page only shows products", () => {
  const tally = tallied(
    ["2026-11-02T00:00:00Z", "k", asked()],
    ["2026-11-02T23:59:59Z", null, asked({ matched: 1, budget: null, formats: [] })],
    ["2026-11-02T23:59:59Z", null, asked({ matched: 1, products: ["p3"], isNextPage: true })],
    ["2026-11-09T00:00:00Z", null, null],
  )
  expect(tally.ranked("callers")).toEqual([
    { value: "", calls: 1, unmatched: 0 },
    { value: "k", calls: 1, unmatched: 1 },
  ])
  expect(tally.ranked("countries")).toEqual([
    { value: "AT", calls: 2, unmatched: 1 },
    { value: "DE", calls: 2, unmatched: 1 },
  ])
  expect(tally.ranked("formats")).toEqual([{ value: "audio 30 s", calls: 1, unmatched: 1 }])
  expect(tally.ranked("products")).toEqual([
    { value: "p1", calls: 2, unmatched: 1 },
    { value: "p2", calls: 2, unmatched: 1 },
    { value: "p3", calls: 1, unmatched: 0 },
  ])
  expect(tally.byDay(["2026-11-02", "2026-11-03", "2026-11-09"])).toEqual([
    { date: "2026-11-02", matched: 1, nothing: 1, refused: 0 },
    { date: "2026-11-03", matched: 0, nothing: 0, refused: 0 },
    { date: "2026-11-09", matched: 0, nothing: 0, refused: 1 },
  ])
  expect(tally.outcomes()).toEqual({ matched: 1, nothing: 1, refused: 1 })
  expect([tally.isEmpty, tallied().isEmpty]).toEqual([false, true])
})

test("a brief is listed once, however it is written, with how often it was asked and what was last answered", () => {
  const tally = tallied(
    ["2026-11-02T00:00:00Z", "k", asked()],
    ["2026-11-02T00:00:02Z", "k", asked({ brief: "Other" })],
    ["2026-11-02T00:00:03Z", "k", asked({ brief: "Podcasts about hiking" })],
    ["2026-11-02T00:00:04Z", "k", asked({ brief: null })],
    ["2026-11-09T00:00:00Z", null, asked({ brief: "hiking", matched: 2 })],
  )
  const unmatched = tally.misses()
  expect(unmatched.map(({ brief, calls: times }) => [brief, times])).toEqual([
    ["Podcasts about hiking", 2],
    ["Other", 1],
  ])
  expect(unmatched[0]).toMatchObject({
    countries: ["AT", "DE"],
    formats: ["audio 30 s"],
    budget: { amount: 7_512, currency: "EUR" },
    agentKeyId: "k",
    lastAt: at("2026-11-02T00:00:03Z"),
  })
})

test("what was asked for most comes first", () => {
  const asking = (country: string) => ["2026-11-02T00:00:00Z", "k", asked({ countries: [country] })] as const
  const tally = tallied(asking("FR"), asking("AT"), asking("DE"), asking("DE"))
  expect(tally.ranked("countries").map(({ value }) => value)).toEqual(["DE", "AT", "FR"])
})

test("why a brief matched nothing: no key, nothing open, another country or channel, too dear, other words", () => {
  const price = (currency: string, spend: number) =>
    ({
      pricing_option_id: currency,
      pricing_model: "cpm",
      currency,
      fixed_price: 9,
      min_spend_per_package: spend,
    }) as const
  const offer = {
    products: new Map([
      ["p", { channels: ["display" as const], pricing_options: [price("EUR", 900), price("USD", 500)] }],
    ]),
    openingsOf: new Map([
      ["key", [{ productId: "p", territories: ["DE"] }]],
      ["other", []],
    ]),
  }
  const brief = {
    brief: "",
    countries: ["DE", "FR"],
    formats: ["display"],
    budget: null,
    agentKeyId: "key",
    calls: 1,
    matched: 0,
    lastAt: 0,
    lastId: 1,
  }
  expect(whyNothing({ ...brief, agentKeyId: null }, offer).why).toBe("no key")
  expect(whyNothing({ ...brief, agentKeyId: "gone" }, offer).why).toBe("revoked")
  expect(whyNothing({ ...brief, agentKeyId: "other" }, offer).why).toBe("nothing open")
  expect(whyNothing({ ...brief, countries: ["FR"] }, offer)).toEqual({
    why: "country",
    wouldFit: "p",
  })
  expect(whyNothing({ ...brief, formats: ["podcast 30 s"] }, offer)).toEqual({ why: "channel", wouldFit: undefined })
  expect(whyNothing(brief, offer).why).toBe("words")
  expect(whyNothing({ ...brief, countries: [], formats: [] }, offer).why).toBe("words")
  const dear = { why: "budget", product: "p", least: 900, currency: "EUR" } as const
  expect(whyNothing({ ...brief, budget: { amount: 600, currency: "EUR" } }, offer)).toEqual(dear)
  expect(whyNothing({ ...brief, budget: { amount: 900, currency: "EUR" } }, offer).why).toBe("words")
  expect(whyNothing({ ...brief, budget: { amount: 600, currency: null } }, offer).why).toBe("words")
  expect(whyNothing({ ...brief, budget: { amount: 400, currency: null } }, offer)).toMatchObject({
    least: 500,
    currency: "USD",
  })
  expect(whyNothing({ ...brief, budget: { amount: 600, currency: "CHF" } }, offer).why).toBe("words")
})
