import { expect, test } from "bun:test"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { officialComplaints, officialIsHere } from "../../domain/adcp/schema/official.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, rpc } from "./buyer.ts"

// Whoever reads an answer pays for each word of it.

const metrics = ["impressions", "clicks", "completed_views"]
const terms = { currency: "EUR", min_spend_per_package: 500, eligible_adjustments: ["discount"] }

/** With a value in each field that is not required. */
const rich = givenProduct("rich", {
  description: "Long and winding.",
  publisher_properties: [{ publisher_domain: "news.example", selection_type: "by_tag", property_tags: ["ros"] }],
  channels: ["display", "olv"],
  exclusivity: "none",
  placements: [{ placement_id: "top", name: "Top", kind: "seller_inline", mode: "targetable" }],
  forecast: {
    method: "estimate",
    currency: "EUR",
    points: [{ budget: 1000, metrics: { impressions: { mid: 90_000 } } }],
  },
  delivery_measurement: { provider: "Ours", notes: "Counted by our server." },
  property_targeting_allowed: false,
  expires_at: "2027-01-01T00:00:00Z",
  enforced_policies: ["no_alcohol"],
  material_submission: { email: "spots@news.example" },
  ext: { house: { shelf: 7 } },
  reporting_capabilities: {
    available_reporting_frequencies: ["daily"],
    expected_delay_minutes: 240,
    timezone: "UTC",
    supports_webhooks: false,
    available_metrics: metrics,
    date_range_support: "date_range",
    supports_creative_breakdown: false,
    vendor_metrics: [{ vendor: { domain: "eyes.example" }, metric_id: "attention" }],
  },
  pricing_options: [
    { pricing_option_id: "fixed", pricing_model: "cpm", fixed_price: 12, ...terms },
    { pricing_option_id: "floor", pricing_model: "cpc", floor_price: 0.5, price_guidance: { p50: 0.8 }, ...terms },
  ],
})

/** The value without one of its members, once for each of them, however deep, with where it was. */
function* withoutOne(value: Json, path = ""): Generator<readonly [string, Json]> {
  if (typeof value !== "object" || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const isEntry = Array.isArray(value)
    const place = isEntry ? path : `${path}/${name}`
    const { [name]: _, ...rest } = value
    if (!isEntry) yield [place, rest]
    for (const [at, less] of withoutOne(part, place))
      yield [at, isEntry ? value.with(Number(name), less) : { ...value, [name]: less }]
  }
}

test.skipIf(!officialIsHere)(
  "who asks for id and name gets what the schema requires, the formats in both ways, what a price amounts to, and the order link",
  async () => {
    await using app = await startApp()
    const { Buyer: key } = await givenBuyers(app, [rich], { Buyer: { rich: ["DE", "AT"] } })
    const { products } = await call(app, "get_products", { fields: ["product_id", "name"] }, { key })
    const isValid = (product: Json) => officialComplaints("core/product.json", product).length === 0
    const spare = [...withoutOne(products[0])].filter(([, less]) => isValid(less)).map(([at]) => at)
    // Each kind of client reads one of both.
    expect(spare).toContain("/format_ids")
    expect(spare).toContain("/format_options")
    expect(spare.filter((at) => !at.startsWith("/format_"))).toEqual([
      "/pricing_options/fixed_price",
      "/pricing_options/min_spend_per_package",
      "/pricing_options/floor_price",
      "/pricing_options/min_spend_per_package",
      "/ext",
      "/ext/adbooth",
      "/ext/adbooth/order_url",
    ])
  },
)

test("beside what the seller wrote, fifty products have 640 bytes each: territories, addresses, options, the order link and the text", async () => {
  await using app = await startApp()
  const products = Array.from({ length: 50 }, (_, n) => givenProduct(`product_${n}`, { channels: ["podcast"] }))
  const opened = Object.fromEntries(products.map((_, n) => [`product_${n}`, ["DE", "AT"]]))
  const { Buyer: key } = await givenBuyers(app, products, { Buyer: opened })
  const { result } = await rpc(app, "tools/call", { name: "get_products", arguments: {} }, { key })
  const [sent, written] = [JSON.stringify(result).length, JSON.stringify(products).length]
  expect(sent - written).toBeLessThan(50 * 640)
})
