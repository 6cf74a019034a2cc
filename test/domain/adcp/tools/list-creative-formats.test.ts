import { expect, test } from "bun:test"
import { catalogueFormats } from "../../../../src/domain/adcp/catalogue/built-in/index.ts"
import { formatsFor, prepareFormats } from "../../../../src/domain/adcp/format-view.ts"
import { listCreativeFormats } from "../../../../src/domain/adcp/tools/list-creative-formats.ts"
import { ask, givenProduct, givenView, own } from "../given.ts"
import { type Json, payloadOf } from "../schema/answers.ts"
import { agentUrl } from "../schema/documents.ts"

const operators = new Map<string, unknown>([
  ["video_vast", null],
  [
    "rich",
    {
      format_id: { id: "rich" },
      name: "Rich panel",
      accessibility: { wcag_level: "AA" },
      disclosure_capabilities: [{ position: "footer", persistence: ["continuous", "initial"] }],
      renders: [
        {
          role: "primary",
          dimensions: { min_width: 200, max_width: 400, height: 100, responsive: { width: true, height: false } },
        },
      ],
      output_format_ids: [{ id: "display_image" }],
      pricing_options: [{ pricing_option_id: "p", model: "cpm", cpm: 1, currency: "EUR" }],
    },
  ],
  ["plain", { format_id: { id: "plain" }, name: "Plain", supported_disclosure_positions: ["footer", "overlay"] }],
])
const view = prepareFormats(catalogueFormats(operators), agentUrl)
const list = (args: Record<string, unknown>): Json =>
  payloadOf("list_creative_formats", listCreativeFormats(view, args))
const ids = (args: Record<string, unknown>): string[] => list(args).formats.map((format: Json) => format.format_id.id)

test("without arguments the whole catalogue comes: built-in formats, the operator's added, hidden ones left out", () => {
  const all = ids({})
  expect(all).toHaveLength(own.size + 1)
  expect(all).toContain("rich")
  expect(all).not.toContain("video_vast")
  expect(list({}).pagination).toEqual({ has_more: false, total_count: own.size + 1 })
})

test.each<[Record<string, unknown>, string]>([
  [{ name_search: "RICH" }, "rich"],
  [{ asset_types: ["daast", "webhook"], name_search: "audio" }, "audio_daast"],
  [{ asset_types: ["markdown"] }, "native_sponsored_article"],
  [{ asset_types: ["published_post"] }, ""],
  [{ min_width: 960, max_height: 90, asset_types: ["image"] }, "display_970x90_image display_image"],
  [{ min_width: 390, max_width: 399, max_height: 100 }, "display_image display_tag rich"],
  [{ is_responsive: true }, "rich"],
  [{ wcag_level: "A" }, "rich"],
  [{ wcag_level: "AA" }, "rich"],
  [{ wcag_level: "AAA" }, ""],
  [{ disclosure_positions: ["footer"] }, "rich plain"],
  [{ disclosure_positions: ["footer", "overlay"] }, "plain"],
  [{ disclosure_persistence: ["initial"] }, "rich"],
  [{ disclosure_persistence: ["flexible"] }, ""],
  [{ output_format_ids: [{ id: "display_image", width: 1, height: 1 }] }, "rich"],
  [{ input_format_ids: [{ id: "display_image" }] }, ""],
  [{ type: "dooh", asset_types: ["video"] }, "dooh_landscape_1920x1080_video dooh_portrait_1080x1920_video"],
  [{ type: "audio", name_search: "tag" }, "audio_daast"],
  [{ format_ids: [{ id: "rich" }, { id: "nope" }, { id: "rich" }] }, "rich"],
  [{ format_ids: [{ id: "rich" }], type: "video" }, ""],
])("the filters %j keep %s", (args, expected) => {
  expect(ids(args).join(" ")).toBe(expected)
})

test("what a product references is resolved exactly, in any spelling of our address", () => {
  const refs = [{ id: "display_image", width: 468, height: 60 }, { id: "audio_daast" }]
  const [product] = ask(givenView([givenProduct("p", { format_ids: refs })]), {}).products
  for (const format_id of product.format_ids) {
    expect(list({ format_ids: [format_id] }).formats[0].format_id).toEqual(format_id)
    expect(
      list({ format_ids: [{ ...format_id, agent_url: "https://AGENT.example:443" }] }).formats[0].format_id,
    ).toEqual(format_id)
  }
})

test("a format whose own format_id carries a size is found by that size", () => {
  const format_id = { id: "skyscraper", width: 160, height: 600 }
  const sized = prepareFormats(catalogueFormats(new Map([["skyscraper", { format_id, name: "Skyscraper" }]])), agentUrl)
  const asked = payloadOf("list_creative_formats", listCreativeFormats(sized, { format_ids: [format_id] }))
  expect(asked.formats.map((format: Json) => format.format_id)).toEqual([{ agent_url: agentUrl, ...format_id }])
})

