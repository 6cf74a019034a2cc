import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct } from "./buyer.ts"

// The newest official clients show no product that has only format_ids: format_options say the same formats, in the same order, and name the
// reference that each stands for. Every answer is checked with the official schemas (`call`).

const listed = async (app: TestApp): Promise<Json[]> => (await call(app, "list_creative_formats")).formats

/** What a key sees of a product with these formats. */
async function seen(app: TestApp, format_ids: object[], args: Record<string, unknown> = {}): Promise<Json> {
  const keys = await givenBuyers(app, [givenProduct("p", { format_ids })], { [crypto.randomUUID()]: { p: ["DE"] } })
  const [key] = Object.values(keys)
  return (await call(app, "get_products", args, { key })).products[0]
}

const refsOf = ({ format_options }: Json): Json[] => format_options.map((option: Json) => option.v1_format_ref)

test("every built-in format is an option of its kind, with what it asks for, in the order of the references", async () => {
  await using app = await startApp()
  const formats = (await listed(app)).toReversed()
  const template = (format: Json) => format.accepts_parameters?.includes("dimensions")
  const size = { width: 468, height: 60 }
  const refs = formats.map((format) => ({ id: format.format_id.id, ...(template(format) && size) }))
  const product = await seen(app, refs)
  expect(product.format_ids).toHaveLength(refs.length)
  expect(refsOf(product)).toEqual(product.format_ids.map((ref: Json) => [ref]))
  const ids = product.format_options.map(({ format_option_id }: Json) => format_option_id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [i, option] of product.format_options.entries()) {
    expect([option.format_kind, option.display_name]).toEqual([formats[i]?.canonical.kind, formats[i]?.name])
    expect([option.format_option_id, Object.keys(option.params).length > 0]).toEqual([option.format_option_id, true])
  }
  const options = new Map<string, Json>(
    product.format_options.map((option: Json) => [option.format_option_id, option.params]),
  )
  expect(options.get("display_300x250_image")).toMatchObject({ width: 300, height: 250, max_file_size_kb: 200 })
  expect(options.get("display_image_468x60")).toMatchObject(size)
  expect(options.get("video_30s_hosted")).toMatchObject({ duration_ms_exact: 30_000, aspect_ratio: "16:9" })
  expect(options.get("video_vertical_hosted")).toMatchObject({ duration_ms_range: [null, 60_000] })
  expect(options.get("video_vast")).toMatchObject({ vast_version: "4.2" })
  expect(options.get("podcast_host_read_preroll")).toMatchObject({
    asset_source: "publisher_host_recorded",
    slots: [{ asset_group_id: "script", asset_type: "text", required: true }],
  })
  expect(options.get("native_carousel")).toMatchObject({ min_cards: 2, max_cards: 10, card_aspect_ratio: "1:1" })
})

describe("a product's options", () => {
  test("are of every format once, whatever its parameters and however our address is spelled", async () => {
    await using app = await startApp()
    const [{ format_id }] = (await listed(app)) as [Json]
    const sizes = [
      { id: "display_image", width: 300, height: 250 },
      { id: "display_image", width: 728, height: 90 },
    ]
    const product = await seen(app, [...sizes, { ...format_id, agent_url: app.url }, format_id])
    expect(product.format_ids).toHaveLength(3)
    expect(refsOf(product)).toEqual(product.format_ids.map((ref: Json) => [ref]))
  })

  test("come whatever fields are asked for, because without them such clients show nothing", async () => {
    await using app = await startApp()
    for (const fields of [["name"], ["product_id", "format_ids"], ["format_options"]]) {
      const product = await seen(app, [{ id: "video_vast" }], { fields })
      expect(refsOf(product)).toEqual(product.format_ids.map((ref: Json) => [ref]))
    }
  })

  test.each([
    ["of the kind that it names", { canonical: { kind: "responsive_creative" } }, "responsive_creative"],
    [
      "of the kind that its assets show",
      { assets: [{ item_type: "individual", asset_id: "spot", asset_type: "audio", required: true }] },
      "audio_hosted",
    ],
  ])("an own format is %s", async (_, more, kind) => {
    await using app = await startApp()
    const format = { format_id: { id: "mine" }, name: "Mine", ...more }
    expect(await importCatalogue(app, { formats: [format] }, "test")).toMatchObject({ ok: true })
    const product = await seen(app, [{ id: "mine" }, { id: "video_vast" }])
    expect(product.format_options).toMatchObject([
      { format_kind: kind, display_name: "Mine" },
      { format_kind: "video_vast" },
    ])
  })

  test("of another agent's format are of the kind that its name says; of one that says none there are no options at all", async () => {
    await using app = await startApp()
    const theirs = (id: string) => ({ agent_url: "https://creative.example/mcp", id })
    const product = await seen(app, [theirs("display_300x250_image"), { id: "video_vast" }])
    expect(product.format_options).toMatchObject([{ format_kind: "image" }, { format_kind: "video_vast" }])
    expect((await seen(app, [theirs("x"), { id: "video_vast" }])).format_options).toBeUndefined()
  })
})
