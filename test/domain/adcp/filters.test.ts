import { expect, test } from "bun:test"
import { ask, givenProduct, givenView, idsIn } from "./given.ts"
import type { Json } from "./schema/answers.ts"

const option = (id: string, fields: object) => ({
  pricing_option_id: id,
  pricing_model: "cpm",
  currency: "EUR",
  ...fields,
})
const reporting = { ...givenProduct("x").reporting_capabilities }

const products = [
  givenProduct("a", {
    channels: ["display", "olv"],
    exclusivity: "exclusive",
    pricing_options: [
      option("fixed", { fixed_price: 5, min_spend_per_package: 1000 }),
      option("floor", { floor_price: 2 }),
      option("dollar", { currency: "USD", fixed_price: 6 }),
    ],
    format_ids: [
      { id: "display_image", width: 468, height: 60 },
      { agent_url: "https://creative.example/x", id: "own" },
    ],
    expires_at: "2027-01-31T00:00:00Z",
    forecast: { method: "estimate", currency: "EUR", points: [{ metrics: { impressions: { mid: 1000 } } }] },
    enforced_policies: ["alcohol", "gambling"],
  }),
  givenProduct("b", {
    channels: ["podcast"],
    delivery_type: "non_guaranteed",
    format_ids: [{ id: "audio_30s_hosted" }],
    pricing_options: [option("flat", { pricing_model: "flat_rate", fixed_price: 9000 })],
    audio_distribution_types: ["podcast", "web_radio"],
    reporting_capabilities: {
      ...reporting,
      available_metrics: ["impressions", "downloads"],
      vendor_metrics: [{ vendor: { domain: "vendor.example" }, metric_id: "attention" }],
    },
    performance_standards: [
      { metric: "viewability", threshold: 0.7, vendor: { domain: "vendor.example" }, standard: "mrc" },
    ],
  }),
  givenProduct("c", {
    channels: ["ctv"],
    format_ids: [{ id: "video_vast" }],
    video_placement_types: ["instream", "interstitial"],
    placements: [
      {
        kind: "seller_inline",
        placement_id: "pre",
        name: "Pre-roll",
        mode: "targetable",
        video_placement_types: ["instream"],
      },
    ],
  }),
]
const view = givenView(products, { a: ["DE"], b: ["AT", "CH"], c: ["*"] })
const filtered = (filters: object) => ask(view, { buying_mode: "wholesale", filters })

