import { expect, test } from "bun:test"
import { builtInFormats } from "../../../../../src/domain/adcp/catalogue/built-in/index.ts"
import { checkProduct, ownFormats } from "../../../../../src/domain/adcp/catalogue/check.ts"
import type { Product } from "../../../../../src/domain/adcp/schema/product/product.ts"
import { pricesText } from "../../../../../src/domain/adcp/text.ts"
import { priceErrors, pricesInWords, pricesOf } from "../../../../../src/doors/web/operator/catalogue/prices.tsx"
import {
  bodyOf,
  errorsOf,
  textsOfProduct as fieldsOf,
  richPartsOf,
} from "../../../../../src/doors/web/operator/catalogue/product-body.ts"
import { plainProduct } from "../../../../domain/adcp/schema/documents.ts"

const own = ownFormats(builtInFormats)
const typed = {
  ...fieldsOf(null),
  product_id: "new",
  name: "Billboard",
  description: "The wide place.",
  publishers: "News.example\nother.example",
  formats: ["display_970x250_image"],
  "prices.0.currency": "EUR",
  "prices.0.price": "9,80",
}

test("the usual fields alone make a product that can be saved", () => {
  const body = bodyOf(typed, null)
  expect(checkProduct(body, own)).toEqual([])
  expect(body).toMatchObject({
    publisher_properties: [{ publisher_domain: "news.example" }, { publisher_domain: "other.example" }],
    pricing_options: [{ pricing_model: "cpm", currency: "EUR", fixed_price: 9.8 }],
  })
})

test.each([
  ["1,000", "1,000 can mean 1000 or 1. Write 1000 or 1."],
  ["1.000", "1.000 can mean 1000 or 1. Write 1000 or 1."],
  ["0x10", "0x10 is not a number. Write it in digits, such as 1000 or 1000.50."],
])("the price %p is refused, never offered as another one", (price, why) => {
  const wrong = { ...typed, "prices.0.price": price, "prices.0.min_spend": price }
  expect(checkProduct(bodyOf(wrong, null), own)).not.toEqual([])
  expect(priceErrors(wrong, [])).toEqual({ "prices.0.price": why, "prices.0.min_spend": why })
})

test("a price per 1,000 downloads is one per thousand of a product that reports downloads, and says so everywhere", () => {
  const ofDownloads = { ...typed, "prices.0.pricing_model": "cpm_downloads" }
  const body = bodyOf(ofDownloads, null) as unknown as Product
  expect(checkProduct(body, own)).toEqual([])
  expect(body.pricing_options).toMatchObject([{ pricing_model: "cpm", fixed_price: 9.8 }])
  expect(body.reporting_capabilities.available_metrics).toEqual(["impressions", "downloads"])
  expect([pricesOf(body), pricesText(body)]).toEqual(["€9.80 per 1,000 downloads", "9.80 EUR per 1,000 downloads"])
  expect(fieldsOf(body)).toMatchObject({ "prices.0.pricing_model": "cpm_downloads" })
  expect(bodyOf(fieldsOf(body), body)).toEqual(body as unknown as Record<string, unknown>)
  // It would be counted as one of downloads, whatever it says.
  expect(priceErrors(typed, ["impressions", "downloads"])["prices.0.pricing_model"]).toContain("reports downloads")
  expect(priceErrors(ofDownloads, ["impressions", "downloads"])).toEqual({})
})

test("a price whose row has no known shape, as no form sends it, is refused, and is no failure of ours", () => {
  const odd = { ...typed, "prices.0.~shape": "odd" }
  expect(checkProduct(bodyOf(odd, null), own)).not.toEqual([])
  expect(() => priceErrors(odd, [])).not.toThrow()
})

test("a price of three decimals survives opening and saving", () => {
  const [price] = plainProduct.pricing_options
  const stored = { ...plainProduct, pricing_options: [{ ...price, fixed_price: 12.125 }] }
  expect(bodyOf(fieldsOf(stored), stored)).toEqual(stored)
})

test("a product that is opened and saved unchanged stays what it was", () => {
  expect(bodyOf(fieldsOf(plainProduct), plainProduct)).toEqual(plainProduct)
})

