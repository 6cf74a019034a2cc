import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { revokeAgentKey } from "../../../src/actions/keys/keys.ts"
import { nameContact } from "../../../src/actions/operations/agent-settings.ts"
import { endOrderLink, makeOrderLink, switchTakingOrders } from "../../../src/actions/sale/order-links.ts"
import { products } from "../../../src/demo/data.ts"
import { chooseBuyer } from "../../../src/domain/campaign/buyer-choice.ts"
import { onlyOnSqlite } from "../../engine.ts"
import { watchStatements } from "../../storage/sqlite/watched-statements.ts"
import { givenOrder, ORDER_FIELDS, productsOf, startShop } from "./given-sale.ts"
import { textOf } from "./visitor.ts"

const testOnSqlite = onlyOnSqlite("What is asked is the same for both engines; SQLite can be watched.")

test("each product that a key sees has a link to order it, said once, whatever fields are asked for; nobody else sees one", async () => {
  await using shop = await startShop()
  const { message, products } = await productsOf(shop, shop.agentKey)
  expect(message.split("order link").length).toBe(2)
  for (const { ext } of products) expect(new URL(ext.adbooth.order_url ?? "").href).toStartWith(`${shop.url}/order/`)
  expect(await productsOf(shop, "")).toMatchObject({ products: [], message: expect.not.stringContaining("order link") })
  const fewer = await productsOf(shop, shop.agentKey, { fields: ["product_id", "name"] })
  expect(fewer.products.map(({ ext }) => ext.adbooth.order_url)).toEqual(
    products.map(({ ext }) => ext.adbooth.order_url),
  )
  expect(fewer.message.split("order link").length).toBe(2)
  await switchTakingOrders(shop, false, "test")
  const off = await productsOf(shop, shop.agentKey)
  expect(JSON.stringify(off)).not.toContain("order")
})

test("the order page shows the product as its key sees it, without a session or a script", async () => {
  await using shop = await startShop()
  const answer = await shop.stranger().get(await shop.orderPath())
  expect(answer.status).toBe(200)
  const text = textOf(await answer.text())
  for (const shown of [
    "Order from Lighthouse Audio",
    "City Walks, pre-roll",
    "€14.50",
    "per 1,000 impressions, at least €250.00",
    "Austria and Germany",
    "Podcast pre-roll",
    "Not guaranteed",
  ])
    expect(text).toContain(shown)
  expect(text).not.toContain("Switzerland")
})

test("a link that is forged, ended, of a revoked key, of a closed product, of another installation or switched off is answered like one that never was", async () => {
  await using shop = await startShop()
  const path = await shop.orderPath()
  const stranger = shop.stranger()
  const never = await (await stranger.get("/order/AAAAAAAAAAAAAAAAAAAAAAAA")).text()
  const isEnded = async (address: string) => {
    const answer = await stranger.get(address)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe(never)
    expect((await stranger.post(address, ORDER_FIELDS)).status).toBe(404)
  }
  await isEnded(`${path.slice(0, -1)}${path.endsWith("A") ? "B" : "A"}`)
  await isEnded("/order/x")
  const page = await givenOrder(shop)
  await isEnded(`${page.slice(0, -3)}xyz`)
  await switchTakingOrders(shop, false, "test")
  await isEnded(path)
  await switchTakingOrders(shop, true, "test")
  const [key] = await shop.store.agentKeys.list()
  const byHand = { label: "Kite", days: "7", territories: "DE" }
  const made = async () => {
    const link = await makeOrderLink(shop, "city-walks-preroll", byHand, "test")
    expect((await stranger.get("path" in link ? link.path : "")).status).toBe(200)
    shop.clock.advance({ seconds: 1 })
    return "path" in link ? link.path : ""
  }
  const [ended, late, closed] = [await made(), await made(), await shop.orderPath("weekend-newsletter")]
  const links = await shop.store.orderLinks.list("city-walks-preroll")
  await endOrderLink(shop, links.at(-1)?.id ?? 0, "test")
  await isEnded(ended)
  expect((await stranger.get(late)).status).toBe(200)
  await shop.store.agentKeys.close(key?.id ?? "", "weekend-newsletter", { actor: "test", at: shop.clock() })
  await isEnded(closed)
  await using elsewhere = await startShop()
  await isEnded(await elsewhere.orderPath())
  shop.clock.advance({ seconds: 7 * 86_400 })
  await isEnded(late)
  await revokeAgentKey(shop, key?.id ?? "", "test")
  await isEnded(path)
  // What was ordered stays where its requester was told to come back to.
  expect((await stranger.get(page)).status).toBe(200)
})

