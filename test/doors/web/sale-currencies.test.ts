import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { products } from "../../../src/demo/data.ts"
import { givenPerson } from "./given.ts"
import {
  givenOrder,
  HARBOUR_LINE,
  LIGHTHOUSE,
  ORDER_FIELDS,
  productsOf,
  SEA_LINE,
  type Shop,
  startShop,
} from "./given-sale.ts"
import { signedIn, textOf, type Visitor } from "./visitor.ts"

const BASE = `/app/o/${LIGHTHOUSE}`
const STATEMENTS = `${BASE}/campaigns/theatre-season/statements`

const admin = async (shop: Shop) => signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))

/** Every field of the form of a page, as a browser would send it without anything typed. */
function fieldsOf(html: string): Record<string, string> {
  const main = html.slice(html.indexOf("<main"))
  const inputs = [...main.matchAll(/<input ([^>]*)>/g)].map(([, attributes = ""]) => {
    const of = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1]
    const isLeftOut = of("type") === "radio" && !/ checked/.test(attributes)
    return isLeftOut || of("type") === "checkbox" ? [] : [of("name") ?? "", of("value") ?? ""]
  })
  const areas = [...main.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>([^<]*)/g)].map(([, name = "", text = ""]) => [
    name,
    text,
  ])
  const chosen = [...main.matchAll(/<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = "", options = ""]) => [name, /<option[^>]*value="([^"]*)"[^>]*selected/.exec(options)?.[1] ?? ""],
  )
  return Object.fromEntries([...inputs, ...areas, ...chosen].filter(([name]) => name))
}

/** The order page of a product with this price. */
async function priced(shop: Shop, option: object): Promise<string> {
  const body = products.find((product) => (product as { product_id: string }).product_id === "city-walks-preroll")
  const product = { ...(body as object), product_id: "odd", pricing_options: [{ pricing_option_id: "p", ...option }] }
  const key = { label: "Odd", opened: [{ product_id: "odd", territories: ["DE"] }] }
  const outcome = await importCatalogue(shop, { products: [product], agent_keys: [key] } as never, "import")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const [found] = (await productsOf(shop, outcome.secrets.get("Odd") ?? "")).products
  return new URL(found?.ext.adbooth.order_url ?? "").pathname
}

const frozen = async (ada: Visitor, path: string, typed: Readonly<Record<string, string>>) => {
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(await (await ada.post(path, typed)).text())?.[1] ?? ""
  return (await ada.post(path, { ...typed, confirmed })).headers.get("location") ?? ""
}

test("a price of three decimal places is ordered, accepted and booked as the forms were filled in", async () => {
  await using shop = await startShop()
  const path = await priced(shop, { pricing_model: "cpm", currency: "KWD", fixed_price: 1.125 })
  const asked = { ...ORDER_FIELDS, price: "p", quantity: "12,345" }
  const worked = await (await shop.stranger().post(path, { ...asked, look: "yes" })).text()
  expect(textOf(worked)).toContain("12,345 impressions at KWD 1.125 per 1,000 impressions come to KWD 13.888.")
  const budget = fieldsOf(worked)["budget"] ?? ""
  const again = await (await shop.stranger().post(path, { ...asked, quantity: "", budget, look: "yes" })).text()
  expect(textOf(again)).toContain("12,344 impressions at KWD 1.125 per 1,000 impressions come to KWD 13.887.")
  expect((await shop.stranger().post(path, asked)).status).toBe(303)
  const [order] = await shop.store.orders.list(null)
  const ada = await admin(shop)
  const accept = `${BASE}/orders/${order?.id}/accept`
  const filled = { ...fieldsOf(await ada.read(accept)), buyer: "Fernweh Travel" }
  expect((await ada.post(accept, filled)).status).toBe(303)
  expect(await shop.store.packageLines.listWithTotals(null)).toContainEqual(
    expect.objectContaining({ rate: 1.125, currency: "KWD", booked: 12_345 }),
  )
})

