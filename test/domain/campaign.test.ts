import { describe, expect, test } from "bun:test"
import { buyerSlug, chooseBuyer, freeSlug } from "../../src/domain/campaign/campaign.ts"
import { type LineTexts, questionsAboutEdit, readLine, textsOf } from "../../src/domain/campaign/line.ts"
import { type SummedLine, summaryOf } from "../../src/domain/campaign/summary.ts"
import { bookedValue, deliveredValue, valuesOf, valueTogether } from "../../src/domain/campaign/value.ts"
import { amountOf, costOf } from "../../src/domain/money.ts"

const at = (time: string) => Date.parse(`${time}Z`) * 1_000
const NOW = at("2026-11-15T12:00")

/** A line that runs for the 30 days of November at 20 EUR for 1,000. */
function lineWith(quantity: number | null, fields: Partial<SummedLine> = {}): SummedLine {
  const total = quantity === null ? null : { quantity, asOf: NOW }
  const terms = { pricingBasis: "impressions", booked: 3_000, rate: 20, currency: "EUR", timeZone: "UTC" } as const
  return { ...terms, flightStart: "2026-11-01", flightEnd: "2026-11-30", total, ...fields }
}

describe("money", () => {
  test.each([
    [1_000, 2.5, 1_000, "EUR", 250],
    [1, 5, 1_000, "EUR", 1],
    [999, 5, 1_000, "EUR", 500],
    [3_400.5, 12.345, 1_000, "EUR", 4_198],
    [1, 1_999, 1, "JPY", 1_999],
    [1, 0.0005, 1, "KWD", 1],
    [9_007_199_254_740_991, 0.01, 1_000, "EUR", 9_007_199_254_741],
    [1_000, 1e-7, 1_000, "EUR", 0],
  ])("%d at %d for %d in %s", (quantity, price, per, currency, coins) => {
    expect(costOf(quantity, price, per, currency)).toBe(coins)
  })

  test("an amount has the places of its currency", () => {
    const amounts = [amountOf(290_000, "EUR"), amountOf(5, "EUR"), amountOf(-1_280, "EUR"), amountOf(7, "JPY")]
    expect(amounts).toEqual(["2900.00", "0.05", "-12.80", "7"])
  })
})

describe("value", () => {
  test("delivery beyond the booked quantity isn't paid", () => {
    expect([deliveredValue(lineWith(2_000)), deliveredValue(lineWith(4_000))]).toEqual([4_000, 6_000])
    expect(deliveredValue(lineWith(4_000, { booked: null }))).toBe(8_000)
  })

  test("a flat rate counts in full once it's delivered", () => {
    const flat = { pricingBasis: "flat_rate", booked: null, rate: 500 } as const
    expect([deliveredValue(lineWith(null, flat)), deliveredValue(lineWith(1, flat))]).toEqual([0, 50_000])
    expect(bookedValue(lineWith(null, flat))).toBe(50_000)
  })

  test("sums are exact, and lines in several currencies have no common one", () => {
    const cents = Array.from({ length: 300 }, () => lineWith(1, { rate: 0.1, booked: 1, pricingBasis: "flat_rate" }))
    expect(valueTogether(cents)).toEqual({ currency: "EUR", delivered: 3_000, booked: 3_000, share: 1 })
    const mixed = [...cents, lineWith(1_000, { currency: "USD", booked: null }), lineWith(1, { rate: null })]
    expect(valuesOf(mixed)).toEqual([
      { currency: "EUR", delivered: 3_000, booked: 3_000, share: 1 },
      { currency: "USD", delivered: 2_000, booked: null, share: null },
    ])
    expect(valueTogether(mixed)).toBeNull()
  })
})

describe("a campaign in one row", () => {
  test("adds up values, and has the most urgent state and the whole flight", () => {
    const lines = [
      lineWith(1_450),
      lineWith(100, { flightStart: "2026-10-01", flightEnd: "2026-12-31", booked: 1_000 }),
    ]
    const summary = summaryOf(lines, NOW)
    expect(summary).toMatchObject({ state: "behind", from: "2026-10-01", to: "2026-12-31", measuredAt: NOW })
    expect(summary.delivered).toBeCloseTo(1_550 / 4_000)
    expect(summary.values).toEqual([{ currency: "EUR", delivered: 3_100, booked: 8_000, share: 1_550 / 4_000 }])
  })

  test("without prices, only lines of one unit with a booked quantity add up", () => {
    const bare = { rate: null, currency: null }
    expect(summaryOf([lineWith(1_500, bare), lineWith(750, bare)], NOW).delivered).toBe(2_250 / 6_000)
    const downloads = lineWith(1, { ...bare, pricingBasis: "downloads" })
    expect(summaryOf([lineWith(1, bare), downloads], NOW).delivered).toBeNull()
    expect(summaryOf([], NOW)).toMatchObject({ state: null, from: null, to: null, delivered: null, values: [] })
  })
})

