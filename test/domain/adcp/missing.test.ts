import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { leftOutBy, leftOutText } from "../../../src/domain/adcp/missing.ts"
import { isAdcpError } from "../../../src/domain/adcp/tools/answer.ts"
import { selectProducts } from "../../../src/domain/adcp/tools/get-products.ts"
import { ProductFilters } from "../../../src/domain/adcp/tools/get-products-input.ts"
import { hiddenBecause, hiddenText, prepareView } from "../../../src/domain/adcp/visibility.ts"
import { formatMoment } from "../../../src/domain/time/moment.ts"
import { ask, givenProduct, givenView, idsIn, own } from "./given.ts"
import { arbitraryOf } from "./schema/arbitrary.ts"
import { agentUrl } from "./schema/documents.ts"

const DAY = 86_400_000_000
const NOW = Date.parse("2026-11-16") * 1_000

const price = fc.record({
  pricing_model: fc.constant("cpm"),
  currency: fc.constantFrom("EUR", "USD"),
  fixed_price: fc.constantFrom(5, 50),
  min_spend_per_package: fc.constantFrom(100, 5_000),
})
const floor = fc.record({
  pricing_model: fc.constant("cpm"),
  currency: fc.constantFrom("EUR", "USD"),
  floor_price: fc.constant(2),
})

/** A product, how it is opened, and when it ends. */
const offer = fc.record({
  fields: fc.record({
    channels: fc.subarray(["podcast", "ctv", "display"]),
    delivery_type: fc.constantFrom("guaranteed", "non_guaranteed"),
    enforced_policies: fc.subarray(["a", "b"]),
    pricing_options: fc
      .array(fc.oneof(price, floor), { minLength: 1, maxLength: 3 })
      .map((options) => options.map((option, at) => ({ ...option, pricing_option_id: `o${at}` }))),
  }),
  days: fc.option(fc.integer({ min: -3, max: 60 }), { nil: undefined }),
  territories: fc.option(fc.subarray(["DE", "AT", "US"]), { nil: undefined }),
})

const likely = fc.record(
  {
    channels: fc.subarray(["podcast", "ctv", "print"], { minLength: 1 }),
    countries: fc.subarray(["DE", "FR", "US"], { minLength: 1 }),
    regions: fc.constant(["DE-BY"]),
    start_date: fc.constantFrom("2026-11-20", "2027-02-01"),
    pricing_currencies: fc.subarray(["EUR", "USD"], { minLength: 1 }),
    is_fixed_price: fc.boolean(),
    budget_range: fc.record({ currency: fc.constantFrom("EUR", "USD"), max: fc.constantFrom(50, 1_000, 9_000) }),
    delivery_type: fc.constantFrom("guaranteed", "non_guaranteed"),
  },
  { requiredKeys: [] },
)
const filters = fc.oneof(likely, arbitraryOf(ProductFilters)).map((value) => JSON.parse(JSON.stringify(value)))
const questions = fc.record(
  {
    filters,
    required_policies: fc.subarray(["a", "b"]),
    brief: fc.constantFrom("podcast in Germany under 1,000 EUR", ""),
  },
  { requiredKeys: [] },
)

/** The catalogue, and what one caller sees of it. */
function given(offers: readonly Offer[]) {
  const products = offers.map(({ fields, days }, at) => {
    const expiry = days === undefined ? {} : { expires_at: formatMoment(NOW + days * DAY) }
    return givenProduct(`p${at}`, { ...fields, ...expiry })
  })
  const openings = offers.flatMap(({ territories }, at) =>
    territories === undefined ? [] : [{ productId: `p${at}`, territories }],
  )
  return { products, openings, view: prepareView({ caller: "k", agentUrl, own, products, openings, now: NOW }) }
}

type Offer = typeof offer extends fc.Arbitrary<infer Value> ? Value : never

describe("why a product is missing", () => {
  test("the products without a reason are those that the agent returns, and no others", () => {
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 8 }), questions, (offers, asked) => {
        const { products, openings, view } = given(offers)
        const selected = selectProducts(view, asked)
        if (isAdcpError(selected)) return
        const unexplained = products.filter((product) => {
          const opening = openings.find(({ productId }) => productId === product.product_id)
          if (hiddenBecause(product, opening, NOW) !== undefined) return false
          const seen = view.products.find(({ id }) => id === product.product_id)
          return seen !== undefined && leftOutBy(view, seen, selected.input).length === 0
        })
        const answered = ask(view, { ...asked, pagination: { max_results: 100 } })
        expect(unexplained.map(({ product_id }) => product_id)).toEqual(idsIn(answered).sort())
      }),
      { numRuns: 200, seed: 4 },
    )
  })

  test("without the arguments that are named as the reason, the product is in the answer", () => {
    fc.assert(
      fc.property(offer, questions, (one, asked) => {
        const { view } = given([{ ...one, territories: ["DE"], days: undefined }])
        const selected = selectProducts(view, asked)
        const [seen] = view.products
        if (isAdcpError(selected) || seen === undefined) return
        const named = new Set<string>(leftOutBy(view, seen, selected.input))
        const left = (args: object) => Object.fromEntries(Object.entries(args).filter(([name]) => !named.has(name)))
        const others = left({ ...asked, ...(asked.filters && { filters: left(asked.filters) }) })
        expect(idsIn(ask(view, others))).toEqual(["p0"])
      }),
      { numRuns: 200, seed: 4 },
    )
  })

  test.each<[object, string]>([
    [{ channels: ["ctv", "radio"] }, "Left out by the filter “channels”."],
    [{ countries: ["FR"] }, "Shown in Austria, Germany only."],
    [{ start_date: "2027-06-01" }, "Left out by the filter “start date”."],
    [
      { delivery_type: "non_guaranteed", is_fixed_price: false },
      "Left out by the filter “delivery type”. Left out by the filter “is fixed price”.",
    ],
  ])("%j is said in words", (asked, words) => {
    const product = givenProduct("p", { channels: ["podcast"], expires_at: "2027-01-01T00:00:00Z" })
    const view = givenView([product], { p: ["AT", "DE"] })
    const [seen] = view.products
    if (seen === undefined) throw new Error("not seen")
    expect(leftOutText(leftOutBy(view, seen, { filters: asked }), seen)).toBe(words)
  })

  test("not opened and expired are said in words", () => {
    const product = givenProduct("p", { expires_at: "2026-11-10T08:00:00Z" })
    const opening = { productId: "p", territories: ["DE"] }
    const [closed, expired] = [hiddenBecause(product, undefined, NOW), hiddenBecause(product, opening, NOW)]
    expect(closed && hiddenText(closed)).toBe("Hidden from this buyer.")
    expect(expired && hiddenText(expired)).toBe("Expired on 10 Nov 2026, 08:00 UTC.")
  })
})
