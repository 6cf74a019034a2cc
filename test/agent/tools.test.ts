import { describe, expect, test } from "bun:test"
import {
  ask,
  breakProduct,
  call,
  chooseSettings,
  editProduct,
  givenProduct,
  givenShown,
  idsIn,
  productOf,
  removeProduct,
  rpc,
  show,
} from "../harness/agent/agent.ts"
import { type Json, TOOLS } from "../harness/agent/official.ts"
import { startApp } from "../harness/app.ts"

const WHOLESALE = { buying_mode: "wholesale" }

describe("tools/list", () => {
  test("has exactly the three tools, read-only, with every argument described and no output schema", async () => {
    await using app = await startApp()
    const { tools } = (await rpc(app, "tools/list")).result
    expect(tools.map(({ name }: Json) => name)).toEqual(TOOLS)
    for (const tool of tools) {
      const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
      expect(tool.annotations).toMatchObject(hints)
      expect(tool.outputSchema).toBeUndefined()
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: true })
      expect(tool.inputSchema.required ?? []).toEqual([])
      for (const [name, field] of Object.entries<Json>(tool.inputSchema.properties))
        expect([name, typeof field.description]).toEqual([name, "string"])
    }
  })

  test("stays under 25 KB, also with the fourth tool, and describes every filter", async () => {
    await using app = await startApp({ options: { agentDelivery: true } })
    const { result } = await rpc(app, "tools/list")
    expect(result.tools).toHaveLength(4)
    expect(JSON.stringify(result).length).toBeLessThan(25_000)
    const filters = Object.values<Json>(result.tools[1].inputSchema.properties.filters.properties)
    expect(filters).toHaveLength(30)
    for (const { description } of filters) expect(description.length).toBeGreaterThan(10)
  })

  test("declares every argument of AdCP", async () => {
    await using app = await startApp()
    const { tools } = (await rpc(app, "tools/list")).result
    const shared = "adcp_version adcp_major_version context ext"
    const expected = [
      "protocols",
      "buying_mode brief refine brand catalog account preferred_delivery_types filters property_list fields time_budget " +
        "push_notification_config pagination if_wholesale_feed_version if_pricing_version required_policies",
      "format_ids type asset_types max_width max_height min_width min_height is_responsive name_search publisher_domain " +
        "property_id wcag_level disclosure_positions disclosure_persistence output_format_ids input_format_ids " +
        "include_pricing account pagination",
    ]
    for (const [i, names] of expected.entries()) {
      const declared = Object.keys(tools[i].inputSchema.properties)
      expect(declared).toEqual(expect.arrayContaining(`${names} ${shared}`.split(" ")))
    }
  })
})

test("a new server has the built-in formats and no products", async () => {
  await using app = await startApp()
  expect((await call(app, "list_creative_formats")).formats.length).toBeGreaterThanOrEqual(40)
  expect((await call(app, "get_products", { brief: "anything" })).products).toEqual([])
  expect((await call(app, "get_adcp_capabilities")).media_buy.portfolio).toBeUndefined()
})

test("the capabilities are what the specification lists", async () => {
  await using app = await startApp()
  const payload = await call(app, "get_adcp_capabilities")
  expect(payload).toMatchObject({
    status: "completed",
    adcp: { major_versions: [3], supported_versions: ["3.1"], idempotency: { supported: false } },
    supported_protocols: ["media_buy", "creative"],
    account: {
      supported_billing: ["operator"],
      default_billing: "operator",
      require_operator_auth: false,
      required_for_products: false,
      sandbox: false,
    },
    media_buy: { buying_modes: ["brief", "wholesale", "refine"], supports_proposals: false },
    extensions_supported: ["adbooth"],
  })
  const { media_buy, creative } = await call(app, "get_adcp_capabilities", { protocols: ["creative"] })
  expect([media_buy, typeof creative]).toEqual([undefined, "object"])
})

test("a list of countries or channels is left out of the capabilities if something is open everywhere", async () => {
  await using app = await startApp()
  const { channels: _, ...anyChannel } = productOf("any")
  const buyer = await givenShown(app, [productOf("p", { channels: ["podcast"] }), anyChannel], {
    p: ["DE"],
    any: ["AT"],
  })
  const portfolio = async () => (await call(app, "get_adcp_capabilities", {}, buyer)).media_buy.portfolio
  expect(await portfolio()).toMatchObject({ primary_countries: ["AT", "DE"] })
  expect((await portfolio()).primary_channels).toBeUndefined()
  await show(app, buyer, "p", ["*"])
  expect((await portfolio()).primary_countries).toBeUndefined()
  await removeProduct(app, "any")
  expect((await portfolio()).primary_channels).toEqual(["podcast"])
})

test("an error of a tool is HTTP 200 with the context echoed", async () => {
  await using app = await startApp()
  const context = { trace: "t-1", deep: { list: [1, null, "ü"] } }
  const payload = await call(app, "get_products", { buying_mode: "refine", context })
  expect(payload.adcp_error).toMatchObject({ code: "INVALID_REQUEST", recovery: "correctable", field: "refine" })
  expect(payload.context).toEqual(context)
})