test.each<[object, string]>([
  [{}, "a b c"],
  [{ delivery_type: "non_guaranteed" }, "b"],
  [{ exclusivity: "exclusive" }, "a"],
  [{ exclusivity: "none" }, "b c"],
  [{ is_fixed_price: true }, "a b c"],
  [{ is_fixed_price: false }, "a"],
  [{ pricing_currencies: ["USD", "JPY"] }, "a"],
  [{ pricing_currencies: ["USD"], is_fixed_price: false }, ""],
  [{ budget_range: { currency: "EUR", max: 500 } }, "a c"],
  [{ budget_range: { currency: "EUR", max: 500 }, is_fixed_price: true }, "c"],
  [{ budget_range: { currency: "EUR", max: 9000 } }, "a b c"],
  [{ budget_range: { currency: "USD", min: 5 } }, "a"],
  [{ budget_range: { currency: "USD", min: 5 }, pricing_currencies: ["EUR"] }, ""],
  [{ format_ids: [{ agent_url: "https://AGENT.example", id: "video_vast" }] }, "c"],
  [{ format_ids: [{ id: "display_image" }] }, "a"],
  [{ format_ids: [{ id: "display_image", width: 1, height: 1 }] }, ""],
  [{ format_ids: [{ agent_url: "https://creative.example/x", id: "own" }, { id: "video_vast" }] }, "a c"],
  [{ format_ids: [{ id: "own" }] }, ""],
  [{ standard_formats_only: true }, "a c"],
  [{ standard_formats_only: false }, "a b c"],
  [{ min_exposures: 1000 }, "a b c"],
  [{ min_exposures: 1001 }, "b c"],
  [{ start_date: "2027-01-31", end_date: "2027-03-01" }, "a b c"],
  [{ start_date: "2027-02-01" }, "b c"],
  [{ countries: ["DE"] }, "a c"],
  [{ countries: ["FR", "CH"] }, "b c"],
  [{ regions: ["AT-9"] }, "b c"],
  [{ metros: [{ system: "eurostat_nuts2", code: "DE21" }] }, "a c"],
  [{ metros: [{ system: "nielsen_dma", code: "501" }] }, "c"],
  [{ postal_areas: [{ country: "CH", system: "plz", values: ["8001"] }] }, "b c"],
  [{ postal_areas: [{ system: "de_plz", values: ["10115"] }] }, "a c"],
  [{ channels: ["olv", "podcast"] }, "a b"],
  [{ video_placement_types: ["instream"] }, "c"],
  [{ video_placement_types: ["interstitial"] }, ""],
  [{ audio_distribution_types: ["podcast"] }, ""],
  [{ audio_distribution_types: ["podcast", "web_radio"] }, "b"],
  [{ trusted_match: {} }, ""],
  [{ signal_targeting: [{ signal_ref: { scope: "product", signal_id: "sport" } }] }, ""],
  [{ required_metrics: ["downloads"] }, "b"],
  [{ required_metrics: ["impressions"] }, "a b c"],
  [{ required_vendor_metrics: [{ vendor: { domain: "vendor.example" } }] }, "b"],
  [{ required_vendor_metrics: [{ metric_id: "reach" }] }, ""],
  [
    {
      required_performance_standards: [{ metric: "viewability", threshold: 0.6, vendor: { domain: "vendor.example" } }],
    },
    "b",
  ],
  [
    {
      required_performance_standards: [{ metric: "viewability", threshold: 0.8, vendor: { domain: "vendor.example" } }],
    },
    "",
  ],
  [{ required_features: { inline_creative_management: false } }, "a b c"],
  [{ required_features: { inline_creative_management: true } }, ""],
  [{ required_geo_targeting: [{ level: "country" }] }, ""],
  [{ required_axe_integrations: ["https://axe.example/"] }, ""],
  [
    { keywords: [{ keyword: "shoes" }], geo_proximity: [{ lat: 1, lng: 2, radius: { value: 1, unit: "km" } }] },
    "a b c",
  ],
  [{ unknown_filter: 7, ext: { x: 1 } }, "a b c"],
])("the filter %j keeps %s", (filters, expected) => {
  expect(idsIn(filtered(filters)).join(" ")).toBe(expected)
})

test("price filters take the other options out of the answer", () => {
  const options = (filters: object) =>
    filtered(filters).products[0].pricing_options.map((each: { pricing_option_id: string }) => each.pricing_option_id)
  expect(options({ is_fixed_price: true })).toEqual(["fixed", "dollar"])
  expect(options({ is_fixed_price: false })).toEqual(["floor"])
  expect(options({ pricing_currencies: ["EUR"] })).toEqual(["fixed", "floor"])
  expect(options({ pricing_currencies: ["EUR"], is_fixed_price: true })).toEqual(["fixed"])
})

test("required policies are enforced by the product, all of them", () => {
  expect(idsIn(ask(view, { buying_mode: "wholesale", required_policies: ["gambling", "alcohol"] }))).toEqual(["a"])
  const none = ask(view, { buying_mode: "wholesale", required_policies: ["gambling", "tobacco"] })
  expect(idsIn(none)).toEqual([])
  const total = view.products.length
  expect(none.filter_diagnostics).toMatchObject({
    total_candidates: total,
    excluded_by: { required_policies: { count: total } },
  })
  const some = ask(view, { buying_mode: "wholesale", required_policies: ["alcohol"], filters: {} })
  expect(some.filter_diagnostics.excluded_by).toEqual({ required_policies: { count: total - idsIn(some).length } })
  expect(ask(view, { buying_mode: "wholesale" }).filter_diagnostics).toBeUndefined()
})

