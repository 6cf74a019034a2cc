import { expect, test } from "bun:test"
import fc from "fast-check"
import { costOf, percentOf } from "../../src/domain/money.ts"

/** The cost by long multiplication of the digits that people wrote. */
function longCost(quantity: number, price: number, per: number, coinDigits: number): number {
  const parts = [String(quantity), String(price)].map((text) => {
    const [whole = "", fraction = ""] = text.split(".")
    return { digits: BigInt(whole + fraction), places: fraction.length }
  })
  const [a, b] = parts
  if (a === undefined || b === undefined) throw new Error("Two numbers have two parts.")
  const numerator = a.digits * b.digits * 10n ** BigInt(coinDigits)
  const denominator = 10n ** BigInt(a.places + b.places) * BigInt(per)
  return Number((numerator * 2n + denominator) / (denominator * 2n))
}

const decimal = (max: number, places: number) => fc.nat(max * 10 ** places).map((digits) => digits / 10 ** places)

test("a cost is exact to the coin, for small and for large amounts", () => {
  const quantity = fc.oneof(fc.nat(2_000_000_000), decimal(100_000, 3))
  const price = fc.oneof(decimal(400, 2), decimal(2, 6), decimal(20_000, 4))
  const currency = fc.constantFrom(["EUR", 2] as const, ["JPY", 0] as const, ["KWD", 3] as const)
  fc.assert(
    fc.property(quantity, price, fc.constantFrom(1, 1_000), currency, (units, each, per, [code, digits]) => {
      expect(costOf(units, each, per, code)).toBe(longCost(units, each, per, digits))
    }),
    { numRuns: 5_000 },
  )
})

test("half a coin is rounded up", () => {
  expect(costOf(1, 12.5, 1_000, "EUR")).toBe(1)
  expect(costOf(500, 0.01, 1_000, "EUR")).toBe(1)
  expect(costOf(499, 0.01, 1_000, "EUR")).toBe(0)
  expect(costOf(1_234_567, 14.5, 1_000, "JPY")).toBe(17_901)
})

test("a percentage is exact to the coin, in both directions", () => {
  // In binary fractions, 9.2% of 375 is a little less than 34.5.
  expect(percentOf(375, 9.2)).toBe(35)
  expect(percentOf(-375, 9.2)).toBe(-35)
  expect(percentOf(225_600, 5)).toBe(11_280)
  expect(percentOf(0, 5)).toBe(0)
})