const TEXTS: LineTexts = {
  name: "Pre-roll",
  pricingBasis: "downloads",
  flightStart: "2026-11-01",
  flightEnd: "2026-11-30",
  booked: "20000",
  rate: "12.1250",
  currency: "EUR",
  externalId: "LI-20417",
}

describe("the form of a line", () => {
  test("is read back unchanged", () => {
    const read = readLine(TEXTS)
    expect("fields" in read && textsOf(read.fields)).toEqual(TEXTS)
  })

  test.each<[Partial<LineTexts>, Record<string, string>]>([
    [{ booked: "20 000" }, {}],
    [{ rate: "€12.50" }, {}],
    [{ name: "" }, { name: "Enter a name." }],
    [{ pricingBasis: "clicks" }, { pricingBasis: "Choose what the line is priced on." }],
    [{ flightStart: "2026-02-30" }, { flightStart: "Enter the first day of the flight, such as 2026-11-01." }],
    [{ flightEnd: "2026-10-31" }, { flightEnd: "The flight can’t end before it starts." }],
    [{ pricingBasis: "flat_rate" }, { booked: "A flat rate has no quantity. Leave this empty." }],
    [{ currency: "" }, { currency: "Choose the currency of the rate, such as EUR." }],
    [{ currency: "EURO" }, { currency: "“EURO” isn’t a currency. Enter its code, such as EUR." }],
    [{ currency: "XQZ" }, { currency: "“XQZ” isn’t a currency. Enter its code, such as EUR." }],
    [{ rate: "1,234" }, { rate: expect.stringContaining("1,234 can mean 1234 or 1.234") }],
    [{ externalId: "x".repeat(129) }, { externalId: "Enter at most 128 characters, without control characters." }],
  ])("%o", (texts, errors) => {
    const read = readLine({ ...TEXTS, ...texts })
    expect("errors" in read ? read.errors : {}).toEqual(errors)
  })

  test("masks a key in a name", () => {
    const read = readLine({ ...TEXTS, name: `Line abi_${"0".repeat(38)}` })
    expect("fields" in read && read.fields.name).toBe("Line abi_********")
  })

  test("asks about an edit that contradicts what is delivered", () => {
    const line = { ...lineWith(1_500), name: "", externalId: null }
    expect(questionsAboutEdit({ ...line, booked: 1_000, flightStart: "2026-11-16" }, line, false)).toEqual({
      booked: "1,500 are already delivered.",
      flightStart: "The current total was measured before that, on 2026-11-15.",
    })
    expect(questionsAboutEdit({ ...line, booked: 2_000 }, line, false)).toEqual({})
    expect(questionsAboutEdit({ ...line, booked: 1 }, { ...line, total: null }, false)).toEqual({})
    expect(questionsAboutEdit({ ...line, rate: 99 }, line, true)).toHaveProperty("rate")
  })
})

describe("a buyer is exact, or new", () => {
  const company = (id: number, slug: string, name: string) => ({ id, slug, name })
  const KNOWN = [
    company(1, "fernweh", "Fernweh Travel GmbH"),
    company(2, "brand-a", "Brand Co"),
    company(3, "brand-b", "Brand Co"),
  ]
  const SELLER = company(9, "pod", "Pod Harbor")

  test.each([
    ["fernweh", { choice: { id: 1 } }],
    [" fernweh  TRAVEL gmbh ", { choice: { id: 1 } }],
    ["brand-b", { choice: { id: 3 } }],
    ["Brand Co", { error: "Several buyers have this name. Enter the slug: brand-a or brand-b." }],
    ["Pod Harbor", { error: "This is your own organization. Enter the buyer." }],
    ["Nobody Knows", { choice: { newName: "Nobody Knows" } }],
    [
      "Fernweh Travel",
      {
        choice: { newName: "Fernweh Travel" },
        question: "Do you mean Fernweh Travel GmbH, or is Fernweh Travel another company?",
      },
    ],
  ])("%s", (typed, chosen) => {
    expect(chooseBuyer(typed, KNOWN, SELLER)).toEqual(chosen)
  })

  test("a new buyer's slug doesn't reveal whether another one exists", () => {
    const [first, second] = [buyerSlug("Brand Co"), buyerSlug("Brand Co")]
    expect(first).toMatch(/^brand-co-[0-9a-f]{6}$/)
    expect(second).not.toBe(first)
    expect(buyerSlug("株式会社")).toMatch(/^buyer-[0-9a-f]{6}$/)
  })

  test("a campaign's slug is counted among the seller's own", () => {
    expect(freeSlug("Großer Herbst", new Set())).toBe("grosser-herbst")
    expect(freeSlug("Spring", new Set(["spring", "spring-2"]))).toBe("spring-3")
  })
})