testOnSqlite("a link that has ended asks the database the same as one that never was", async () => {
  using watched = watchStatements()
  await using shop = await startShop()
  const path = await shop.orderPath()
  const made = await makeOrderLink(shop, "city-walks-preroll", { label: "Kite", days: "7", territories: "DE" }, "test")
  const [link] = await shop.store.orderLinks.list("city-walks-preroll")
  await endOrderLink(shop, link?.id ?? 0, "test")
  const closed = await shop.orderPath("weekend-newsletter")
  const [key] = await shop.store.agentKeys.list()
  await shop.store.agentKeys.close(key?.id ?? "", "weekend-newsletter", { actor: "test", at: shop.clock() })
  const askedBy = async (address: string) => {
    watched.forget()
    expect((await shop.stranger().get(address)).status).toBe(404)
    return [...watched.ran].toSorted()
  }
  await askedBy("/order/AAAAAAAAAAAAAAAAAAAAAAAA")
  const never = await askedBy("/order/AAAAAAAAAAAAAAAAAAAAAAAA")
  expect(never).not.toEqual([])
  for (const dead of [closed, "path" in made ? made.path : "", "/order/x"]) expect(await askedBy(dead)).toEqual(never)
  await switchTakingOrders(shop, false, "test")
  expect(await askedBy(path)).toEqual(await askedBy("/order/AAAAAAAAAAAAAAAAAAAAAAAA"))
  await switchTakingOrders(shop, true, "test")
  await revokeAgentKey(shop, key?.id ?? "", "test")
  expect(await askedBy(path)).toEqual(await askedBy("/order/AAAAAAAAAAAAAAAAAAAAAAAA"))
})

test("what cannot be ordered is refused with its field named, and everything typed is kept", async () => {
  await using shop = await startShop()
  const path = await shop.orderPath()
  const refused: [Record<string, string>, string, string][] = [
    [{ quantity: "14,000" }, "quantity", "The minimum is €250.00, which buys 17,242 impressions."],
    [{ quantity: "", budget: "100" }, "budget", "The minimum is €250.00"],
    [{ quantity: "many" }, "quantity", "not a number"],
    [{ quantity: "0" }, "quantity", "at least one"],
    [{ from: "2026-11-15" }, "from", "The first possible day is 16 Nov 2026."],
    [{ to: "2026-01-10" }, "to", "Did you mean 2027?"],
    [{ to: "2099-01-10" }, "to", "The last possible day"],
    [{ from: "" }, "from", "Enter the first day."],
    [{ territories: "CH" }, "territories", "Switzerland cannot be ordered here."],
    [{ territories: "" }, "territories", "cannot be ordered here"],
    [{ email: "lena" }, "email", "valid email address"],
    [{ organization: "" }, "organization", "Enter your organization’s name."],
    [{ name: "x".repeat(201) }, "name", "Enter a name of at most 200 characters."],
    [{ organization: "Kite\u202eaideM" }, "organization", "without characters that are invisible or turn text around"],
    [{ creative: "javascript:alert(1)" }, "creative", "web address"],
    [{ note: "a\u202eb" }, "note", "control characters"],
    [{ price: "another" }, "price", "Choose one of these prices."],
  ]
  for (const [fields, name, words] of refused) {
    const answer = await shop.stranger().post(path, { ...ORDER_FIELDS, note: "Kept <b>note</b>", ...fields })
    const html = await answer.text()
    expect([answer.status, fields]).toEqual([422, fields])
    expect(html).toContain("<title>Error: ")
    if (name !== "price")
      expect(html).toMatch(new RegExp(`id="${name}"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="${name}"`))
    expect(textOf(html)).toContain(words)
    if (!("note" in fields)) expect(html).toContain("Kept &lt;b>note&lt;/b>")
  }
  expect(await shop.store.orders.countByState()).toEqual([])
})

test("a budget gives a quantity and a quantity an amount, worked out by the server without a script", async () => {
  await using shop = await startShop()
  const path = await shop.orderPath()
  const look = async (fields: Record<string, string>) => {
    const answer = await shop.stranger().post(path, { ...ORDER_FIELDS, ...fields, look: "yes" })
    return { status: answer.status, html: await answer.text() }
  }
  const { status, html } = await look({ quantity: "", budget: "2,900.00" })
  expect(status).toBe(200)
  expect(html).toMatch(/name="quantity"[^>]*value="200,000"|value="200,000"[^>]*name="quantity"/)
  expect(textOf(html)).toContain(
    "200,000 impressions at €14.50 per 1,000 impressions come to €2,900.00. That is 4,082 a day.",
  )
  const least = (await look({ quantity: "", budget: "250" })).html
  expect(textOf(least)).toContain("17,242 impressions")
  const filled = await (await shop.stranger().post(path, { ...ORDER_FIELDS, quantity: "1", fill: "minimum" })).text()
  expect(textOf(filled)).toContain("17,242 impressions at €14.50")
  expect(await shop.store.orders.countByState()).toEqual([])
})