test("what is richer than the form stays as it is", () => {
  const second = { ...plainProduct.pricing_options[0], pricing_option_id: "second", max_bid: true }
  const publishers = [{ publisher_domain: "a.example", selection_type: "by_tag", property_tags: ["sport"] }]
  const rich = {
    ...plainProduct,
    pricing_options: [plainProduct.pricing_options[0], second],
    publisher_properties: publishers,
    format_ids: [{ id: "display_image", width: 468, height: 60 }],
  }
  expect([...richPartsOf(rich)].sort()).toEqual(["formats", "pricing", "publishers"])
  expect(bodyOf({ ...fieldsOf(rich), name: "Renamed" }, rich)).toEqual({ ...rich, name: "Renamed" })
})

test("a publisher with a field of an earlier version stays as it is", () => {
  const [publisher] = plainProduct.publisher_properties
  const stored = { ...plainProduct, publisher_properties: [{ ...publisher, note: "kept" }] }
  expect([...richPartsOf(stored)]).toEqual(["publishers"])
  expect(bodyOf({ ...fieldsOf(stored), name: "Renamed" }, stored)).toEqual({ ...stored, name: "Renamed" })
})

test("several prices are opened and saved unchanged, a new one gets an id of its own, and errors name their row", () => {
  const [price] = plainProduct.pricing_options
  const second = { pricing_option_id: "week", pricing_model: "flat_rate", currency: "GBP", fixed_price: 1900 }
  const stored = { ...plainProduct, pricing_options: [price, second] }
  expect([...richPartsOf(stored)]).toEqual([])
  expect(bodyOf(fieldsOf(stored), stored)).toEqual(stored)
  const third = {
    "prices.2.~shape": "price",
    "prices.2.pricing_model": "cpm",
    "prices.2.currency": "EUR",
    "prices.2.price_kind": "floor_price",
    "prices.2.price": "11",
  }
  const more = bodyOf({ ...fieldsOf(stored), ...third }, stored)
  expect(checkProduct(more, own)).toEqual([])
  expect(more).toMatchObject({ pricing_options: [price, second, { pricing_option_id: "cpm_eur", floor_price: 11 }] })
  const wrong = {
    ...fieldsOf(stored),
    ...third,
    "prices.1.price": "1,000",
    "prices.2.price": "",
    "prices.2.currency": "EURO",
  }
  const errors = { ...errorsOf(checkProduct(bodyOf(wrong, stored), own)), ...priceErrors(wrong, []) }
  expect(Object.keys(errors).sort()).toEqual(["prices.1.price", "prices.2.currency"])
})

test("a domain is taken out of the address of a page, and umlauts are written as the network writes them", () => {
  const pasted = "HTTPS://News.Example:8443/start?x=1 müller.example, someone@mail.example"
  expect(bodyOf({ ...typed, publishers: pasted }, null)["publisher_properties"]).toEqual(
    ["news.example", "xn--mller-kva.example", "someone@mail.example"].map((domain) => ({
      publisher_domain: domain,
      selection_type: "all",
    })),
  )
})

test("what is wrong is said at the field, everything at once", () => {
  const wrong = {
    ...typed,
    name: " ",
    publishers: "not a domain!",
    formats: [],
    "prices.0.price": "much",
    "prices.0.currency": "EURO",
  }
  const errors = { ...errorsOf(checkProduct(bodyOf(wrong, null), own)), ...priceErrors(wrong, []) }
  expect(errors).toEqual({
    "prices.0.currency": "Enter the currency as three letters, such as EUR.",
    "prices.0.price": "much is not a number. Write it in digits, such as 1000 or 1000.50.",
    publishers: "Each publisher must be a lower-case domain such as example.com.",
    name: "Enter a name.",
    formats: "Choose at least one format.",
  })
  const next = { ...typed, name: " ", formats: [], "prices.0.price": "" }
  expect(errorsOf(checkProduct(bodyOf(next, null), own))).toEqual({
    name: "Enter a name.",
    formats: "Choose at least one format.",
    "prices.0.price": "Enter a price.",
  })
})

test("prices are compared in words, not in codes", () => {
  const row = { "prices.0.~shape": "price", "prices.0.pricing_model": "cpm", "prices.0.currency": "eur" }
  const texts = { ...row, "prices.0.price_kind": "floor_price", "prices.0.price": "15.20", "prices.0.min_spend": "250" }
  expect(pricesInWords(texts)).toBe("from EUR 15.20 per 1,000 impressions, at least EUR 250")
})
