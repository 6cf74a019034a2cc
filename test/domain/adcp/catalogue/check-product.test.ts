import { expect, test } from "bun:test"
import { builtInFormats } from "../../../../src/domain/adcp/catalogue/built-in/index.ts"
import { checkProduct, isValidProduct, ownFormats, unsupportedIn } from "../../../../src/domain/adcp/catalogue/check.ts"
import { plainProduct } from "../schema/documents.ts"

const own = ownFormats(builtInFormats)
const cpm = plainProduct.pricing_options[0]
const cpa = { pricing_option_id: "cpa", pricing_model: "cpa", currency: "EUR", fixed_price: 3, event_type: "custom" }
const priced = (...options: object[]) => ({ ...plainProduct, pricing_options: options })
const { fixed_price: _, ...unpriced } = cpm

test("a product that names our own formats without an address is accepted", () => {
  expect(checkProduct(plainProduct, own)).toEqual([])
})

test.each([
  ["no price", priced(unpriced), "/pricing_options/0", "pricing_options[0] needs fixed_price or floor_price"],
  [
    "two prices",
    priced({ ...cpm, floor_price: 1 }),
    "/pricing_options/0",
    "pricing_options[0] has both fixed_price and floor_price; give one of them",
  ],
  [
    "a repeated option",
    priced(cpm, cpm),
    "/pricing_options/1/pricing_option_id",
    'pricing_options[1] repeats the pricing_option_id "cpm"',
  ],
  [
    "a custom event without its name",
    priced(cpa),
    "/pricing_options/0",
    "pricing_options[0] needs custom_event_name, because its event_type is custom",
  ],
  [
    "a publisher that is a word alone",
    { ...plainProduct, publisher_properties: [{ publisher_domain: "harborcast", selection_type: "all" }] },
    "/publisher_properties/0/publisher_domain",
    'publisher_properties[0].publisher_domain must be a domain such as example.com, not "harborcast"',
  ],
  [
    "an own format that is not in the catalogue",
    { ...plainProduct, format_ids: [{ id: "nope" }] },
    "/format_ids/0",
    'format_ids[0]: "nope" is not a format of this catalogue',
  ],
  [
    "a size that the format does not take",
    { ...plainProduct, format_ids: [{ id: "video_vast", width: 1, height: 1 }] },
    "/format_ids/0",
    'format_ids[0]: the format "video_vast" does not accept dimensions',
  ],
  ["no format at all", { ...plainProduct, format_ids: [] }, "/format_ids", "format_ids must have at least one format"],
  [
    "a field that this version does not know",
    { ...plainProduct, signal_targeting_options: [] },
    "/signal_targeting_options",
    "signal_targeting_options is not supported by this version",
  ],
  [
    "an own format of a placement that is not in the catalogue",
    {
      ...plainProduct,
      placements: [
        { kind: "seller_inline", placement_id: "a", mode: "included", name: "A", format_ids: [{ id: "nope" }] },
      ],
    },
    "/placements/0/format_ids/0",
    'placements[0].format_ids[0]: "nope" is not a format of this catalogue',
  ],
  ["an empty name", { ...plainProduct, name: " " }, "/name", "name must not be empty"],
])("a product with %s is refused, and the error names the place", (_case, product, pointer, message) => {
  expect(checkProduct(product, own)).toEqual([{ pointer, message, keyword: expect.any(String) }])
})

test("a format of another agent, or with parameters that it takes, is accepted", () => {
  const elsewhere = { agent_url: "https://creative.example/", id: "anything" }
  const format_ids = [elsewhere, { id: "display_image", width: 468, height: 60 }]
  expect(checkProduct({ ...plainProduct, format_ids }, own)).toEqual([])
})

test("every problem is reported, each with its place and a sentence that names the field", () => {
  const broken = {
    ...plainProduct,
    name: 7,
    delivery_type: "maybe",
    forecast: "many",
    pricing_options: [{ ...cpm, currency: "euro" }],
  }
  expect(checkProduct(broken, own).map((problem) => [problem.pointer, problem.message])).toEqual([
    ["/name", "name must be a string"],
    ["/delivery_type", "delivery_type must be one of guaranteed, non_guaranteed"],
    ["/pricing_options/0/currency", "pricing_options[0].currency must be a currency code such as EUR"],
    ["/forecast", "forecast must be an object"],
  ])
})

test("what is no product at all is refused, whatever it is", () => {
  for (const value of [null, undefined, 1, "p1", [], [plainProduct]]) {
    expect(checkProduct(value, own)).toEqual([{ pointer: "", message: "the value must be an object", keyword: "type" }])
  }
})

const forecast = (dimension: object) => ({
  method: "estimate",
  currency: "EUR",
  points: [{ metrics: { impressions: { mid: 1 } }, dimensions: [dimension] }],
})

test.each([
  [{ pricing_options: [{ ...cpm, colour: "red" }] }, "pricing_options[0].colour"],
  [
    { reporting_capabilities: { ...plainProduct.reporting_capabilities, measurement_windows: [] } },
    "reporting_capabilities.measurement_windows",
  ],
  [
    { delivery_measurement: { vendors: [{ domain: "a.example", brand_kit_override: {} }] } },
    "delivery_measurement.vendors[0].brand_kit_override",
  ],
  [{ forecast: forecast({ kind: "audience", audience_id: "a" }) }, "forecast.points[0].dimensions[0]"],
  [
    { publisher_properties: [{ publisher_domain: "a.example", selection_type: "all", property_ids: ["x"] }] },
    "publisher_properties[0].property_ids",
  ],
])("a field that this version does not know is refused by name, however deep: %j", (fields, path) => {
  const message = `${path} is not supported by this version`
  expect(checkProduct({ ...plainProduct, ...fields }, own)).toMatchObject([{ message }])
})

test("a field that is stored already may stay as it is, but not change; ext may hold anything", () => {
  const stored = { ...plainProduct, product_card: { title: "Card" }, ext: { anything: { of: ["the", "operator"] } } }
  expect(checkProduct({ ...stored, name: "Another" }, own, stored)).toEqual([])
  expect(checkProduct({ ...stored, product_card: { title: "New" } }, own, stored)).toMatchObject([
    { pointer: "/product_card" },
  ])
  expect(checkProduct(stored, own)).toHaveLength(1)
})

test("what an earlier version stored is valid, so that buyers go on seeing it", () => {
  const stored = {
    ...plainProduct,
    product_card: { title: "Card" },
    forecast: forecast({ kind: "audience", audience_id: "a" }),
  }
  expect(isValidProduct(stored, own)).toBe(true)
  expect(unsupportedIn("product", stored)).toEqual(["product_card", "forecast.points[0].dimensions[0]"])
})