test("the file of campaigns has amounts to the smallest coin of their currency", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const line = { line_name: "Coin", pricing_basis: "flat_rate", rate: "12.1250", currency: "KWD" }
  const campaign = { name: "Dinar", buyer: "Fernweh Travel", flight_start: "2026-11-20" }
  expect((await ada.post(`${BASE}/new-campaign`, { ...campaign, ...line })).status).toBe(303)
  expect(await ada.read(`${BASE}/campaigns.csv`)).toContain(
    "dinar,Dinar,fernweh-travel,upcoming,1,2026-11-20,,0,12.125,KWD",
  )
})

test("a price for each of them is said for one, and what is less than one a day is not none", async () => {
  await using shop = await startShop()
  const path = await priced(shop, { pricing_model: "cpc", currency: "USD", fixed_price: 0.25 })
  expect(textOf(await shop.stranger().read(path))).toContain("$0.25 per click")
  const sent = { ...ORDER_FIELDS, price: "p", quantity: "3", look: "yes" }
  expect(textOf(await (await shop.stranger().post(path, sent)).text())).toContain("That is less than one a day.")
})

test("an order that comes to less than a coin is refused at its field", async () => {
  await using shop = await startShop()
  const path = await priced(shop, { pricing_model: "cpm", currency: "EUR", fixed_price: 0.25 })
  const asked = { ...ORDER_FIELDS, price: "p" }
  const refused = await shop.stranger().post(path, { ...asked, quantity: "19" })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  expect(html).toContain('href="#quantity"')
  expect(textOf(html)).toContain("19 impressions come to €0.00. Ask for more: 40 impressions come to €0.01.")
  expect((await shop.stranger().post(path, { ...asked, quantity: "40" })).status).toBe(303)
})

test("neither a flat price nor an offer below a coin comes to nothing unnoticed", async () => {
  await using shop = await startShop()
  const flat = await priced(shop, { pricing_model: "flat_rate", currency: "EUR", fixed_price: 0.004 })
  const refused = await shop.stranger().post(flat, { ...ORDER_FIELDS, price: "p" })
  expect(refused.status).toBe(422)
  expect(textOf(await refused.text())).toContain("This price is less than the smallest coin.")
  await givenOrder(shop)
  const [order] = await shop.store.orders.list(null)
  const ada = await admin(shop)
  const offer = `${BASE}/orders/${order?.id}/offer`
  const typed = fieldsOf(await ada.read(offer))
  const answer = await ada.post(offer, { ...typed, rate: "0.01", booked: "10" })
  expect(answer.status).toBe(422)
  expect(textOf(await answer.text())).toContain("It comes to less than the smallest coin. Offer more.")
  // Whoever was asked for a price does not offer it for nothing by mistake.
  expect((await ada.post(offer, { ...typed, rate: "0" })).status).toBe(422)
  expect((await ada.post(offer, { ...typed, rate: "0.01", booked: "1000" })).status).toBe(303)
})

test("a line added by hand keeps its amount in a draft, and is never rounded to a coin", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const added = { what_0: "production", text_0: "Spot", amount_0: "12.1250", currency_0: "KWD" }
  const draft = (await ada.post(`${STATEMENTS}/new`, { ...added, draft: "yes" })).headers.get("location") ?? ""
  const shown = fieldsOf(await ada.read(draft))
  const refused = await ada.post(draft, { ...shown, amount_0: "-5.5", currency_0: "JPY" })
  expect(refused.status).toBe(422)
  expect(textOf(await refused.text())).toContain("The smallest coin of JPY is 1.")
  const { draft: _, ...kept } = shown
  const statement = await frozen(ada, draft, kept)
  expect(textOf(await ada.read(statement))).toContain("KWD 12.125")
})

test("in the file of a statement what is less is a number, and a formula is text", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const less = { what_0: "discount", text_0: "-1+1", amount_0: "−10", currency_0: "EUR" }
  const file = await ada.read(`${await frozen(ada, `${STATEMENTS}/new`, less)}?csv`)
  expect(file).toContain(",discount,'-1+1,,,,,,,-10.00,EUR,")
})

