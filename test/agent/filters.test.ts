import { describe, expect, test } from "bun:test"
import { ask, givenShown, idsIn, productOf } from "../harness/agent/agent.ts"
import type { Json } from "../harness/agent/official.ts"
import { startApp } from "../harness/app.ts"

const metrics = (...available_metrics: string[]) => ({
  reporting_capabilities: { ...productOf("").reporting_capabilities, available_metrics },
})

const price = (fields: object) => ({ pricing_option_id: "x", pricing_model: "cpm", currency: "EUR", ...fields })

/** Two products: "yes" passes the filter and "no" doesn't. */
const CASES: Readonly<Record<string, readonly [yes: object, no: object, filters: object]>> = {
  "a delivery type": [{}, { delivery_type: "non_guaranteed" }, { delivery_type: "guaranteed" }],
  "no exclusivity": [{}, { exclusivity: "category" }, { exclusivity: "none" }],
  "a channel": [{ channels: ["podcast", "radio"] }, { channels: ["display"] }, { channels: ["radio", "cinema"] }],
  "a fixed price": [{}, { pricing_options: [price({ floor_price: 1 })] }, { is_fixed_price: true }],
  "a currency": [
    {},
    { pricing_options: [price({ fixed_price: 1, currency: "USD" })] },
    { pricing_currencies: ["EUR"] },
  ],
  "a budget": [
    { pricing_options: [price({ fixed_price: 9, min_spend_per_package: 500 })] },
    { pricing_options: [price({ pricing_model: "flat_rate", fixed_price: 900 })] },
    { budget_range: { currency: "EUR", max: 600 } },
  ],
  "a format": [
    { format_ids: [{ id: "display_image", width: 300, height: 250 }] },
    { format_ids: [{ id: "display_image", width: 728, height: 90 }] },
    { format_ids: [{ id: "display_image", width: 300, height: 250 }] },
  ],
  "a format without its size": [
    { format_ids: [{ id: "display_image", width: 1, height: 1 }] },
    {},
    { format_ids: [{ id: "display_image" }] },
  ],
  "standard formats of this agent": [
    {},
    { format_ids: [{ id: "display_300x250_image", agent_url: "https://creative.example/" }] },
    { standard_formats_only: true },
  ],
  "standard formats": [{}, { format_ids: [{ id: "podcast_preroll_30s_hosted" }] }, { standard_formats_only: true }],
  "a start date": [
    { expires_at: "2026-12-01T00:00:00Z" },
    { expires_at: "2026-11-30T23:59:59Z" },
    { start_date: "2026-12-01" },
  ],
  exposures: [{ forecast: forecastOf(5_000) }, { forecast: forecastOf(500) }, { min_exposures: 1_000 }],
  metrics: [
    metrics("impressions", "clicks", "spend"),
    metrics("impressions"),
    { required_metrics: ["clicks", "spend"] },
  ],
}

function forecastOf(mid: number) {
  return { method: "estimate", currency: "EUR", points: [{ metrics: { impressions: { mid } } }] }
}

test.each(Object.entries(CASES))("the filter on %s leaves out what doesn't match, and counts it", async (_, row) => {
  await using app = await startApp()
  const [yes, no, filters] = row
  const buyer = await givenShown(app, [productOf("yes", yes), productOf("no", no)])
  const payload = await ask(app, buyer, { filters })
  expect(idsIn(payload)).toEqual(["yes"])
  const [name = ""] = Object.keys(filters)
  expect(payload.filter_diagnostics).toMatchObject({ total_candidates: 2, excluded_by: { [name]: { count: 1 } } })
})

test.each([
  [{ countries: ["AT", "FR"] }, ["alps", "world"]],
  [{ countries: ["FR"] }, ["world"]],
  [{ regions: ["DE-BY"] }, ["alps", "world"]],
  [{ metros: [{ system: "eurostat_nuts2", code: "EL30" }] }, ["world"]],
  [{ metros: [{ system: "custom", code: "x" }] }, ["alps", "world"]],
  [{ postal_areas: [{ system: "de_plz", values: ["80331"] }] }, ["alps", "world"]],
])("places in %j are looked for by country", async (filters, expected) => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("alps"), productOf("world")], { alps: ["AT", "DE"] })
  expect(idsIn(await ask(app, buyer, { filters }))).toEqual(expected)
})

test.each([
  [{ required_geo_targeting: [{ level: "country" }] }],
  [{ signal_targeting: [{}] }],
  [{ trusted_match: {} }],
  [{ required_features: { inline_creative_management: true } }],
  [{ required_axe_integrations: ["https://axe.example/"] }],
  [{ video_placement_types: ["instream"] }],
  [{ required_vendor_metrics: [{ metric_id: "attention" }] }],
  [{ required_performance_standards: [{ metric: "viewability", threshold: 0.6, vendor: { domain: "v.example" } }] }],
])("what this agent doesn't offer matches nothing: %j", async (filters) => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p")])
  expect(idsIn(await ask(app, buyer, { filters }))).toEqual([])
})

test("prices that don't match are taken out of the answer", async () => {
  await using app = await startApp()
  const pricing_options = [
    price({ pricing_option_id: "a", fixed_price: 5 }),
    price({ pricing_option_id: "b", floor_price: 3, currency: "USD" }),
  ]
  const buyer = await givenShown(app, [productOf("p", { pricing_options })])
  const [product] = (await ask(app, buyer, { filters: { is_fixed_price: false } })).products
  expect(product.pricing_options.map(({ pricing_option_id }: Json) => pricing_option_id)).toEqual(["b"])
  const conflict = { is_fixed_price: true, pricing_currencies: ["USD"] }
  expect(idsIn(await ask(app, buyer, { filters: conflict }))).toEqual([])
})

describe("filters that aren't applied", () => {
  test("are named in the diagnostics: unknown ones, unanswered ones, and forecasts that are missing", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [productOf("a"), productOf("b", { forecast: forecastOf(5_000) })])
    const filters = { end_date: "2027-01-01", keywords: [{ keyword: "x" }], min_exposures: 10, sparkle: true }
    const payload = await ask(app, buyer, { filters })
    expect(idsIn(payload)).toEqual(["a", "b"])
    expect(payload.message).toContain("Unknown filters were ignored: sparkle.")
    expect(payload.filter_diagnostics.excluded_by).toEqual({
      end_date: { count: 0, notes: "Not applied: the products don't say." },
      keywords: { count: 0, notes: "Not applied: the products don't say." },
      min_exposures: { count: 0, notes: "Not applied to 1 of 2 products: they have no forecast." },
      sparkle: { count: 0, notes: "Not applied: this agent doesn't know this filter." },
    })
  })

  test("explain an empty answer even if no filter alone is the cause", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [productOf("a"), productOf("b", { channels: ["podcast"] })], {
      a: ["DE"],
      b: ["FR"],
    })
    const filters = { channels: ["cinema"], countries: ["US"] }
    const { filter_diagnostics } = await ask(app, buyer, { filters })
    expect(filter_diagnostics).toEqual({
      semantics: "any",
      total_candidates: 2,
      excluded_by: { channels: { count: 2 }, countries: { count: 2 } },
    })
  })
})

test("required policies count as a filter", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("a")])
  const { products, filter_diagnostics } = await ask(app, buyer, { required_policies: ["no_alcohol"] })
  expect([products, filter_diagnostics.excluded_by]).toEqual([[], { required_policies: { count: 1 } }])
  expect(idsIn(await ask(app, buyer, { required_policies: [] }))).toEqual(["a"])
})
