import { describe, expect, test } from "bun:test"
import { BUILT_IN_FORMATS as own } from "../../../../src/domain/adcp/catalogue/built-in.ts"
import { checkFormat, checkProduct, isValidProduct } from "../../../../src/domain/adcp/catalogue/check.ts"
import { hasOfficial, officialProblems } from "../../../harness/agent/official.ts"
import { addressed, PLAIN_FORMAT, PLAIN_PRODUCT } from "../documents.ts"

const [cpm] = PLAIN_PRODUCT.pricing_options
const priced = (...options: object[]) => ({ ...PLAIN_PRODUCT, pricing_options: options })
const cpa = { pricing_option_id: "cpa", pricing_model: "cpa", currency: "EUR", fixed_price: 3, event_type: "custom" }

const byCountry = {
  method: "estimate",
  currency: "EUR",
  points: [
    { metrics: { impressions: { mid: 9 } }, dimensions: [{ kind: "geo", geo_level: "country", geo_code: "FR" }] },
  ],
}

test("a product that names our own formats without an address is accepted, and so are foreign and sized formats", () => {
  expect(checkProduct(PLAIN_PRODUCT, own)).toEqual([])
  const foreign = { agent_url: "https://creative.example/", id: "anything", format_kind: "image" }
  const format_ids = [foreign, { id: "display_image", width: 468, height: 60 }]
  expect(checkProduct({ ...PLAIN_PRODUCT, format_ids }, own)).toEqual([])
})

test.each([
  [priced({ ...cpm, floor_price: 1 }), "/pricing_options/0", "needs either fixed_price or floor_price"],
  [priced({ ...cpm, currency: "XYZ" }), "/pricing_options/0/currency", "isn't a currency that ISO 4217 knows"],
  [priced(cpm ?? {}, cpm ?? {}), "/pricing_options", "must not repeat a pricing_option_id"],
  [priced(cpa), "/pricing_options/0", "needs custom_event_name, because its event_type is custom"],
  [{ ...PLAIN_PRODUCT, format_ids: [{ id: "nope" }] }, "/format_ids/0", `"nope" isn't a format of this catalog`],
  [
    { ...PLAIN_PRODUCT, format_ids: [{ id: "video_vast", width: 1, height: 1 }] },
    "/format_ids/0",
    `the format "video_vast" doesn't accept dimensions`,
  ],
  [
    { ...PLAIN_PRODUCT, format_ids: [{ id: "video_vast", format_kind: "image" }] },
    "/format_ids/0/format_kind",
    "leave out format_kind",
  ],
  [{ ...PLAIN_PRODUCT, format_ids: [] }, "/format_ids", "format_ids needs at least 1 entry"],
  [{ ...PLAIN_PRODUCT, name: " " }, "/name", "name must not be empty"],
  [{ ...PLAIN_PRODUCT, product_card: {} }, "/product_card", 'Unknown field "product_card"'],
  // A buyer could read how much a product delivers in countries that it doesn't see.
  [{ ...PLAIN_PRODUCT, forecast: byCountry }, "/forecast/points/0/dimensions", 'Unknown field "dimensions"'],
  [priced({ ...cpm, color: "red" }), "/pricing_options/0/color", 'Unknown field "color"'],
  [
    { ...PLAIN_PRODUCT, publisher_properties: [{ publisher_domain: "harborcast", selection_type: "all" }] },
    "/publisher_properties/0/publisher_domain",
    "must be a domain such as example.com",
  ],
] as [object, string, string][])("a wrong product is refused with the place: %#", (product, pointer, message) => {
  const problems = checkProduct(JSON.parse(JSON.stringify(product)), own)
  expect(problems).toEqual([{ pointer, message: expect.stringContaining(message), keyword: expect.any(String) }])
})

test("every problem is reported, each with its place and a sentence that names the field", () => {
  const broken = {
    ...PLAIN_PRODUCT,
    name: 7,
    delivery_type: "maybe",
    forecast: "many",
    pricing_options: [{ ...cpm, currency: "euro" }],
  }
  const problems = checkProduct(broken, own).map(({ pointer, message }) => [pointer, message])
  expect(problems.toSorted()).toEqual([
    ["/delivery_type", "delivery_type must be one of guaranteed, non_guaranteed"],
    ["/forecast", "forecast must be an object"],
    ["/name", "name must be a string"],
    ["/pricing_options/0/currency", "pricing_options[0].currency must be a currency code such as EUR"],
  ])
})

test("a value that isn't a product is refused", () => {
  for (const value of [null, undefined, 1, "p1", [], [PLAIN_PRODUCT]]) {
    expect(checkProduct(value, own)).toEqual([{ pointer: "", message: "the value must be an object", keyword: "type" }])
    expect(isValidProduct(value, own)).toBe(false)
  }
})

test.each([
  [{ ...PLAIN_FORMAT, format_id: { id: "a b" } }, "/format_id/id", "must be letters, digits, _ and - only"],
  [{ format_id: { id: "a" } }, "/name", "name is required"],
  [{ ...PLAIN_FORMAT, canonical: { kind: "custom" } }, "/canonical", "needs format_shape, because its kind is custom"],
  [{ ...PLAIN_FORMAT, renders: [{ role: "a" }] }, "/renders/0", "needs dimensions or parameters_from_format_id"],
  [
    { ...PLAIN_FORMAT, renders: [{ role: "a", parameters_from_format_id: true }] },
    "/renders/0/parameters_from_format_id",
    "so accepts_parameters must include dimensions",
  ],
])("a wrong format is refused with the place: %#", (format, pointer, message) => {
  const problems = checkFormat(format)
  expect(problems).toEqual([{ pointer, message: expect.stringContaining(message), keyword: expect.any(String) }])
})

describe("the built-in formats", () => {
  test("are about forty of every common kind, and each is right", () => {
    expect(own.size).toBeGreaterThanOrEqual(40)
    for (const start of ["display_", "video_", "audio_", "podcast_", "newsletter_", "native_", "dooh_", "ooh_"])
      expect([...own.keys()].some((id) => id.startsWith(start))).toBe(true)
    for (const format of own.values()) {
      expect(checkFormat(format)).toEqual([])
      expect(format.canonical?.kind).toBeString()
      expect(format.description).toBeString()
    }
  })

  test.skipIf(!hasOfficial)("are valid by the official schema [needs schemas]", () => {
    for (const format of own.values()) expect(officialProblems("core/format.json", addressed(format))).toEqual([])
  })
})
