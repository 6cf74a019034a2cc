import { describe, expect, test } from "bun:test"
import { switchTakingOrders } from "../../../src/actions/sale/order-links.ts"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { startApp } from "../../harness.ts"
import { otherProgram } from "../../other-program.ts"
import { givenPerson } from "../web/given.ts"
import { call, givenBuyers, givenProduct, rpc } from "./buyer.ts"

describe("tools/list", () => {
  test("has exactly the three tools, read-only, each with every argument described and no output schema", async () => {
    await using app = await startApp()
    const { tools } = (await rpc(app, "tools/list")).result
    expect(tools.map((tool: Json) => tool.name)).toEqual([
      "get_adcp_capabilities",
      "get_products",
      "list_creative_formats",
    ])
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      })
      expect(tool.outputSchema).toBeUndefined()
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: true })
      expect(tool.inputSchema.required ?? []).toEqual([])
      for (const [name, field] of Object.entries<Json>(tool.inputSchema.properties)) {
        expect([name, typeof field.description]).toEqual([name, "string"])
      }
    }
  })

  test("stays under 25 KB, with every filter described", async () => {
    await using app = await startApp()
    const { result } = await rpc(app, "tools/list")
    expect(JSON.stringify(result).length).toBeLessThan(25_000)
    for (const field of Object.values<Json>(result.tools[1].inputSchema.properties.filters.properties))
      expect(field.description.length).toBeGreaterThan(10)
  })

  test("declares every argument of the protocol", async () => {
    await using app = await startApp()
    const { tools } = (await rpc(app, "tools/list")).result
    const names = (index: number) => Object.keys(tools[index].inputSchema.properties)
    const shared = ["adcp_version", "adcp_major_version", "context", "ext"]
    expect(names(0)).toEqual(expect.arrayContaining(["protocols", ...shared]))
    expect(names(1)).toEqual(
      expect.arrayContaining([
        "buying_mode",
        "brief",
        "refine",
        "brand",
        "catalog",
        "account",
        "preferred_delivery_types",
        "filters",
        "property_list",
        "fields",
        "time_budget",
        "push_notification_config",
        "pagination",
        "if_wholesale_feed_version",
        "if_pricing_version",
        "required_policies",
        ...shared,
      ]),
    )
    expect(names(2)).toEqual(
      expect.arrayContaining([
        "format_ids",
        "type",
        "asset_types",
        "max_width",
        "max_height",
        "min_width",
        "min_height",
        "is_responsive",
        "name_search",
        "publisher_domain",
        "property_id",
        "wcag_level",
        "disclosure_positions",
        "disclosure_persistence",
        "output_format_ids",
        "input_format_ids",
        "include_pricing",
        "account",
        "pagination",
        ...shared,
      ]),
    )
    expect(Object.keys(tools[1].inputSchema.properties.filters.properties)).toHaveLength(30)
  })
})

test("a fresh installation has the built-in formats and no products", async () => {
  await using app = await startApp()
  expect((await call(app, "list_creative_formats")).formats.length).toBeGreaterThanOrEqual(40)
  expect((await call(app, "get_products", { brief: "anything" })).products).toEqual([])
  expect((await call(app, "get_adcp_capabilities")).media_buy.portfolio).toBeUndefined()
})

test("an error of a tool is HTTP 200 with the context echoed", async () => {
  await using app = await startApp()
  const context = { trace: "t-1", deep: { list: [1, null, "ü"] } }
  const payload = await call(app, "get_products", { buying_mode: "refine", context })
  expect(payload.adcp_error).toMatchObject({ code: "INVALID_REQUEST", recovery: "correctable", field: "refine" })
})

test("what the operator changes is seen by the next call: products, openings, formats", async () => {
  await using app = await startApp()
  const change = () => ({ actor: "test", at: app.clock() })
  const { Buyer: key } = await givenBuyers(app, [givenProduct("p"), givenProduct("q")], { Buyer: { p: ["DE"] } })
  const seen = async () => (await call(app, "get_products", { buying_mode: "wholesale" }, { key })).products
  expect((await seen()).map((product: Json) => product.product_id)).toEqual(["p"])
  const [{ id = "" } = {}] = await app.store.agentKeys.list()
  await app.store.agentKeys.open(id, { productId: "q", territories: ["AT"] }, change())
  expect((await seen()).map((product: Json) => product.ext.adbooth.territories)).toEqual([["DE"], ["AT"]])
  await givenBuyers(app, [givenProduct("p", { name: "Renamed" })], {})
  expect((await seen())[0].name).toBe("Renamed")
  await app.store.agentKeys.close(id, "p", change())
  expect((await seen()).map((product: Json) => product.product_id)).toEqual(["q"])
})

