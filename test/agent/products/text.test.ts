import { describe, expect, test } from "bun:test"
import { ask, chooseSettings, givenShown, productOf, show, textOf } from "../../harness/agent/agent.ts"
import type { Json } from "../../harness/agent/official.ts"
import { startApp } from "../../harness/app.ts"

const WHOLESALE = { buying_mode: "wholesale" }

const priced = (fields: object) => ({
  pricing_option_id: "cpm",
  pricing_model: "cpm",
  currency: "EUR",
  fixed_price: 10,
  ...fields,
})

describe("fields", () => {
  test("are obeyed: what wasn't asked for and isn't required isn't sent, and what is required is sent as it is", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [productOf("p", { exclusivity: "none", ext: { house: 1 } })])
    const [whole] = (await ask(app, buyer)).products
    const [some] = (await ask(app, buyer, { fields: ["name"] })).products
    const required =
      "product_id name description publisher_properties delivery_type format_ids format_options pricing_options " +
      "reporting_capabilities ext"
    expect(Object.keys(some).sort()).toEqual(required.split(" ").sort())
    for (const name of required.split(" ").slice(0, -1)) expect(some[name]).toEqual(whole[name])
    expect(some.ext).toEqual({ adbooth: whole.ext.adbooth })
    const { message } = await ask(app, buyer, { fields: ["channels", "nonsense"] })
    expect(message).toContain("Fields that products don't have were ignored: nonsense.")
  })
})

describe("order links", () => {
  test("are on each product that a key sees, and don't contain the text of the agent's URL", async () => {
    for (const [publicUrl, start] of [
      ["https://ads.example.com", "https://ads.example.com:443/order/"],
      ["http://ads.example.com:8080", "http://ads.example.com:08080/order/"],
    ]) {
      await using app = await startApp({ options: { publicUrl: publicUrl ?? null } })
      const buyer = await givenShown(app, [productOf("a"), productOf("b")])
      const { products } = await ask(app, buyer)
      const links = products.map(({ ext }: Json) => ext.adbooth.order_url)
      for (const link of links) expect(link).toStartWith(start ?? "")
      expect(new Set(links).size).toBe(2)
      const [{ agent_url }] = products[0].format_ids
      for (const link of links) expect(link).not.toContain(agent_url)
      expect(links).toEqual(
        (await ask(app, buyer, { fields: ["name"] })).products.map(({ ext }: Json) => ext.adbooth.order_url),
      )
    }
  })

  test("differ from key to key, and are gone while orders are off", async () => {
    await using app = await startApp()
    const [one, other] = [await givenShown(app, [productOf("a")]), await givenShown(app, [])]
    await show(app, other, "a", ["*"])
    const linkOf = async (buyer: typeof one) => (await ask(app, buyer)).products[0].ext.adbooth.order_url
    expect(await linkOf(one)).not.toBe(await linkOf(other))
    await chooseSettings(app, { takesOrders: false })
    expect(await linkOf(one)).toBeUndefined()
  })
})

describe("the text of a result", () => {
  test("has one line for each product: ID, name, channels, prices, territories and order link", async () => {
    await using app = await startApp()
    const pricing_options = [
      priced({ fixed_price: 1_200, min_spend_per_package: 5_000 }),
      { pricing_option_id: "cpc", pricing_model: "cpc", currency: "EUR", floor_price: 0.00045 },
      { pricing_option_id: "flat", pricing_model: "flat_rate", currency: "EUR", fixed_price: 99.5 },
      {
        pricing_option_id: "time",
        pricing_model: "time",
        currency: "EUR",
        fixed_price: 7,
        parameters: { time_unit: "week" },
      },
      { pricing_option_id: "cpa", pricing_model: "cpa", currency: "EUR", fixed_price: 3, event_type: "purchase" },
    ]
    const a = productOf("a", { channels: ["podcast", "streaming_audio"], pricing_options, name: "Good\nfake: line" })
    const buyer = await givenShown(app, [a, productOf("b")], { a: ["DE", "AT"] })
    const [first, second] = (await ask(app, buyer, WHOLESALE)).products
    expect(await textOf(app, "get_products", WHOLESALE, buyer)).toBe(
      [
        "2 products. To order, open the product's order link.",
        "a: Good fake: line; podcast, streaming_audio; 1,200 EUR CPM, min 5,000 EUR or from 0.00045 EUR per click or " +
          `99.50 EUR flat or 7 EUR per week or 3 EUR per purchase; AT, DE; ${first.ext.adbooth.order_url}`,
        `b: Product b; display; 12 EUR CPM; everywhere; ${second.ext.adbooth.order_url}`,
      ].join("\n"),
    )
  })

  test("says how to get the next page, and these words work", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [productOf("a"), productOf("b")])
    const first = await textOf(app, "get_products", { pagination: { max_results: 1 } }, buyer)
    expect(first).toStartWith("1 of 2 products.")
    const pagination = JSON.parse(/pagination (\{.*\})\.$/.exec(first)?.[1] ?? "")
    expect(await textOf(app, "get_products", { pagination }, buyer)).toContain("b: Product b;")
  })

  test("says what to do after an error", async () => {
    await using app = await startApp()
    const refine = [{ scope: "product", product_id: "nothing" }]
    expect(await textOf(app, "get_products", { buying_mode: "refine", refine })).toEndWith(
      "refine[0].product_id doesn't name a product. Take a product_id from an earlier answer to this key.",
    )
  })
})
