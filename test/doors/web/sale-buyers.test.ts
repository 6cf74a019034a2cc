import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import type { Product } from "../../../src/domain/adcp/schema/product/product.ts"
import { saveProduct } from "../../given.ts"
import { givenPerson } from "./given.ts"
import { givenOrder, LIGHTHOUSE, ORDER_FIELDS, type Shop, startShop } from "./given-sale.ts"
import { signedIn, textOf } from "./visitor.ts"

const BASE = `/app/o/${LIGHTHOUSE}`
const admin = async (shop: Shop) => signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
const hrefOf = async (shop: Shop) => `${BASE}/orders/${(await shop.store.orders.list(null))[0]?.id}`
const valueIn = (html: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="${name}"`).exec(html)?.[1]

const ANSWER = {
  buyer: "Fernweh Travel",
  campaign: "new",
  campaign_name: "First snow",
  line_name: "City Walks",
  pricing_basis: "impressions",
  rate: "14.50",
  currency: "EUR",
  booked: "200,000",
  flight_start: ORDER_FIELDS.from,
  flight_end: ORDER_FIELDS.to,
  message: "",
}

test("the buyer of an order is filled in only where the key acts for the company that was typed", async () => {
  await using shop = await startShop()
  await givenOrder(shop, { organization: "FERNWEH TRAVEL, GmbH" })
  const ada = await admin(shop)
  const form = await ada.read(`${await hrefOf(shop)}/accept`)
  expect(valueIn(form, "buyer")).toBe("Fernweh Travel")
  expect(textOf(form)).toContain("They typed “FERNWEH TRAVEL, GmbH”, and the order came by the key of Fernweh Travel.")
  // Its campaigns are offered with their dates.
  expect(textOf(form)).toMatch(/Autumn escapes 12 Oct 2026 – 5 Dec 2026, 1 line/)
})

test("an order of downloads is accepted as its form is filled in", async () => {
  await using shop = await startShop()
  const { products } = await shop.store.catalogue.contents()
  const product = products.get("city-walks-preroll") as Product
  const reporting = { ...product.reporting_capabilities, available_metrics: ["impressions", "downloads"] }
  await saveProduct(shop, { ...product, reporting_capabilities: reporting })
  await givenOrder(shop)
  const ada = await admin(shop)
  const href = await hrefOf(shop)
  const booked = valueIn(await ada.read(`${href}/accept`), "booked") ?? ""
  const accepted = await ada.post(`${href}/accept`, { ...ANSWER, pricing_basis: "downloads", booked })
  expect([booked, accepted.status]).toEqual(["200000", 303])
})

test("where the key acts for another company than the one that was typed, both are shown and neither is chosen", async () => {
  await using shop = await startShop()
  await givenOrder(shop, { organization: "Kite Media" })
  const ada = await admin(shop)
  const href = await hrefOf(shop)
  const form = await ada.read(`${href}/accept`)
  expect(valueIn(form, "buyer") ?? "").toBe("")
  expect(textOf(form)).toContain("They typed “Kite Media”, but the order came by the key of Fernweh Travel.")
  expect(form).not.toContain("Autumn escapes")
  expect((await ada.post(`${href}/accept`, { ...ANSWER, buyer: "" })).status).toBe(422)
  expect((await ada.post(`${href}/accept`, { ...ANSWER, buyer: "Kite Media" })).status).toBe(303)
  const campaigns = await shop.store.campaigns.list((await shop.store.organizations.findBySlug(LIGHTHOUSE))?.id ?? 0)
  expect(campaigns.find(({ name }) => name === "First snow")?.buyer.name).toBe("Kite Media")
})

test("the company whose key it is buys, also from a seller that never sold to it before", async () => {
  await using shop = await startShop()
  const keyOfKite = {
    organizations: [{ slug: "kite", name: "Kite Media GmbH" }],
    agent_keys: [{ label: "Fernweh buying agent", buyer: "kite", opened: [] }],
  }
  expect((await importCatalogue(shop, keyOfKite, "import")).ok).toBe(true)
  await givenOrder(shop, { organization: "kite media" })
  const ada = await admin(shop)
  const href = await hrefOf(shop)
  const form = await ada.read(`${href}/accept`)
  expect(valueIn(form, "buyer")).toBe("Kite Media GmbH")
  expect(form).not.toContain("is a new buyer")
  expect((await ada.post(`${href}/accept`, { ...ANSWER, buyer: "Kite Media GmbH" })).status).toBe(303)
  const campaigns = await shop.store.campaigns.list((await shop.store.organizations.findBySlug(LIGHTHOUSE))?.id ?? 0)
  expect(campaigns.find(({ name }) => name === "First snow")?.buyer.slug).toBe("kite")
})

test("a name much like a known buyer's is asked about before it becomes a new buyer, in an order and in a campaign", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const ada = await admin(shop)
  const href = await hrefOf(shop)
  const typo = { ...ANSWER, buyer: "Fernwe Travel" }
  const refused = await ada.post(`${href}/accept`, typo)
  expect(refused.status).toBe(422)
  expect(textOf(await refused.text())).toMatch(/Do you mean Fernweh Travel\?.*Add “Fernwe Travel” as a new buyer/)
  const campaign = { name: "Winter", ...typo }
  expect((await ada.post(`${BASE}/new-campaign`, campaign)).status).toBe(422)
  expect(await shop.store.organizations.findBySlug("fernwe-travel")).toBeNull()
  expect((await ada.post(`${BASE}/new-campaign`, { ...campaign, new_buyer: "Fernwe Travel" })).status).toBe(303)
  expect(await shop.store.organizations.findBySlug("fernwe-travel")).not.toBeNull()

  // Confirmed once, it stays confirmed while something else is asked about.
  const half = await ada.post(`${BASE}/new-campaign`, { ...campaign, new_buyer: "Fernwe Travel", rate: "x" })
  expect(await half.text()).toMatch(/<input[^>]*name="new_buyer"[^>]*checked/)

  // Its name is corrected without being asked whether the wrong one is meant.
  const corrected = await ada.edit(`${BASE}/campaigns/winter/edit`, { name: "Winter", buyer: "Fernwo Travl" })
  const question = textOf(await corrected.text())
  expect(question).toContain("Show the figures to the new buyer, and no longer to Fernwe Travel")
  expect(question).not.toContain("Do you mean Fernwe Travel")

  // It is removed where it was made.
  const edit = `${BASE}/campaigns/winter/edit`
  const right = { name: "Winter", buyer: "Fernweh Travel" }
  const asked = await ada.edit(edit, right)
  expect(textOf(await asked.text())).toContain("Also remove Fernwe Travel from the buyers")
  const confirmed = { ...right, confirmed: "Fernweh Travel", remove_buyer: "yes" }
  expect((await ada.edit(edit, confirmed)).status).toBe(303)
  expect(await shop.store.organizations.findBySlug("fernwe-travel")).toBeNull()
})

test("a buyer of another campaign is not offered for removal, and not removed", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const edit = `${BASE}/campaigns/autumn-escapes/edit`
  const other = { name: "Autumn escapes", buyer: "Schauspielhaus" }
  const asked = textOf(await (await ada.edit(edit, other)).text())
  expect(asked).toContain("Show the figures to the new buyer")
  // A key of an agent acts for it.
  expect(asked).not.toContain("Also remove")
  expect((await ada.edit(edit, { ...other, confirmed: other.buyer, remove_buyer: "yes" })).status).toBe(303)
  expect(await shop.store.organizations.findBySlug("fernweh-travel")).not.toBeNull()
})

test("accepted orders get names that can be told apart", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const ada = await admin(shop)
  const form = await ada.read(`${await hrefOf(shop)}/accept`)
  expect(valueIn(form, "line_name")).toBe("City Walks, pre-roll, 23 Nov 2026 – 10 Jan 2027")
  expect(valueIn(form, "campaign_name")).toBe("Fernweh Travel GmbH: City Walks, pre-roll, 23 Nov 2026 – 10 Jan 2027")
})

test("other terms are other terms: an offer of what was asked is refused", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const ada = await admin(shop)
  const href = await hrefOf(shop)
  const same = await ada.post(`${href}/offer`, ANSWER)
  expect(same.status).toBe(422)
  expect(textOf(await same.text())).toContain("These are the terms that were asked for. Accept the order, or change")
  expect((await ada.post(`${href}/offer`, { ...ANSWER, rate: "15.00" })).status).toBe(303)
})

test("a requester who accepts an offer that changed meanwhile is told, on a page outside the app", async () => {
  await using shop = await startShop()
  const page = await givenOrder(shop)
  const ada = await admin(shop)
  const href = await hrefOf(shop)
  await ada.post(`${href}/offer`, { ...ANSWER, rate: "15.00" })
  const lena = shop.stranger()
  const seen = valueIn(await lena.read(page), "seen") ?? ""
  shop.clock.advance({ minutes: 1 })
  await ada.post(`${href}/offer`, { ...ANSWER, rate: "16.00" })
  const stale = await lena.post(`${page}/accept`, { seen })
  expect(stale.status).toBe(303)
  // A browser sends it with every page of this origin.
  expect(stale.headers.get("set-cookie")).toMatch(/adbooth_flash=.*Path=\/(?:;|$)/)
  expect(textOf(await lena.read(page))).toContain("This changed meanwhile, so nothing was done.")
})
