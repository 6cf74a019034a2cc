import { expect, test } from "bun:test"
import {
  addFormat,
  ask,
  call,
  editProduct,
  givenShown,
  hideFormatOf,
  productOf,
  restoreFormat,
  textOf,
} from "../harness/agent/agent.ts"
import type { Json } from "../harness/agent/official.ts"
import { startApp } from "../harness/app.ts"

const formatIds = ({ formats }: Json): string[] => formats.map(({ format_id }: Json) => format_id.id)

test.each([
  [{ type: "audio" }, "audio_15s_hosted", "display_tag"],
  [{ type: "dooh" }, "dooh_landscape_1920x1080_image", "video_vast"],
  [{ asset_types: ["vast", "daast"] }, "video_vast", "video_15s_hosted"],
  [{ asset_types: ["text"] }, "native_carousel", "display_300x250_image"],
  [{ max_width: 320, min_height: 250 }, "display_300x250_image", "display_728x90_image"],
  [{ min_width: 1_000, max_height: 1_100 }, "dooh_landscape_1920x1080_image", "ooh_city_light_poster"],
  [{ name_search: "LEADERBOARD" }, "display_728x90_image", "display_300x250_image"],
  [{ format_ids: [{ id: "display_image" }] }, "display_image", "display_tag"],
])("list_creative_formats with %j has %s and not %s", async (args, included, excluded) => {
  await using app = await startApp()
  const ids = formatIds(await call(app, "list_creative_formats", args))
  expect(ids).toContain(included)
  expect(ids).not.toContain(excluded)
})

test.each([
  [{ is_responsive: true }],
  [{ wcag_level: "A" }],
  [{ disclosure_positions: ["footer"] }],
  [{ output_format_ids: [{ id: "video_vast" }] }],
])("no built-in format has %j", async (args) => {
  await using app = await startApp()
  expect((await call(app, "list_creative_formats", args)).formats).toEqual([])
})

test("every format of a product is found exactly as the product names it", async () => {
  await using app = await startApp()
  const format_ids = [
    { id: "display_image", width: 468, height: 60 },
    { id: "video_vast" },
    { id: "elsewhere", agent_url: "https://creative.example.com/" },
  ]
  const buyer = await givenShown(app, [productOf("p", { format_ids })])
  const [product] = (await ask(app, buyer)).products
  const found = await call(app, "list_creative_formats", { format_ids: product.format_ids }, buyer)
  expect(found.formats.map(({ format_id }: Json) => format_id)).toEqual(product.format_ids.slice(0, 2))
  expect(found.creative_agents).toEqual([{ agent_url: "https://creative.example.com/" }])
  expect(found.message).toContain("Ask https://creative.example.com/ for the formats of that agent.")
  const strangers = await call(app, "list_creative_formats", { format_ids: [{ id: "nope" }] })
  expect(strangers.adcp_error).toMatchObject({ code: "REFERENCE_NOT_FOUND", field: "format_ids" })
  expect(strangers.formats).toEqual([])
})

test("a foreign format has the kind that the product says, or is custom", async () => {
  await using app = await startApp()
  const agent_url = "https://creative.example.com/"
  const format_ids = [
    { id: "a", agent_url, format_kind: "video_hosted", duration_ms: 15_000 },
    { id: "b", agent_url },
  ]
  const buyer = await givenShown(app, [productOf("p", { format_ids })])
  const [product] = (await ask(app, buyer)).products
  expect(product.format_ids).toEqual([
    { agent_url, id: "a", duration_ms: 15_000 },
    { agent_url, id: "b" },
  ])
  expect(product.format_options).toMatchObject([
    { format_kind: "video_hosted", format_option_id: "a_15000ms", params: { duration_ms_exact: 15_000 } },
    { format_kind: "custom", format_option_id: "b", format_shape: "of_another_agent" },
  ])
})

test("a product copied from an answer still takes this server's formats, and keeps them from being hidden", async () => {
  await using app = await startApp()
  const format_ids = [{ id: "video_vast", agent_url: `${app.url}/` }]
  const buyer = await givenShown(app, [productOf("p", { format_ids })])
  const [{ format_options }] = (await ask(app, buyer)).products
  expect(format_options).toMatchObject([{ format_kind: "video_vast", params: { vast_version: "4.2" } }])
  expect(await hideFormatOf(app, "video_vast")).toMatchObject({ problems: [{}] })
})

test("a format of this server that doesn't exist is refused, with its address as well", async () => {
  await using app = await startApp()
  await givenShown(app, [productOf("p")])
  const saved = await editProduct(app, productOf("p", { format_ids: [{ id: "no_such", agent_url: app.url }] }))
  expect(saved).toMatchObject({ problems: [{ pointer: "/format_ids/0" }] })
})

test("an agent whose address is spelled in two ways is named once", async () => {
  await using app = await startApp()
  const format_ids = ["https://Creative.example.com", "https://creative.example.com/"].map((agent_url, i) => ({
    id: `odd${i}`,
    agent_url,
  }))
  const buyer = await givenShown(app, [productOf("p", { format_ids })])
  const { creative_agents } = await call(app, "list_creative_formats", {}, buyer)
  expect(creative_agents).toEqual([{ agent_url: "https://creative.example.com/" }])
})