test("diagnostics count what each filter alone left out, over the caller's own products", () => {
  expect(filtered({ countries: ["DE"], channels: ["display", "podcast", "ctv"] }).filter_diagnostics).toEqual({
    semantics: "only",
    total_candidates: 3,
    excluded_by: { countries: { count: 1 } },
  })
  expect(filtered({ countries: ["US"], channels: ["podcast"] }).filter_diagnostics).toEqual({
    semantics: "only",
    total_candidates: 3,
    excluded_by: { countries: { count: 1 }, channels: { count: 1 } },
  })
})

test("an empty answer is explained even where no filter did it alone", () => {
  expect(
    filtered({ delivery_type: "non_guaranteed", channels: ["print"], required_metrics: ["spend"] }).filter_diagnostics,
  ).toEqual({
    semantics: "any",
    total_candidates: 3,
    excluded_by: { delivery_type: { count: 2 }, channels: { count: 3 }, required_metrics: { count: 3 } },
  })
})

test("a filter that our products cannot answer is named as not applied", () => {
  const { excluded_by } = filtered({ keywords: [{ keyword: "shoes" }] }).filter_diagnostics
  expect(excluded_by).toEqual({ keywords: { count: 0, notes: "Not applied: the products do not say." } })
})

test("a budget sees prices by time and floor prices of a whole", () => {
  const priced = (product_id: string, option: object) =>
    givenProduct(product_id, { pricing_options: [{ pricing_option_id: "o", currency: "EUR", ...option }] })
  const view = givenView([
    priced("a-day", { pricing_model: "time", fixed_price: 7917, parameters: { time_unit: "day" } }),
    priced("three-days", {
      pricing_model: "time",
      fixed_price: 150,
      parameters: { time_unit: "day", min_duration: 3 },
    }),
    priced("an-hour", { pricing_model: "time", fixed_price: 150, parameters: { time_unit: "hour" } }),
    priced("whole", { pricing_model: "flat_rate", floor_price: 301 }),
  ])
  const filters = { budget_range: { currency: "EUR", max: 300 } }
  expect(idsIn(ask(view, { filters }))).toEqual(["an-hour"])
  const { products } = ask(view, { brief: "300 EUR" })
  expect(products.map(({ product_id, ext }: Json) => [product_id, ext.adbooth.matches])).toEqual([
    ["an-hour", { budget: true }],
    ["a-day", { budget: false }],
    ["three-days", { budget: false }],
    ["whole", { budget: false }],
  ])
  expect(products[0].brief_relevance).toBe("Minimum 150 EUR.")
})

test("places inside countries act by country, and the diagnostics say so, whether or not they leave something out", () => {
  const view = givenView([givenProduct("a"), givenProduct("b")], { a: ["DE"], b: ["AT"] })
  const notes = "Applied by country: products are shown to whole countries."
  const asked = (filters: object) => ask(view, { buying_mode: "wholesale", filters }).filter_diagnostics.excluded_by
  expect(asked({ metros: [{ system: "eurostat_nuts2", code: "DE21" }] })).toEqual({ metros: { count: 1, notes } })
  expect(asked({ regions: ["AT-9", "DE-BY"] })).toEqual({ regions: { count: 0, notes } })
  expect(asked({ postal_areas: [{ system: "fr_cp", values: ["75001"] }] })).toEqual({
    postal_areas: { count: 2, notes },
  })
  // One that may be anywhere leaves nothing out.
  const unknown = { count: 0, notes: "Not applied: the country of a place is not known." }
  const metros = [
    { system: "nielsen_dma", code: "501" },
    { system: "custom", code: "x" },
  ]
  expect(asked({ metros })).toEqual({ metros: unknown })
  expect(asked({ postal_areas: [{ system: "plz", values: ["1"] }] })).toEqual({ postal_areas: unknown })
})