test.each(['{"product_id":"bad"}', "{no JSON", "[]", "null"])(
  "a stored product that somebody broke by hand is left out and logged; the others are shown: %s",
  async (body) => {
    await using app = await startApp()
    const { Buyer: key } = await givenBuyers(app, [givenProduct("bad"), givenProduct("good")], {
      Buyer: { bad: ["*"], good: ["*"] },
    })
    await using program = otherProgram(app)
    await program.change(`UPDATE product SET body = '${body}' WHERE product_id = 'bad'`)
    const { products } = await call(app, "get_products", { buying_mode: "wholesale" }, { key })
    expect(products.map((product: Json) => product.product_id)).toEqual(["good"])
    expect(app.logged.join("")).toContain("stored product is not valid")
  },
)

describe("a caller who is short of something is told what to do", () => {
  const CONTACT = "Anna <anna@example.com>"

  test.each([[CONTACT], [undefined]])(
    "without a key: that products need one, and whom to ask (%s)",
    async (contact) => {
      await using app = await startApp({ chosen: contact === undefined ? {} : { agent_contact: contact } })
      const keys = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["DE"] } })
      const sentence = `Products are shown only to callers with a buyer's key: ask ${contact ?? `the operator of ${new URL(app.url).host}`} for one.`
      const { instructions } = (await rpc(app, "initialize", INITIALIZE)).result
      expect(instructions).toContain(sentence)
      expect((await call(app, "get_products", { brief: "podcasts" })).message).toEndWith(sentence)
      const capabilities = await call(app, "get_adcp_capabilities")
      expect(capabilities.message).toEndWith(sentence)
      expect(capabilities.ext?.adbooth.contact).toBe(contact)
      await givenPerson(app, { isOperator: true })
      const page = await app.fetch("/", { headers: { Accept: "text/html" } })
      expect(page.status).toBe(405)
      expect(await page.text()).toContain(sentence.replace("<", "&lt;"))
      const key = keys["Buyer"]
      for (const tool of ["get_products", "get_adcp_capabilities"] as const)
        expect((await call(app, tool, {}, { key })).message).not.toContain("buyer's key")
    },
  )

  const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } }

  test.each([
    [
      "while orders are taken",
      true,
      `To order, a person opens the product's ext.adbooth.order_url, or asks ${CONTACT}.`,
    ],
    ["while none are", false, `Orders are placed outside the protocol: ask ${CONTACT}.`],
  ])("an unknown tool: which there are, and how to order %s, as the capabilities do", async (_, isOn, orders) => {
    await using app = await startApp({ chosen: { agent_contact: CONTACT, adagents_domains: "news.example.com" } })
    await switchTakingOrders(app, isOn, "command")
    const { error } = await rpc(app, "tools/call", { name: "create_media_buy", arguments: {} })
    expect(error).toEqual({
      code: -32602,
      message: `there is no tool "create_media_buy"; there are get_adcp_capabilities, get_products, list_creative_formats. ${orders}`,
    })
    expect((await call(app, "get_adcp_capabilities")).media_buy.portfolio.description).toContain(orders)
  })

  test("a property list and a catalogue that are not applied are said to be so", async () => {
    await using app = await startApp()
    const property_list = { agent_url: "https://lists.example", list_id: "l" }
    const answer = await call(app, "get_products", {
      brief: "x",
      property_list,
      brand: { domain: "a.example" },
      catalog: { type: "product" },
    })
    expect([answer.property_list_applied, answer.catalog_applied]).toEqual([false, false])
    expect(await call(app, "get_products", { brief: "x" })).not.toHaveProperty("property_list_applied")
  })
})

test("last_updated moves when what the caller sees changes, and not with what others see", async () => {
  await using app = await startApp()
  const keys = await givenBuyers(app, [givenProduct("p"), givenProduct("q")], { Buyer: { p: ["DE"] }, Other: {} })
  const [buyer, other] = [keys["Buyer"], keys["Other"]]
  const dateFor = async (key: string | undefined) =>
    (await call(app, "get_adcp_capabilities", {}, { key })).last_updated
  const before = [await dateFor(buyer), await dateFor(other), await dateFor(undefined)]
  expect(before).toEqual(Array(3).fill("2026-11-15T12:00:00Z"))
  app.clock.advance({ minutes: 1 })
  await givenBuyers(app, [], { Buyer: { p: ["AT"] } })
  expect([await dateFor(buyer), await dateFor(other), await dateFor(undefined)]).toEqual([
    "2026-11-15T12:01:00Z",
    ...before.slice(1),
  ])
})
