import { describe, expect, test } from "bun:test"
import {
  lastDayOf,
  nextNumber,
  readAdded,
  type Stated,
  type StatedLine,
  statementRows,
  sumsOf,
} from "../../../src/domain/sale/statement.ts"

const LINE: StatedLine = {
  lineId: 1,
  packageId: "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01",
  name: "Pre-roll",
  campaign: "Spring",
  pricingBasis: "impressions",
  booked: 2_000,
  rate: 10,
  currency: "EUR",
  delivered: { quantity: 1_500, asOf: 0 },
}

const amounts = (line: StatedLine, earlier: readonly Stated[], billsOverDelivery: boolean) =>
  statementRows([line], earlier, billsOverDelivery, [])
    .filter(({ coins }) => coins !== 0)
    .map(({ currency, coins }) => `${coins} ${currency}`)

describe("a line comes to its value, minus the amounts of earlier statements", () => {
  test.each<[string, Partial<StatedLine>, number, string[]]>([
    ["the first statement", {}, 0, ["1500 EUR"]],
    ["more was delivered", {}, 1_000, ["500 EUR"]],
    ["nothing new", {}, 1_500, []],
    ["the total was corrected downwards", { delivered: { quantity: 900, asOf: 0 } }, 1_500, ["-600 EUR"]],
    ["the rate was raised", { rate: 12 }, 1_500, ["300 EUR"]],
    ["more than booked was delivered", { delivered: { quantity: 5_000, asOf: 0 } }, 0, ["2000 EUR"]],
    ["the currency was changed", { currency: "CHF" }, 1_500, ["1500 CHF", "-1500 EUR"]],
    [
      "a flat rate that ran",
      { pricingBasis: "flat_rate", booked: null, delivered: { quantity: 1, asOf: 0 } },
      0,
      ["1000 EUR"],
    ],
    ["a flat rate that didn't", { pricingBasis: "flat_rate", booked: null, delivered: null }, 0, []],
    ["no price", { rate: null, currency: null }, 0, []],
  ])("%s", (_, changes, stated, expected) => {
    const earlier = stated === 0 ? [] : [{ lineId: 1, currency: "EUR", coins: stated, through: "2026-10-31" }]
    expect(amounts({ ...LINE, ...changes }, earlier, false)).toEqual(expected)
  })

  test("over-delivery is billed only if the seller says so", () => {
    const line = { ...LINE, delivered: { quantity: 5_000, asOf: 0 } }
    expect(amounts(line, [], true)).toEqual(["5000 EUR"])
  })
})

test("amounts in two currencies have no sum", () => {
  const sums = sumsOf([
    { currency: "EUR", coins: 5 },
    { currency: "CHF", coins: 7 },
    { currency: "EUR", coins: -2 },
  ])
  expect(sums).toEqual([
    { currency: "CHF", coins: 7 },
    { currency: "EUR", coins: 3 },
  ])
})

test("numbers go on within a year, and begin anew with the next one", () => {
  expect(nextNumber("2026", null)).toBe("2026-001")
  expect(nextNumber("2026", "2026-013")).toBe("2026-014")
  expect(nextNumber("2026", "2026-999")).toBe("2026-1000")
  expect(nextNumber("2027", "2026-013")).toBe("2027-001")
})

test("a month ends on its last day, in leap years as well", () => {
  expect(["2026-10", "2026-02", "2028-02", "2026-12"].map(lastDayOf)).toEqual([
    "2026-10-31",
    "2026-02-28",
    "2028-02-29",
    "2026-12-31",
  ])
})

describe("a row added by hand", () => {
  const sums = [{ currency: "EUR", coins: 225_600 }]
  const read = (amount: string, text = "Production", currency = "EUR") => readAdded([{ text, amount, currency }], sums)

  test.each<[string, number]>([
    ["+350.00", 35_000],
    ["−112.80", -11_280],
    ["-112,80", -11_280],
    ["-5 %", -11_280],
    ["+ 1.50", 150],
  ])("%s is %d coins", (amount, coins) => {
    expect(read(amount)).toEqual({ added: [{ text: "Production", currency: "EUR", coins }], errors: {} })
  })

  test("needs a sign, a text and a currency", () => {
    expect(read("350")).toMatchObject({ errors: { "amount.0": "Write −350 for less, or +350 for more." } })
    expect(read("5%")).toMatchObject({ errors: { "amount.0": "Write −5 % for less, or +5 % for more." } })
    expect(read("+350", "")).toMatchObject({ errors: { "text.0": "Say what it’s for." } })
    expect(read("+350", "Production", "EURO")).toHaveProperty(["errors", "currency.0"])
    expect(read("", "")).toEqual({ added: [], errors: {} })
  })
})