test.each([
  ["an unknown id", { id: "nope" }],
  ["another agent's format", { agent_url: "https://other.example/", id: "rich" }],
  ["a size that the format does not take", { id: "rich", width: 1, height: 1 }],
])("%s is a REFERENCE_NOT_FOUND", (_, ref) => {
  expect(list({ format_ids: [ref] })).toMatchObject({
    formats: [],
    adcp_error: { code: "REFERENCE_NOT_FOUND", field: "format_ids", recovery: "correctable" },
  })
})

test("pages show every format once", () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const payload = list({ pagination: { max_results: 7, ...(cursor ? { cursor } : {}) } })
    seen.push(...payload.formats.map((format: Json) => format.format_id.id))
    cursor = payload.pagination.cursor
  } while (cursor)
  expect(seen).toEqual(ids({}))
})

test("formats have no prices, and asking for them needs an account", () => {
  const account = { brand: { domain: "a.example" }, operator: "a.example" }
  expect(list({ include_pricing: true }).adcp_error).toMatchObject({ code: "INVALID_REQUEST", field: "account" })
  for (const asked of [{}, { include_pricing: true, account }])
    expect(list({ ...asked, name_search: "rich" }).formats[0].pricing_options).toBeUndefined()
})

test("a publisher's formats are said to be derived from this agent", () => {
  expect(list({ publisher_domain: "news.example", property_id: "home" })).toMatchObject({ source: "agent_derived" })
  expect(list({}).source).toBeUndefined()
})

const at = (product_id: string, publisher: object, ids: object[]) =>
  givenProduct(product_id, {
    publisher_properties: [{ selection_type: "all", ...publisher }],
    format_ids: ids,
  })
const seen = [
  at("a", { publisher_domain: "news.example" }, [{ id: "display_300x250_image" }]),
  at("b", { publisher_domain: "audio.example", selection_type: "by_id", property_ids: ["morning"] }, [
    { id: "audio_daast" },
    { agent_url: "https://studio.example", id: "jingle" },
  ]),
]
const ofCaller = (args: Record<string, unknown>): Json => {
  const surface = { products: givenView(seen).products, publishedDomains: ["published.example"] }
  return payloadOf("list_creative_formats", listCreativeFormats(formatsFor(view, surface), args))
}
const shown = (args: Record<string, unknown>) => ofCaller(args).formats.map((format: Json) => format.format_id.id)

test.each<[Record<string, unknown>, string[]]>([
  [{ publisher_domain: "news.example" }, ["display_300x250_image"]],
  [{ publisher_domain: "news.example", property_id: "any" }, ["display_300x250_image"]],
  [{ publisher_domain: "audio.example" }, ["audio_daast"]],
  [{ publisher_domain: "audio.example", property_id: "morning" }, ["audio_daast"]],
  [{ publisher_domain: "audio.example", property_id: "evening" }, []],
  [{ publisher_domain: "audio.example", type: "video" }, []],
  [{ publisher_domain: "other.example" }, []],
  [{ publisher_domain: "published.example", name_search: "rich" }, ["rich"]],
])("%j keeps what the caller's products there take: %j", (args, expected) => {
  expect(shown(args)).toEqual(expected)
  expect(ofCaller(args).source).toBe("agent_derived")
})

test("a publisher that this agent does not sell for gets no formats, in words too", () => {
  const payload = ofCaller({ publisher_domain: "other.example" })
  expect(payload.message).toContain("Nothing that you may see is sold for other.example.")
  expect(list({ publisher_domain: "news.example" }).formats).toEqual([])
})

test("formats of another agent are found through creative_agents", () => {
  expect(ofCaller({}).creative_agents).toEqual([{ agent_url: "https://studio.example" }])
  const asked = ofCaller({ format_ids: [{ agent_url: "https://studio.example/", id: "jingle" }] })
  expect(asked).toMatchObject({ formats: [], creative_agents: [{ agent_url: "https://studio.example" }] })
  expect(asked.message).toContain("https://studio.example")
  expect(list({}).creative_agents).toBeUndefined()
  const unknown = { format_ids: [{ agent_url: "https://studio.example/", id: "jingle" }] }
  expect(list(unknown).adcp_error.code).toBe("REFERENCE_NOT_FOUND")
})

test("at a publisher, only the agents of its products are named, and a product with none of our formats is still sold there", () => {
  const products = [
    givenProduct("spot", {
      publisher_properties: [{ publisher_domain: "spot.example", selection_type: "all" }],
      format_ids: [{ agent_url: "https://studio.example", id: "jingle" }],
    }),
    givenProduct("banner", { publisher_properties: [{ publisher_domain: "banner.example", selection_type: "all" }] }),
  ]
  const view = formatsFor(prepareFormats(own, agentUrl), {
    products: givenView(products).products,
    publishedDomains: [],
  })
  const at = (publisher_domain: string) =>
    payloadOf("list_creative_formats", listCreativeFormats(view, { publisher_domain }))
  expect(at("spot.example")).toMatchObject({
    message: "0 formats. Ask https://studio.example for the formats of that agent.",
    creative_agents: [{ agent_url: "https://studio.example" }],
  })
  expect(at("banner.example")).toMatchObject({ message: "1 format." })
  expect(at("banner.example").creative_agents).toBeUndefined()
  expect(at("other.example").message).toBe("0 formats. Nothing that you may see is sold for other.example.")
})