test("a correction that is cancelled corrects nothing any more", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const added = (amount: string) => ({ what_0: "production", text_0: "Spot", amount_0: amount, currency_0: "EUR" })
  const first = await frozen(ada, `${STATEMENTS}/new`, added("10"))
  shop.clock.advance({ seconds: 60 })
  const second = await frozen(ada, `${STATEMENTS}/new`, added("15"))
  expect(textOf(await ada.read(second))).toMatch(/Less what was stated up to 2026-001 .*Total EUR €5.00/)
  expect(textOf(await ada.read(first))).toContain("Corrected by 2026-002.")
  expect((await ada.post(`${second}/cancel`)).status).toBe(303)
  expect(textOf(await ada.read(first))).not.toContain("Corrected by")
  const third = await frozen(ada, `${STATEMENTS}/new`, added("15"))
  expect(textOf(await ada.read(third))).toMatch(/Less what was stated up to 2026-001 .*Total EUR €5.00/)
})

/** What a feed reports of lines of the seller, all of it taken. */
async function reported(shop: Shop, items: readonly object[]): Promise<void> {
  const seller = await shop.store.organizations.findBySlug(LIGHTHOUSE)
  const { secret } = await createIngestKey(shop, { id: seller?.id ?? 0, slug: LIGHTHOUSE } as never, "Feed", "test")
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  const sent = { method: "POST", headers, body: JSON.stringify({ items }) }
  const answer = await shop.fetch("/api/ingest/delivery/metrics", sent)
  expect(await answer.json()).toMatchObject({ accepted: items.length })
}

test("figures that came later are corrected once: with a draft, the page leads to it", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const first = await frozen(ada, `${STATEMENTS}/new`, {})
  await reported(shop, [{ package_id: HARBOUR_LINE, impressions: 3_120, as_of: "2026-11-08" }])
  expect(textOf(await ada.read(first))).toMatch(/Changed since .* 3,120 more delivered.* Make a correcting statement/)
  const draft = (await ada.post(`${STATEMENTS}/new`, { draft: "yes" })).headers.get("location") ?? ""
  const page = await ada.read(first)
  expect(textOf(page)).toContain("3,120 more delivered")
  expect(page).not.toContain("Make a correcting statement")
  expect(page).toMatch(new RegExp(`href="${draft}"[^>]*>[^<]*Open draft`))
})

test("what has no price comes to nothing in no currency, and what falls short of its booking is not all of it", async () => {
  await using shop = await startShop()
  const unpriced = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9b09"
  const line = { package_id: unpriced, seller: LIGHTHOUSE, name: "Unpriced", pricing_basis: "impressions", booked: 5 }
  const flight = { flight_start: "2026-09-07", flight_end: "2026-11-08" }
  const campaigns = [
    { slug: "theatre-season", name: "Theatre season", buyer: "schauspielhaus", lines: [{ ...line, ...flight }] },
  ]
  const imported = await importCatalogue(shop, { campaigns } as never, "import")
  expect(imported.ok).toBe(true)
  await reported(shop, [
    { package_id: unpriced, impressions: 7, as_of: "2026-11-08" },
    { package_id: HARBOUR_LINE, impressions: 89_999, as_of: "2026-11-08" },
    { package_id: SEA_LINE, downloads: 22_800, as_of: "2026-11-08" },
  ])
  const text = textOf(await (await admin(shop)).read(`${STATEMENTS}/new`))
  expect(text).toContain("Count all 7 ")
  expect(text).not.toContain("Count all 7 (")
  expect(text).toContain("Delivered 89,999 of 90,000 (99%)")
  expect(text).toContain("Delivered 22,800 of 40,000 (57%)")
})

test("a line added by hand begins with the currency of all lines; of several none is chosen", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const added = async () => fieldsOf(await (await ada.post(`${STATEMENTS}/new`, { add: "yes" })).text())["currency_0"]
  expect(await added()).toBe("EUR")
  const line = { line_name: "Encore", pricing_basis: "impressions", rate: "16", currency: "SEK", booked: "1000" }
  await ada.post(`${BASE}/campaigns/theatre-season/lines`, { ...line, flight_start: "2026-09-07" })
  expect(await added()).toBe("")
})

test("a new line begins with the only currency of its seller's lines; of several none is chosen", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const first = async () => fieldsOf(await ada.read(`${BASE}/new-campaign`))["currency"]
  expect(await first()).toBe("EUR")
  const line = { line_name: "Encore", pricing_basis: "impressions", rate: "16", currency: "SEK", booked: "1000" }
  await ada.post(`${BASE}/campaigns/theatre-season/lines`, { ...line, flight_start: "2026-09-07" })
  expect(await first()).toBe("")
})
