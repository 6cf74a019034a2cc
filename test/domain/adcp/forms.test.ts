import { expect, test } from "bun:test"
import demo from "../../../src/demo/data.json"
import { BUILT_IN_FORMATS } from "../../../src/domain/adcp/catalogue/built-in.ts"
import { checkFormat, checkProduct } from "../../../src/domain/adcp/catalogue/check.ts"
import { formatTexts, NEW_FORMAT, readFormat } from "../../../src/domain/adcp/forms/format.ts"
import { NEW_PRODUCT, productErrors, productTexts, readProduct } from "../../../src/domain/adcp/forms/product.ts"
import type { CreativeFormat } from "../../../src/domain/adcp/schema/creative-format.ts"
import type { Product } from "../../../src/domain/adcp/schema/product.ts"
import { PLAIN_PRODUCT } from "./documents.ts"

const example = await Bun.file(`${import.meta.dir}/../../../docs/example.json`).json()

// What only an import file can say.
const RARE = {
  ...PLAIN_PRODUCT,
  product_id: "rare",
  channels: ["radio", "podcast", "display"],
  format_ids: [
    { id: "display_image", width: 300, height: 250 },
    { agent_url: "https://formats.example/", id: "takeover", format_kind: "html5" },
    { id: "display_image", width: 728, height: 90 },
    { id: "audio_30s_hosted" },
  ],
  publisher_properties: [
    { publisher_domain: "b.example", selection_type: "by_tag", property_tags: ["sport"] },
    { publisher_domain: "a.example", selection_type: "all" },
    { publisher_domain: "b.example", selection_type: "by_tag", property_tags: ["news"] },
  ],
  pricing_options: [
    { pricing_option_id: "a", pricing_model: "cpm", currency: "EUR", floor_price: 12.125, price_guidance: { p50: 14 } },
    {
      pricing_option_id: "b",
      pricing_model: "time",
      currency: "JPY",
      fixed_price: 1_000_000,
      parameters: { time_unit: "day" },
    },
    { pricing_option_id: "c", pricing_model: "cpa", currency: "USD", fixed_price: 0.0045, event_type: "purchase" },
  ],
  reporting_capabilities: { ...PLAIN_PRODUCT.reporting_capabilities, expected_delay_minutes: 100 },
  expires_at: "2026-12-31T11:30:00+01:00",
  forecast: { points: [{ metrics: { impressions: { mid: 5 } } }], method: "estimate", currency: "EUR" },
  ext: { house: { id: 7 } },
}

const PRODUCTS = [...demo.products, ...(example.products ?? []), PLAIN_PRODUCT, RARE] as unknown as Product[]

for (const product of PRODUCTS) {
  test(`the form changes nothing of ${product.product_id} if nothing was edited`, () => {
    expect(readProduct(productTexts(product, ""), product, "UTC")).toEqual({ product })
  })
}

test("a new product needs seven answers, and is valid", () => {
  const texts = {
    ...NEW_PRODUCT,
    name: "Sea Stories, mid-roll",
    description: "Sixty seconds.",
    channels: "podcast\nradio",
    formats: "podcast_midroll_60s_hosted",
    domains: "a.example, b.example",
    "price.0": "24,50",
    "currency.0": "eur",
  }
  const read = readProduct(texts, null, "Europe/Berlin")
  const product = "product" in read ? read.product : null
  expect(checkProduct(product, BUILT_IN_FORMATS)).toEqual([])
  expect(product).toMatchObject({
    product_id: "sea_stories_mid_roll",
    channels: ["podcast", "radio"],
    publisher_properties: [
      { publisher_domain: "a.example", selection_type: "all" },
      { publisher_domain: "b.example", selection_type: "all" },
    ],
    pricing_options: [{ pricing_option_id: "cpm_eur", pricing_model: "cpm", currency: "EUR", fixed_price: 24.5 }],
    reporting_capabilities: {
      timezone: "Europe/Berlin",
      expected_delay_minutes: 1_440,
      available_metrics: ["downloads"],
    },
  })
})

const CHANGES: readonly (readonly [what: string, texts: Record<string, string>, expected: object])[] = [
  ["removes a price", { "price.0": "" }, { pricing_options: RARE.pricing_options.slice(1) }],
  [
    "adds a price with an ID of its own",
    { "price.3": "9", "currency.3": "CHF", "model.3": "cpc", "kind.3": "floor", "minimum.3": "100" },
    {
      pricing_options: [
        ...RARE.pricing_options,
        {
          pricing_option_id: "cpc_chf",
          pricing_model: "cpc",
          currency: "CHF",
          floor_price: 9,
          min_spend_per_package: 100,
        },
      ],
    },
  ],
  ["makes a floor a fixed price", { "kind.0": "fixed" }, { pricing_options: [{ fixed_price: 12.125 }, {}, {}] }],
  ["removes all channels", { channels: "" }, { product_id: "rare" }],
  [
    "removes a format and adds one",
    { formats: "audio_30s_hosted\nvideo_15s_hosted" },
    {
      format_ids: [{ id: "takeover" }, { id: "audio_30s_hosted" }, { id: "video_15s_hosted" }],
    },
  ],
  [
    "adds a domain",
    { domains: "a.example\nb.example\nc.example" },
    {
      publisher_properties: [...RARE.publisher_properties, { publisher_domain: "c.example", selection_type: "all" }],
    },
  ],
  ["changes the last day", { until: "2027-01-31" }, { expires_at: "2027-01-31T23:59:59Z" }],
  ["changes the delay", { delay: "1.5" }, { reporting_capabilities: { expected_delay_minutes: 90 } }],
]

