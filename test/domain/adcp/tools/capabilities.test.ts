import { expect, test } from "bun:test"
import type { Product } from "../../../../src/domain/adcp/schema/product/product.ts"
import { getCapabilities, prepareCapabilities } from "../../../../src/domain/adcp/tools/capabilities.ts"
import { givenProduct, givenView } from "../given.ts"
import { type Json, payloadOf } from "../schema/answers.ts"

const show = (products: Product[], args: Record<string, unknown> = {}, publishedDomains: string[] = []): Json =>
  payloadOf(
    "get_adcp_capabilities",
    getCapabilities(prepareCapabilities({ products: givenView(products).products, publishedDomains }), args),
  )

test("countries and channels are complete lists of what the caller may see, or left out", () => {
  const products = givenView([givenProduct("p")]).products
  const countriesOf = (...territories: string[][]) => {
    const seen = territories.flatMap((codes) => products.map((one) => ({ ...one, territories: codes })))
    const answer = getCapabilities(prepareCapabilities({ products: seen, publishedDomains: [] }), {})
    return payloadOf("get_adcp_capabilities", answer).media_buy.portfolio.primary_countries
  }
  expect(countriesOf(["DE", "AT"], ["FR", "DE"])).toEqual(["AT", "DE", "FR"])
  expect(countriesOf(["*"])).toBeUndefined()
  expect(countriesOf(["DE"], ["*"])).toBeUndefined()
  const { channels: _, ...anywhere } = givenProduct("b")
  expect(show([givenProduct("a"), anywhere as Product]).media_buy.portfolio.primary_channels).toBeUndefined()
})

test("the capabilities of an empty installation say what works, and nothing that does not", () => {
  expect(show([])).toEqual({
    adcp_version: "3.1",
    status: "completed",
    message: expect.any(String),
    adcp: { major_versions: [3], supported_versions: ["3.1"], idempotency: { supported: false } },
    supported_protocols: ["media_buy", "creative"],
    account: {
      supported_billing: ["operator"],
      default_billing: "operator",
      require_operator_auth: false,
      required_for_products: false,
      account_financials: false,
      sandbox: false,
    },
    media_buy: {
      buying_modes: ["brief", "wholesale", "refine"],
      supports_proposals: false,
      governance_aware: false,
      features: expect.not.objectContaining({ inline_creative_management: true }),
    },
    creative: expect.objectContaining({ supports_evaluator: false, has_creative_library: false }),
    specialisms: [],
    extensions_supported: ["adbooth"],
    wholesale_feed_versioning: { supported: true, pricing_version_separate: false },
  })
})

test("pricing models, publishers and channels come from the products that the caller sees", () => {
  const flat = { pricing_option_id: "f", pricing_model: "flat_rate", currency: "EUR", fixed_price: 1 }
  const products = [
    givenProduct("a", { channels: ["podcast"], pricing_options: [flat] }),
    givenProduct("b", {
      channels: ["display"],
      publisher_properties: [{ publisher_domain: "audio.example", selection_type: "all" }],
    }),
  ]
  expect(show(products).media_buy).toMatchObject({
    supported_pricing_models: ["cpm", "flat_rate"],
    portfolio: { publisher_domains: ["audio.example", "news.example"], primary_channels: ["display", "podcast"] },
  })
})

test.each([
  [["media_buy"], true, false],
  [["creative"], false, true],
  [["signals"], false, false],
])("only the sections of %j are shown", (protocols, mediaBuy, creative) => {
  const payload = show([], { protocols })
  expect(["media_buy" in payload, "creative" in payload, "account" in payload]).toEqual([mediaBuy, creative, true])
})

test("a wrong argument is refused, with what every answer must carry", () => {
  expect(show([], { protocols: [] })).toMatchObject({
    adcp_error: { code: "INVALID_REQUEST", field: "protocols" },
    supported_protocols: ["media_buy", "creative"],
  })
})

test("the domains that the operator publishes are named to everybody", () => {
  expect(show([], {}, ["news.example"]).media_buy.portfolio).toMatchObject({ publisher_domains: ["news.example"] })
  expect(show([givenProduct("a")], {}, ["news.example", "a.example"]).media_buy.portfolio.publisher_domains).toEqual([
    "a.example",
    "news.example",
  ])
})
