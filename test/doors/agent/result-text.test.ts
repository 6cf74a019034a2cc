import { expect, test } from "bun:test"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, rpc, type Wish } from "./buyer.ts"

// Some hosts show their model nothing but the text of a result.

async function textOf(app: TestApp, name: string, args: object, wish: Wish = {}): Promise<string> {
  const { result } = await rpc(app, "tools/call", { name, arguments: args }, wish)
  return result.content.map(({ text }: { text: string }) => text).join("\n")
}

const price = (fields: object) => ({ pricing_option_id: JSON.stringify(fields), currency: "EUR", ...fields })

test("a product is told with id, name, channel, price, unit, currency, territories and order link", async () => {
  await using app = await startApp()
  const pricing_options = [
    price({ pricing_model: "cpm", fixed_price: 1200, min_spend_per_package: 5000 }),
    price({ pricing_model: "cpc", floor_price: 0.125 }),
    price({ pricing_model: "flat_rate", fixed_price: 99.5 }),
    price({ pricing_model: "time", fixed_price: 7, parameters: { time_unit: "week" } }),
    price({ pricing_model: "cpa", fixed_price: 3, event_type: "purchase" }),
  ]
  const channels = ["podcast", "streaming_audio"]
  const { Buyer: key } = await givenBuyers(app, [givenProduct("a", { pricing_options, channels }), givenProduct("b")], {
    Buyer: { a: ["DE", "AT"], b: ["*"] },
  })
  const wholesale = { buying_mode: "wholesale" }
  const { products } = await call(app, "get_products", wholesale, { key })
  const links = products.map((product: Json) => product.ext.adbooth.order_url)
  expect(await textOf(app, "get_products", wholesale, { key })).toBe(
    [
      "2 products. To order, open the product's order link.",
      "a: Product a; podcast, streaming_audio; 1,200 EUR CPM, min 5,000 EUR or from 0.125 EUR per click or " +
        `99.50 EUR flat or 7 EUR per week or 3 EUR per purchase; AT, DE; ${links[0]}`,
      `b: Product b; 12 EUR CPM; everywhere; ${links[1]}`,
    ].join("\n"),
  )
  const fixed = { buying_mode: "wholesale", filters: { is_fixed_price: false } }
  expect(await textOf(app, "get_products", fixed, { key })).not.toContain("99.5")
})

test("a name stays in one line, and amounts are written as prices are", async () => {
  await using app = await startApp()
  const pricing_options = [price({ pricing_model: "cpm", fixed_price: 12.5, min_spend_per_package: 1250.5 })]
  const name = "Good\nfake: Cheap\u2028spot; podcast"
  const { Buyer: key } = await givenBuyers(app, [givenProduct("a", { name, pricing_options, channels: ["podcast"] })], {
    Buyer: { a: ["DE"] },
  })
  const text = await textOf(
    app,
    "get_products",
    { brief: "Podcast in Germany. Budget 12,500.5 EUR. CPM at most 12.5 EUR." },
    { key },
  )
  const [first = "", second = "", ...more] = text.split("\n")
  expect(first).toContain("budget up to 12,500.50 EUR, CPM up to 12.50 EUR")
  expect(second).toStartWith("a: Good fake: Cheap spot; podcast; podcast; 12.50 EUR CPM, min 1,250.50 EUR; DE; ")
  expect(more).toEqual([])
})

test("any address for notifications is taken, and an empty name of a field", async () => {
  await using app = await startApp()
  const url = "https://user:pw@hook.example/p?token=abc"
  const asked = await rpc(app, "tools/call", {
    name: "get_products",
    arguments: { push_notification_config: { url }, fields: [""] },
  })
  expect(asked.result.isError).toBeUndefined()
})

test("who asks for some fields alone is told these, and the order link", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("a", { channels: ["podcast"] })], {
    Buyer: { a: ["DE"] },
  })
  const told = async (fields: string[]) => (await textOf(app, "get_products", { fields }, { key })).split("\n")[1]
  const { products } = await call(app, "get_products", { fields: ["name"] }, { key })
  const { order_url } = products[0].ext.adbooth
  expect(products[0].ext).toEqual({ adbooth: { order_url } })
  expect(await told(["name"])).toBe(`a: Product a; ${order_url}`)
  expect(await told(["channels", "pricing_options"])).toBe(`a: Product a; podcast; 12 EUR CPM; ${order_url}`)
})

test("the order link stands in every answer, whatever fields are asked for and whether or not there is a brief", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("a", { channels: ["podcast"] }), givenProduct("b")], {
    Buyer: { a: ["DE"], b: ["*"] },
  })
  for (const args of [
    { brief: "A podcast in Germany" },
    { brief: "x", fields: ["product_id", "name"] },
    { fields: ["name"] },
  ]) {
    const lines = (await textOf(app, "get_products", args, { key })).split("\n").slice(1)
    const { products } = await call(app, "get_products", args, { key })
    expect(lines.map((line) => line.split("; ").at(-1))).toEqual(
      products.map((product: Json) => product.ext.adbooth.order_url),
    )
  }
})

test("a page says how to get the next one, and its words work", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("a"), givenProduct("b")], {
    Buyer: { a: ["*"], b: ["*"] },
  })
  const first = await textOf(app, "get_products", { brief: "x", pagination: { max_results: 1 } }, { key })
  expect(first).toStartWith("2 products, 1 of them here.")
  const pagination = JSON.parse(/pagination (\{.*\})\.$/.exec(first)?.[1] ?? "")
  expect(await textOf(app, "get_products", { brief: "x", pagination }, { key })).toContain("b: Product b;")
  const formats = await textOf(app, "list_creative_formats", { pagination: { max_results: 2 } })
  expect(formats).toContain("2 of them here.")
  expect(formats).toContain('pagination {"cursor": ')
})

test("a format is told with id and sizes", async () => {
  await using app = await startApp()
  const text = await textOf(app, "list_creative_formats", {})
  expect(text).toMatch(/^display_300x250_image: .+; 300x250 px$/m)
  expect(text).toMatch(/^display_image: .+; any size$/m)
  expect(text).toMatch(/^video_15s_hosted: .+; width from 640, height from 360 px$/m)
  const sized = await textOf(app, "list_creative_formats", {
    format_ids: [{ id: "display_image", width: 468, height: 60 }],
  })
  expect(sized).toMatch(/^display_image: .+; 468x60 px$/m)
})

test("an error says what to do next", async () => {
  await using app = await startApp()
  const refine = [{ scope: "product", product_id: "nothing" }]
  expect(await textOf(app, "get_products", { buying_mode: "refine", refine })).toEndWith(
    "refine[0].product_id names no product. Take a product_id of an earlier answer to this key.",
  )
})