test.each([
  ["display_300x250_image", "image", { width: 300, height: 250 }],
  ["display_300x600_html5", "html5", { width: 300, height: 600 }],
  ["video_15s_hosted", "video_hosted", { aspect_ratio: "16:9", duration_ms_exact: 15_000 }],
  ["video_vertical_hosted", "video_hosted", { aspect_ratio: "9:16", duration_ms_range: [null, 60_000] }],
  ["video_vast", "video_vast", { vast_version: "4.2" }],
  ["audio_30s_hosted", "audio_hosted", { duration_ms_exact: 30_000 }],
  ["audio_daast", "audio_daast", { daast_version: "1.0" }],
  ["native_in_feed", "native_in_feed", { title_max_chars: 70, body_text_max_chars: 150 }],
  ["native_carousel", "image_carousel", { min_cards: 2, max_cards: 10 }],
  ["ooh_city_light_poster", "image", {}],
])("the format option of %s is %s with its parameters", async (id, format_kind, params) => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p", { format_ids: [{ id }] })])
  const [product] = (await ask(app, buyer)).products
  const { agent_url } = product.format_ids[0]
  expect(product.format_options).toEqual([
    {
      format_kind,
      format_option_id: id,
      display_name: expect.any(String),
      params,
      v1_format_ref: [{ agent_url, id }],
    },
  ])
})

test("only formats that products at a publisher take are listed for it", async () => {
  await using app = await startApp()
  const publisher_properties = [{ publisher_domain: "shop.example", selection_type: "by_id", property_ids: ["front"] }]
  const buyer = await givenShown(app, [
    productOf("a"),
    productOf("b", { publisher_properties, format_ids: [{ id: "video_vast" }] }),
  ])
  const at = async (args: object, sending = {}) => formatIds(await call(app, "list_creative_formats", args, sending))
  expect(await at({ publisher_domain: "shop.example" }, buyer)).toEqual(["video_vast"])
  expect(await at({ publisher_domain: "shop.example", property_id: "front" }, buyer)).toEqual(["video_vast"])
  expect(await at({ publisher_domain: "shop.example", property_id: "back" }, buyer)).toEqual([])
  expect(await at({ publisher_domain: "shop.example" })).toEqual([])
  const { message, source } = await call(app, "list_creative_formats", { publisher_domain: "other.example" }, buyer)
  expect([message, source]).toEqual(["0 formats. Nothing that you may see is sold for other.example.", "agent_derived"])
})

test("the operator's formats extend, replace and hide the built-in ones", async () => {
  await using app = await startApp()
  const names = async () => {
    const { formats } = await call(app, "list_creative_formats")
    return new Map<string, string>(formats.map(({ format_id, name }: Json) => [format_id.id, name]))
  }
  const own = { name: "Own", canonical: { kind: "image" } }
  expect(await addFormat(app, { ...own, format_id: { id: "own" } })).toEqual({ saved: true })
  expect(await addFormat(app, { ...own, format_id: { id: "video_vast" } })).toEqual({ saved: true })
  expect(await hideFormatOf(app, "audio_daast")).toEqual({ saved: true })
  const after = await names()
  expect([after.get("own"), after.get("video_vast"), after.has("audio_daast")]).toEqual(["Own", "Own", false])
  expect(await restoreFormat(app, "audio_daast")).toEqual({ saved: true })
  expect((await names()).has("audio_daast")).toBe(true)
  await givenShown(app, [productOf("p", { format_ids: [{ id: "own" }] })])
  expect(await restoreFormat(app, "own")).toMatchObject({
    problems: [{ message: 'is in use: the product "p" refers to the format "own"' }],
  })
})

test("a page of formats continues where it ended, and prices need an account", async () => {
  await using app = await startApp()
  const all = formatIds(await call(app, "list_creative_formats"))
  const first = await call(app, "list_creative_formats", { pagination: { max_results: 30 } })
  const { cursor } = first.pagination
  const second = await call(app, "list_creative_formats", { pagination: { max_results: 30, cursor } })
  expect([...formatIds(first), ...formatIds(second)]).toEqual(all)
  const { adcp_error } = await call(app, "list_creative_formats", { include_pricing: true })
  expect(adcp_error).toMatchObject({ code: "INVALID_REQUEST", field: "account" })
})

test("the text has the ID and sizes of each format", async () => {
  await using app = await startApp()
  const text = await textOf(app, "list_creative_formats")
  expect(text).toMatch(/^display_300x250_image: .+; 300x250 px$/m)
  expect(text).toMatch(/^display_image: .+; any size$/m)
  expect(text).toMatch(/^video_15s_hosted: .+; width from 640, height from 360 px$/m)
  expect(text).toMatch(/^ooh_city_light_poster: .+; 1185x1750 mm$/m)
})