test.each([
  [{}, "completed"],
  [{ adcp_major_version: 3 }, "completed"],
  [{ adcp_version: "3.1" }, "completed"],
  [{ adcp_version: "3.9" }, "completed"],
  [{ adcp_major_version: 2 }, "VERSION_UNSUPPORTED"],
  [{ adcp_major_version: 99, brief: 5 }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.0" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "4.0" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.2-beta.5" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.1", adcp_major_version: 2 }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.1.2" }, "INVALID_REQUEST"],
  [{ adcp_version: "v3.1" }, "INVALID_REQUEST"],
  [{ adcp_version: 3.1 }, "INVALID_REQUEST"],
  [{ adcp_major_version: "3" }, "INVALID_REQUEST"],
])("the version in %j is checked before anything else, on all tools: %s", async (args, outcome) => {
  await using app = await startApp()
  for (const tool of TOOLS) {
    const payload = await call(app, tool, tool === "get_products" ? args : { ...args, brief: undefined })
    expect(payload.adcp_error?.code ?? payload.status).toBe(outcome)
    if (outcome === "VERSION_UNSUPPORTED") expect(payload.adcp_error.details.supported_versions).toEqual(["3.1"])
  }
})

test("the next call sees the operator's changes", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p")], { p: ["DE"] })
  const seen = async () => (await ask(app, buyer, WHOLESALE)).products
  await givenProduct(app, productOf("q"))
  expect((await seen()).map(({ product_id }: Json) => product_id)).toEqual(["p"])
  await show(app, buyer, "q", ["AT"])
  expect((await seen()).map(({ ext }: Json) => ext.adbooth.territories)).toEqual([["DE"], ["AT"]])
  await editProduct(app, productOf("p", { name: "Renamed" }))
  expect((await seen())[0].name).toBe("Renamed")
  await show(app, buyer, "p", [])
  expect((await seen()).map(({ product_id }: Json) => product_id)).toEqual(["q"])
})

test.each(['{"product_id":"bad"}', "{no JSON", "[]", "null"])(
  "a stored product that somebody broke by hand is left out and logged, and the others are shown: %s",
  async (body) => {
    await using app = await startApp()
    const buyer = await givenShown(app, [productOf("bad"), productOf("good")])
    await breakProduct(app, "bad", body)
    expect(idsIn(await ask(app, buyer, WHOLESALE))).toEqual(["good"])
    expect(app.logged.join("")).toContain("a stored product isn't valid")
  },
)

const CONTACT = "Anna <anna@example.com>"

test.each([[CONTACT], [null]])(
  "a caller without a key is told that products need one, and to ask %s",
  async (contact) => {
    await using app = await startApp()
    if (contact !== null) await chooseSettings(app, { contact })
    const { key } = await givenShown(app, [productOf("p")])
    const whom = contact ?? `the operator of ${new URL(app.url).host}`
    const sentence = `Products are shown only to callers with a buyer key: ask ${whom} for one.`
    const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } }
    expect((await rpc(app, "initialize", client)).result.instructions).toContain(sentence)
    expect((await call(app, "get_products", { brief: "podcasts" })).message).toContain(sentence)
    const capabilities = await call(app, "get_adcp_capabilities")
    expect(capabilities.message).toContain(sentence)
    expect(capabilities.ext?.adbooth.contact).toBe(contact ?? undefined)
    for (const tool of TOOLS) expect((await call(app, tool, {}, { key })).message).not.toContain("buyer key")
  },
)

test.each([
  [true, `To order, a person opens the product's ext.adbooth.order_url, or asks ${CONTACT}.`],
  [false, `Orders are placed outside the protocol: ask ${CONTACT}.`],
])("an unknown tool: the answer says which there are and how to order (orders on: %p)", async (takesOrders, orders) => {
  await using app = await startApp()
  await chooseSettings(app, { contact: CONTACT, domains: ["news.example.com"], takesOrders })
  const { error } = await rpc(app, "tools/call", { name: "create_media_buy", arguments: {} })
  const message = `there is no tool "create_media_buy"; there are ${TOOLS.join(", ")}. ${orders}`
  expect(error).toEqual({ code: -32602, message })
  expect((await call(app, "get_adcp_capabilities")).media_buy.portfolio.description).toContain(orders)
})

test("last_updated moves when what the caller sees changes, and not with what others see", async () => {
  await using app = await startApp()
  const [buyer, other] = [await givenShown(app, [productOf("p")]), await givenShown(app, [])]
  const dates = () =>
    Promise.all(
      [buyer.key, other.key, undefined].map(
        async (key) => (await call(app, "get_adcp_capabilities", {}, { key })).last_updated,
      ),
    )
  const before = await dates()
  expect(before).toEqual(Array(3).fill("2026-11-15T12:00:00Z"))
  app.clock.advance({ seconds: 60 })
  await show(app, buyer, "p", ["AT"])
  expect(await dates()).toEqual(["2026-11-15T12:01:00Z", ...before.slice(1)])
})