for (const [what, texts, expected] of CHANGES) {
  test(`the form of a product ${what}`, () => {
    const stored = RARE as unknown as Product
    const read = readProduct({ ...productTexts(stored, ""), ...texts }, stored, "UTC")
    expect("product" in read ? read.product : read).toMatchObject(expected)
    if (texts["channels"] === "") expect(read).not.toHaveProperty("product.channels")
  })
}

test("unreadable text is an error at its field", () => {
  const stored = PLAIN_PRODUCT as unknown as Product
  const wrong = {
    name: "",
    domains: "",
    formats: "",
    delay: "soon",
    until: "never",
    "price.0": "1.234",
    "currency.0": "EURO",
  }
  const read = readProduct({ ...productTexts(stored, ""), ...wrong }, stored, "UTC")
  expect(Object.keys("errors" in read ? read.errors : {}).sort()).toEqual(
    ["currency.0", "delay", "domains", "formats", "name", "price.0", "until"].sort(),
  )
  expect(readProduct({ ...productTexts(stored, ""), "price.0": "" }, stored, "UTC")).toEqual({
    errors: { "price.0": "Enter at least one price." },
  })
})

test("problems of a product are shown at the fields of the form", () => {
  const problem = (pointer: string) => ({ pointer, message: "is wrong", keyword: "rule" })
  const pointers = ["/pricing_options/1/currency", "/publisher_properties/0/publisher_domain", "/ext"]
  expect(productErrors(pointers.map(problem))).toEqual({
    "price.1": "Is wrong.",
    domains: "Is wrong.",
    "": "Is wrong.",
  })
})

const FORMATS = [...BUILT_IN_FORMATS.values(), ...demo.formats, ...(example.formats ?? [])] as CreativeFormat[]

for (const format of FORMATS) {
  test(`the form changes nothing of the format ${format.format_id.id} if nothing was edited`, () => {
    expect(readFormat(formatTexts(format), format)).toEqual({ format })
  })
}

const NEW_FORMATS: readonly (readonly [texts: Record<string, string>, expected: object])[] = [
  [
    { kind: "image", file: "image", size: "970 × 250", kilobytes: "200" },
    {
      canonical: { kind: "image" },
      renders: [{ role: "primary", dimensions: { width: 970, height: 250, unit: "px" } }],
      assets: [{ asset_type: "image", requirements: { max_file_size_kb: 200 } }, { asset_type: "url" }],
    },
  ],
  [
    { kind: "audio_hosted", file: "audio", seconds: "15-30", landing: "" },
    { assets: [{ asset_type: "audio", requirements: { min_duration_ms: 15_000, max_duration_ms: 30_000 } }] },
  ],
  [
    { kind: "custom", shape: "newsletter_sponsorship", file: "" },
    { canonical: { format_shape: "newsletter_sponsorship" } },
  ],
]

for (const [texts, expected] of NEW_FORMATS) {
  test(`a new format of the kind ${texts["kind"]} is valid`, () => {
    const read = readFormat({ ...NEW_FORMAT, formatId: "mine", name: "Mine", ...texts }, null)
    const format = "format" in read ? read.format : null
    expect(checkFormat(format)).toEqual([])
    expect(format).toMatchObject(expected)
  })
}

const WRONG_FORMATS: readonly (readonly [texts: Record<string, string>, field: string])[] = [
  [{ name: "" }, "name"],
  [{ kind: "custom" }, "shape"],
  [{ size: "large" }, "size"],
  [{ kilobytes: "many" }, "kilobytes"],
  [{ kilobytes: "5", file: "vast" }, "kilobytes"],
  [{ seconds: "30" }, "seconds"],
  [{ file: "video", seconds: "30-15" }, "seconds"],
]

for (const [texts, field] of WRONG_FORMATS) {
  test(`a format with ${JSON.stringify(texts)} has an error at ${field}`, () => {
    const read = readFormat({ ...NEW_FORMAT, formatId: "mine", name: "Mine", ...texts }, null)
    expect("errors" in read ? Object.keys(read.errors) : []).toEqual([field])
  })
}

test("a longer spot keeps what else is required of its file", () => {
  const stored = BUILT_IN_FORMATS.get("audio_30s_hosted")
  if (stored === undefined) throw new Error("missing")
  const read = readFormat({ ...formatTexts(stored), seconds: "45" }, stored)
  expect("format" in read ? read.format : null).toMatchObject({
    assets: [
      { requirements: { min_duration_ms: 45_000, max_duration_ms: 45_000, formats: ["mp3", "wav", "aac"] } },
      {},
    ],
  })
})