test("a form of more than 16 KB is refused, and so is the sixth order within an hour", async () => {
  await using shop = await startShop()
  const path = await shop.orderPath()
  expect((await shop.stranger().post(path, { ...ORDER_FIELDS, note: "x".repeat(17_000) })).status).toBe(413)
  for (let i = 0; i < 5; i++) await givenOrder(shop)
  const sixth = await shop.stranger().post(path, ORDER_FIELDS)
  expect([sixth.status, sixth.headers.get("Retry-After")]).toEqual([429, "3600"])
  const html = await sixth.text()
  expect(html).toContain("Too many orders came by this link")
  expect(html).toContain('value="Lena Vogt"')
})

test("withdrawing frees no place: a key brings at most twenty orders an hour, by all of its links together", async () => {
  await using shop = await startShop()
  const ids = [1, 2, 3, 4, 5].map((n) => `city-walks-${n}`)
  const [city] = (products as { product_id: string }[]).filter(({ product_id }) => product_id === "city-walks-preroll")
  const opened = ids.map((product_id) => ({ product_id, territories: ["DE"] }))
  const more = {
    products: ids.map((product_id) => ({ ...city, product_id })),
    agent_keys: [{ label: "Fernweh buying agent", buyer: "fernweh-travel", opened }],
  }
  expect(await importCatalogue(shop, more, "test")).toMatchObject({ ok: true })
  const order = async (id: string) => {
    const sent = await shop.stranger().post(await shop.orderPath(id), ORDER_FIELDS)
    const page = sent.headers.get("location")
    if (page !== null) await shop.stranger().post(`${page}/withdraw`)
    return sent.status
  }
  for (const id of ids.slice(0, 4)) for (let i = 0; i < 5; i++) expect(await order(id)).toBe(303)
  expect(await order("city-walks-5")).toBe(429)
  shop.clock.advance({ minutes: 61 })
  expect(await order("city-walks-5")).toBe(303)
})

test("whatever a stranger types is shown as text", async () => {
  await using shop = await startShop()
  const hostile = {
    organization: '<script>alert("x")</script>',
    name: "=1+1",
    note: "مرحبا\n<img src=x>",
    creative: "https://x.example/?a=<b",
  }
  const refused = await shop.stranger().post(await shop.orderPath(), { ...ORDER_FIELDS, ...hostile })
  expect(refused.status).toBe(422)
  const page = await givenOrder(shop, { ...hostile, creative: "https://x.example/a.wav" })
  const html = await shop.stranger().read(page)
  expect(html).not.toContain("<img src=x>")
  expect(html).toContain("&lt;img src=x>")
  expect(html).toContain("مرحبا")
  expect(html).not.toContain("<script>alert")
})

test("an order from right to left is taken as it was typed, and is a buyer's name when it is accepted", async () => {
  await using shop = await startShop()
  await givenOrder(shop, { organization: "כנר מדיה!\u200f", name: "רוזה לינד\u200f", note: "\u200fשלום 24" })
  const [order] = await shop.store.orders.list(null)
  expect(order?.requester).toMatchObject({
    organization: "כנר מדיה!\u200f",
    name: "רוזה לינד\u200f",
    note: "\u200fשלום 24",
  })
  expect(chooseBuyer({ buyer: "כנר מדיה!\u200f" }, [], { slug: "acme", name: "Acme" }).ok).toBe(true)
})

test("the order's own page says its state, and withdrawing asks once", async () => {
  await using shop = await startShop()
  const page = await givenOrder(shop)
  const stranger = shop.stranger()
  const asked = textOf(await stranger.read(page))
  for (const shown of [
    "Waiting for Lighthouse Audio",
    "200,000",
    "€2,900.00",
    "Without an answer, it ends on 16 Dec 2026.",
  ])
    expect(asked).toContain(shown)
  expect(textOf(await stranger.read(`${page}/withdraw`))).toContain("Withdraw this order?")
  const withdrawn = textOf(await (await stranger.follow(`${page}/withdraw`)).text())
  expect(withdrawn).toContain("You withdrew this order")
  expect(textOf(await (await stranger.follow(`${page}/withdraw`)).text())).toContain("This changed meanwhile")
  shop.clock.advance({ seconds: 31 * 86_400 })
  expect(textOf(await stranger.read(page))).toContain("You withdrew this order")
})

test.each([
  ["sales@lighthouse.example", "Questions about your order? sales@lighthouse.example. "],
  ["Write to us.", "Questions about your order? Write to us. "],
])("whom to ask is said as a sentence: %p", async (contact, words) => {
  await using shop = await startShop()
  await nameContact(shop, contact, "test")
  expect(textOf(await shop.stranger().read(await givenOrder(shop)))).toContain(words)
})

test("an order that nobody answers has ended after thirty days", async () => {
  await using shop = await startShop()
  const page = await givenOrder(shop)
  shop.clock.advance({ seconds: 30 * 86_400 })
  expect(textOf(await shop.stranger().read(page))).toContain("This order has ended")
  expect((await shop.stranger().post(`${page}/accept`, { seen: "1" })).status).toBe(303)
  expect(await shop.store.orders.countByState()).toEqual([{ state: "asked", orders: 1 }])
})
