import { expect, test } from "bun:test"
import { catalogueFormats } from "../../../../src/domain/adcp/catalogue/built-in/index.ts"
import { checkProduct } from "../../../../src/domain/adcp/catalogue/check.ts"
import { emitProduct } from "../../../../src/domain/adcp/catalogue/emit.ts"
import { givenProduct, own } from "../given.ts"
import type { Json } from "../schema/answers.ts"
import { agentUrl } from "../schema/documents.ts"
import { officialComplaints, officialIsHere } from "../schema/official.ts"

function emitted(fields: object): Json {
  const product = givenProduct("p", fields as Record<string, unknown>)
  // As it is stored, perhaps by an earlier version.
  expect(checkProduct(product, own, product)).toEqual([])
  const shown = JSON.parse(JSON.stringify(emitProduct(product, ["DE"], own, agentUrl)))
  if (officialIsHere) expect(officialComplaints("core/product.json", shown)).toEqual([])
  return shown
}

const ours = (id: string, more: object = {}) => ({ agent_url: agentUrl, id, ...more })
test("formats are named by reference, and once more as options in the same order", () => {
  const sized = { id: "display_image", width: 468, height: 60 }
  const product = emitted({ format_ids: [{ id: "display_300x250_image" }, sized, { id: "video_30s_hosted" }] })
  expect(product.format_ids).toEqual([
    ours("display_300x250_image"),
    ours("display_image", sized),
    ours("video_30s_hosted"),
  ])
  expect(product.format_options.map((option: Json) => option.v1_format_ref)).toEqual(
    product.format_ids.map((ref: Json) => [ref]),
  )
})

test("options that an earlier version stored are shown, and name the formats that they link to", () => {
  const format_options = [{ format_kind: "image", params: {}, v1_format_ref: [{ id: "display_300x250_image" }] }]
  const product = emitted({ format_ids: undefined, format_options })
  expect(product.format_ids).toEqual([ours("display_300x250_image")])
  expect(product.format_options).toHaveLength(1)
})

test("a format of another agent is left as it is", () => {
  const elsewhere = { agent_url: "https://creative.example/mcp", id: "x" }
  const product = emitted({ format_ids: [elsewhere, { id: "video_vast" }] })
  expect(product.format_ids).toEqual([elsewhere, ours("video_vast")])
})

test("our own address has one spelling, however a product spells it", () => {
  const product = emitted({
    format_ids: [{ agent_url: "https://AGENT.example:443", id: "video_vast" }, { id: "video_vast" }],
  })
  expect(product.format_ids).toEqual([ours("video_vast")])
})

test("formats of placements get our address too", () => {
  const placements = [
    { kind: "seller_inline", placement_id: "top", name: "Top", mode: "included", format_ids: [{ id: "video_vast" }] },
  ]
  expect(emitted({ placements }).placements[0].format_ids).toEqual([ours("video_vast")])
})

test("a stored format of another agent is not our own, so a reference to it must name that agent", () => {
  const formats = catalogueFormats(
    new Map([["x", { format_id: { agent_url: "https://creative.example/", id: "x" }, name: "X" }]]),
  )
  expect(checkProduct(givenProduct("p", { format_ids: [{ id: "x" }] }), formats)).toEqual([
    {
      pointer: "/format_ids/0",
      message: 'format_ids[0]: "x" is a format of https://creative.example/; add that agent_url',
      keyword: "rule",
    },
  ])
})

test("everything else of a product is passed through untouched", () => {
  const rest = {
    product_card: { title: "Card", anything: [1] },
    cancellation_policy: { notice_period: { interval: 2, unit: "days" }, cancellation_fee: { type: "none" } },
    custom_field: { of: ["the", "operator"] },
    ext: { other: { kept: true }, adbooth: { note: "kept" } },
  }
  const product = emitted(rest)
  expect(product).toMatchObject({
    product_card: rest.product_card,
    cancellation_policy: rest.cancellation_policy,
    custom_field: rest.custom_field,
  })
  expect(product.ext).toEqual({ other: { kept: true }, adbooth: { note: "kept", territories: ["DE"] } })
})
