import { describe, expect, test } from "bun:test"
import { type OrderedProduct, orderAmount, stateAt } from "../../../src/domain/sale/order.ts"
import {
  minimumQuantity,
  type OrderTexts,
  otherMeasure,
  readRequester,
  readTerms,
} from "../../../src/domain/sale/read-order.ts"

const DAY = 86_400_000_000

test("an unanswered order expires after 30 days, and an answered one never does", () => {
  expect(stateAt({ state: "asked", askedAt: 0 }, 30 * DAY - 1)).toBe("asked")
  expect(stateAt({ state: "asked", askedAt: 0 }, 30 * DAY)).toBe("expired")
  expect(stateAt({ state: "accepted", askedAt: 0 }, 90 * DAY)).toBe("accepted")
})

const CPM = {
  id: "cpm",
  price: 14.5,
  currency: "EUR",
  counted: { unit: "impressions", per: 1_000 },
  minimum: 25_000,
  basis: "impressions" as const,
}
const PRODUCT: OrderedProduct = {
  id: "walks",
  name: "City Walks",
  description: "",
  prices: [CPM],
  territories: ["AT", "DE"],
  formats: [],
  until: "2027-03-31",
}
const TEXTS: Partial<OrderTexts> = { from: "2026-11-23", to: "2027-01-10", measure: "quantity", amount: "200,000" }
const read = (changes: Partial<OrderTexts> = {}, product = PRODUCT) =>
  readTerms({ ...TEXTS, ...changes }, product, "2026-11-15")
const errorsOf = (changes: Partial<OrderTexts>, product = PRODUCT) => {
  const result = read(changes, product)
  return "errors" in result ? Object.keys(result.errors) : []
}

describe("what is asked for", () => {
  test("is a quantity or a budget, and each tells the other", () => {
    const byQuantity = read()
    expect("terms" in byQuantity && [byQuantity.terms.quantity, orderAmount(byQuantity.terms)]).toEqual([
      200_000, 290_000,
    ])
    const byBudget = read({ measure: "money", amount: "2,900.00" })
    expect("terms" in byBudget && byBudget.terms.quantity).toBe(200_000)
    const other = { coins: 290_000, currency: "EUR", quantity: 200_000, unit: "impressions", perDay: 4_082 }
    expect(otherMeasure({ ...TEXTS }, PRODUCT)).toEqual(other)
  })

  test("the minimum spend isn't lost to rounding", () => {
    expect(minimumQuantity(CPM)).toBe(17_242)
    const least = read({ measure: "money", amount: "250" })
    expect("terms" in least && least.terms.quantity).toBe(17_242)
    expect(errorsOf({ amount: "14000" })).toEqual(["amount"])
  })

  test.each<[string, Partial<OrderTexts>, string[]]>([
    ["a day that is over", { from: "2026-11-14" }, ["from"]],
    ["an end before the start", { to: "2026-11-22" }, ["to"]],
    ["a day after the product ends", { to: "2027-04-01" }, ["to"]],
    ["no days", { from: "", to: "soon" }, ["from", "to"]],
    ["an amount with two readings", { measure: "money", amount: "2.900" }, ["amount"]],
    ["nothing", { amount: "0" }, ["amount"]],
    ["more than can be billed exactly", { amount: "9007199254740991" }, ["amount"]],
    ["more money than can be counted exactly", { measure: "money", amount: "900719925474099" }, ["amount"]],
    ["a country without the product", { territories: "Austria, Switzerland" }, ["territories"]],
    ["everywhere", { territories: "*" }, ["territories"]],
    ["no country at all", { territories: "Atlantis" }, ["territories"]],
  ])("%s is refused at its field", (_, changes, fields) => {
    expect(errorsOf(changes)).toEqual(fields)
  })

  test("countries are typed by name or code, and all are meant if none is typed", () => {
    const some = read({ territories: "Austria" })
    expect("terms" in some && some.terms.territories).toEqual(["AT"])
    const all = read()
    expect("terms" in all && all.terms.territories).toEqual(["AT", "DE"])
  })

  test("one of several prices must be chosen", () => {
    const product = { ...PRODUCT, prices: [CPM, { ...CPM, id: "flat", counted: null }] }
    expect(errorsOf({}, product)).toEqual(["price"])
    expect(errorsOf({ price: "flat", amount: "" }, product)).toEqual([])
  })
})

test("who asks: a link that could be a script is refused, and a pasted key is masked", () => {
  const person = { organization: "Fernweh", name: "Lena", email: "Lena@Fernweh.example" }
  const key = `abi_${"0".repeat(38)}`
  expect(readRequester({ ...person, note: `Key ${key}` })).toEqual({
    requester: { ...person, email: "lena@fernweh.example", creative: "", note: "Key abi_********" },
  })
  for (const creative of ["javascript:alert(1)", "https://user@host/", "spot.wav", `https://a.example/${key}`])
    expect([creative, "errors" in readRequester({ ...person, creative })]).toEqual([creative, true])
  const missing = readRequester({})
  expect("errors" in missing && Object.keys(missing.errors)).toEqual(["organization", "name", "email"])
})
