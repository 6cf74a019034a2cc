import { expect, test } from "bun:test"
import fc from "fast-check"
import { lineValue } from "../../../src/domain/campaign/line-state.ts"
import { BASES } from "../../../src/domain/campaign/pricing-basis.ts"
import { compare, costOf, inCoins, minus, quantityFor, sumOf } from "../../../src/domain/sale/money.ts"
import { stateLine } from "../../../src/domain/sale/statement.ts"

test("an amount is exact to the smallest coin, half a coin counts as one", () => {
  expect(costOf(200_000, "14.50", 1_000, "EUR")).toBe("2900.00")
  expect(costOf(14_000, 14.5, 1_000, "EUR")).toBe("203.00")
  // In binary fractions 1.005 is less than that, and 1.00 would be wrong.
  expect(costOf(1, "1.005", 1, "EUR")).toBe("1.01")
  expect(costOf(1, 1.005, 1, "EUR")).toBe("1.01")
  expect(costOf(333, 0.0045, 1, "EUR")).toBe("1.50")
  expect(costOf(3, 1e-7, 1, "EUR")).toBe("0.00")
  expect(costOf(Number.MAX_SAFE_INTEGER, "999999.999999", 1_000, "EUR")).toBe("9007199254731983800.75")
})

test("each currency has its own smallest coin", () => {
  expect(inCoins("1234.5", "JPY")).toBe("1235")
  expect(inCoins(1234.5678, "KWD")).toBe("1234.568")
  expect(inCoins("-0.005", "EUR")).toBe("-0.01")
})

test("sums of any signs are exact", () => {
  expect(sumOf(["2256.00", "350.00", "-112.80"], "EUR")).toBe("2493.20")
  expect(sumOf([], "EUR")).toBe("0.00")
  expect(minus("0.10", "0.30", "EUR")).toBe("-0.20")
  const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
  const written = (amount: bigint) => {
    const text = String(amount < 0n ? -amount : amount).padStart(3, "0")
    return `${amount < 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`
  }
  fc.assert(
    fc.property(fc.array(cents), (amounts) => {
      const sum = amounts.reduce((all, amount) => all + amount, 0n)
      expect(sumOf(amounts.map(written), "EUR")).toBe(written(sum))
    }),
  )
})

test("a budget never buys more than it pays for, and a minimum never less", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 6 }), (cents, price) => {
      const [budget, each] = [`${cents / 100}`, `${price / 100}`]
      const most = quantityFor(budget, each, 1_000, "down")
      const least = quantityFor(budget, each, 1_000, "up")
      expect(least - most).toBeOneOf([0, 1])
      expect(BigInt(most) * BigInt(price)).toBeLessThanOrEqual(BigInt(cents) * 1_000n)
      expect(BigInt(least) * BigInt(price)).toBeGreaterThanOrEqual(BigInt(cents) * 1_000n)
      expect(compare(costOf(least, each, 1_000, "EUR"), budget)).toBeGreaterThanOrEqual(0)
    }),
  )
})

test("a line is worth on every page what its statement says, to the smallest coin of its currency", () => {
  const rate = fc.oneof(
    fc.integer({ min: 1, max: 10 ** 8 }).map((cents) => cents / 100),
    fc.double({ min: 0.000001, max: 10 ** 6, noNaN: true }),
  )
  const quantity = fc.oneof(
    fc.nat(10 ** 6),
    fc.maxSafeNat(),
    fc.integer({ min: 1, max: 10 ** 6 }).map((n) => n / 2),
  )
  const basis = fc.constantFrom(...BASES)
  const currency = fc.constantFrom("EUR", "JPY", "KWD")
  fc.assert(
    fc.property(quantity, rate, basis, currency, (delivered, price, pricingBasis, code) => {
      const priced = {
        pricingBasis,
        rate: price,
        currency: code,
        booked: null,
        total: { quantity: delivered, asOf: 0 },
      }
      const stated = stateLine({ ...priced, packageId: "", name: "" }, false)
      expect(lineValue(priced)).toBe(Number(stated.amount))
    }),
    { numRuns: 2_000 },
  )
})
