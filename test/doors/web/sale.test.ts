import { expect, test } from "bun:test"
import { exportCatalogue } from "../../../src/actions/catalogue/export-catalogue.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { nameContact } from "../../../src/actions/operations/agent-settings.ts"
import { switchTakingOrders } from "../../../src/actions/sale/order-links.ts"
import { givenPerson } from "./given.ts"
import { CITY_LINE, givenOrder, LIGHTHOUSE, type Shop, startShop } from "./given-sale.ts"
import { PIXEL } from "./paths.ts"
import { reportLine } from "./report-anyway.ts"
import { signedIn, textOf, type Visitor } from "./visitor.ts"

const BASE = `/app/o/${LIGHTHOUSE}`

const admin = async (shop: Shop, of = LIGHTHOUSE) => signedIn(shop, await givenPerson(shop, { of, role: "admin" }))
const idOf = async (shop: Shop) => (await shop.store.orders.list(null))[0]?.id ?? ""

const ACCEPTED = {
  buyer: "Fernweh Travel",
  campaign: "new",
  campaign_name: "First snow",
  line_name: "City Walks, pre-roll",
  pricing_basis: "impressions",
  rate: "14.50",
  currency: "EUR",
  booked: "200,000",
  flight_start: "2026-11-23",
  flight_end: "2027-01-10",
  message: "Welcome aboard.",
}

test("what waits is counted in the menu, first on Today, and gone with the switch", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const ada = await admin(shop)
  const today = textOf(await ada.read(BASE))
  expect(today).toContain("Orders 1 need")
  expect(today).toMatch(
    /Needs your attention (?:What counts as behind\? )?1 order to answer Fernweh Travel GmbH wants City Walks, pre-roll for €2,900.00/,
  )
  await switchTakingOrders(shop, false, "test")
  expect(await ada.read(BASE)).not.toContain(`${BASE}/orders"`)
})

test("a seller accepts with the form filled in, and the requester sees the line and nothing else", async () => {
  await using shop = await startShop()
  const page = await givenOrder(shop)
  const ada = await admin(shop)
  const href = `${BASE}/orders/${await idOf(shop)}`
  const form = await ada.read(`${href}/accept`)
  for (const value of ["Fernweh Travel", "200000", "14.50", "2026-11-23", "2027-01-10"])
    expect(form).toContain(`value="${value}"`)
  const changed = await ada.post(`${href}/accept`, { ...ACCEPTED, rate: "15.00" })
  expect(changed.status).toBe(422)
  expect(textOf(await changed.text())).toContain("Changed terms are an offer")
  const receipt = textOf(await (await ada.follow(`${href}/accept`, ACCEPTED)).text())
  expect(receipt).toContain("Accepted: €2,900.00 booked")
  const outside = textOf(await shop.stranger().read(page))
  for (const shown of ["Booked", "200,000", "Welcome aboard."]) expect(outside).toContain(shown)
  for (const hidden of ["First snow", "Autumn escapes", "Person", "Theatre"]) expect(outside).not.toContain(hidden)
})

test("an order opens with whether there is room for it", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const ada = await admin(shop)
  const href = `${BASE}/orders/${await idOf(shop)}`
  expect(textOf(await ada.read(href))).toContain(
    "1 other line of it runs at that time. This order adds 4,082 a day from 23 Nov.",
  )
  const line = `${BASE}/campaigns/autumn-escapes/lines/${CITY_LINE}`
  for (const [as_of, impressions] of [
    ["2026-11-08", "170000"],
    ["2026-11-15", "216363"],
  ] as const)
    await reportLine(ada, line, { impressions, as_of })
  expect(textOf(await ada.read(href))).toMatch(
    /City Walks, pre-roll is short until 5 Dec Autumn escapes needs 10,\d{3} impressions a day, delivers 6,\d{3}\. This order adds 4,082 a day from 23 Nov\./,
  )
})

test("lines that run in the days of an offer are shown with the days that both have", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const ada = await admin(shop)
  const href = `${BASE}/orders/${await idOf(shop)}`
  expect(textOf(await ada.read(href))).toMatch(/1 line runs at that time .* 12 Oct 2026 – 5 Dec 2026 13 days/)
  await ada.post(`${href}/offer`, { ...ACCEPTED, flight_start: "2026-11-16", flight_end: "2026-11-20" })
  expect(textOf(await ada.read(href))).toMatch(/1 line runs at that time .* 12 Oct 2026 – 5 Dec 2026 5 days/)
})

test("whoever answers later is told, and keeps what was typed", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const [ada, henry] = [await admin(shop), await admin(shop)]
  const href = `${BASE}/orders/${await idOf(shop)}`
  await henry.post(`${href}/accept`, ACCEPTED)
  const offer = { ...ACCEPTED, flight_start: "2026-12-07", rate: "13.50", message: "A lower price" }
  const late = await (await ada.post(`${href}/offer`, offer)).text()
  expect(textOf(late)).toMatch(/Person \d+ accepted this order at 09:10/)
  expect(textOf(late)).toContain("Nothing was sent. What you typed is still in the form. Open line")
  expect(late).toContain("A lower price")
  const [line] = (await shop.store.orders.list(null)).map(({ packageId }) => packageId)
  expect(late).toContain(`href="${BASE}/campaigns/first-snow/lines/${line}"`)
  const declined = await (await ada.post(`${href}/decline`, { message: "Full." })).text()
  expect(textOf(declined)).toContain("What you typed is still in the form. Open line")
  const again = await (await ada.post(`${href}/accept`, ACCEPTED)).text()
  expect(textOf(again)).toContain("accepted this order at")
  expect(
    (await shop.store.packageLines.listWithTotals(null)).filter(({ campaign }) => campaign === "first-snow"),
  ).toHaveLength(1)
})

test("a request leads to the order that followed from it, whichever seller the operator looked at before", async () => {
  await using shop = await startShop()
  const other = {
    organizations: [{ slug: "another", name: "Another" }],
    product_sellers: [
      { product_id: "city-walks-preroll", seller: LIGHTHOUSE },
      { product_id: "weekend-newsletter", seller: "another" },
    ],
  }
  expect(await importCatalogue(shop, other, "test")).toMatchObject({ ok: true })
  await givenOrder(shop)
  await shop.store.flushWriteBuffer()
  const operator = await signedIn(shop, await givenPerson(shop, { isOperator: true }))
  await operator.read("/app/o/another")
  const [, request = ""] =
    /href="(\/app\/operator\/request\/\d+)"/.exec(await operator.read("/app/operator/requests")) ?? []
  const [, order = ""] = /It led to an order: <a href="([^"]+)"/.exec(await operator.read(request)) ?? []
  expect(textOf(await operator.read(order))).toContain("City Walks, pre-roll")
})

test("whoever answers an order that was declined meanwhile is led to it", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const [ada, henry] = [await admin(shop), await admin(shop)]
  const href = `${BASE}/orders/${await idOf(shop)}`
  await henry.post(`${href}/decline`, { message: "Full." })
  const late = await (await ada.post(`${href}/accept`, ACCEPTED)).text()
  expect(textOf(late)).toMatch(/Person \d+ declined this order at 09:10\. .* Open order/)
  expect(late).toMatch(new RegExp(`href="${href}"[^>]*>[^<]*Open order`))
})

test("a price that changed since is marked, and accepting takes the one that was asked", async () => {
  await using shop = await startShop()
  await givenOrder(shop)
  const { products } = await shop.store.catalogue.contents()
  const dearer = structuredClone(products.get("city-walks-preroll")) as { pricing_options: { fixed_price: number }[] }
  for (const option of dearer.pricing_options) option.fixed_price = 15.2
  const { saveProduct } = await import("../../given.ts")
  expect(await saveProduct(shop, dearer)).toEqual([])
  const ada = await admin(shop)
  const href = `${BASE}/orders/${await idOf(shop)}`
  expect(textOf(await ada.read(href))).toContain("€15.20 Changed")
  expect((await ada.post(`${href}/accept`, ACCEPTED)).status).toBe(303)
})

test("a stranger's text stays text in pages and files of the seller", async () => {
  await using shop = await startShop()
  const hostile = { organization: "=1+1 <script>x</script>", name: "=HYPERLINK(1)", note: "<img src=x>\nשלום" }
  await givenOrder(shop, hostile)
  const ada = await admin(shop)
  const id = await idOf(shop)
  for (const path of ["", `/${id}`, `/${id}/accept`, `/${id}/offer`, `/${id}/decline`]) {
    const html = await ada.read(`${BASE}/orders${path}`)
    expect(html).not.toMatch(/<script>x|<img src=x/)
  }
  const file = await ada.read(`${BASE}/orders.csv`)
  expect(file).toContain("Line ID for the API")
  expect(file).toContain("'=1+1")
  expect(file).not.toMatch(/(?:^|,)"?=/m)
})

const product_sellers = [{ product_id: "city-walks-preroll", seller: "other" }]

/** A second seller, with a line. */
async function givenOther(shop: Shop, more: object = {}) {
  const other = { slug: "other", name: "Other & Sons", time_zone: "UTC" }
  const line = {
    package_id: crypto.randomUUID(),
    seller: "other",
    name: "Banner",
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
  }
  const campaigns = [{ slug: "banners", name: "Banners", buyer: "fernweh-travel", lines: [line] }]
  const outcome = await importCatalogue(shop, { organizations: [other], campaigns, ...more } as never, "import")
  expect(outcome.ok).toBe(true)
}

test("with two sellers the order of a product goes to its seller, who is named from the first page on", async () => {
  await using shop = await startShop()
  await givenOther(shop, { product_sellers })
  const named = "Other &amp; Sons"
  expect(await shop.stranger().read(await shop.orderPath())).toContain(`Order from ${named}`)
  const page = await givenOrder(shop)
  expect(await shop.stranger().read(page)).toContain(`Waiting for ${named}`)
  // With its logo, for whoever has the link.
  const other = await shop.store.organizations.findBySlug("other")
  if (other === null) throw new Error("there is no other seller")
  const logo = { mediaType: "image/png", base64: PIXEL } as const
  await shop.store.organizations.setLogo(other, logo, { actor: "test", at: shop.clock() })
  for (const path of [page, await shop.orderPath()]) {
    expect(await shop.stranger().read(path)).toContain(`src="${path}/logo"`)
    expect((await shop.stranger().get(`${path}/logo`)).headers.get("content-type")).toBe("image/png")
  }
  const id = await idOf(shop)
  const [ada, zoe] = [await admin(shop), await admin(shop, "other")]
  expect((await ada.get(`${BASE}/orders/${id}`)).status).toBe(404)
  expect((await zoe.get(`/app/o/other/orders/${id}`)).status).toBe(200)
  expect((await zoe.post(`/app/o/other/orders/${id}/decline`, { message: "Full." })).status).toBe(303)
  expect(await shop.stranger().read(page)).toContain(`${named} declined`)
  const { product_sellers: exported } = await exportCatalogue(shop)
  expect(exported).toEqual(product_sellers)
})

test("with two sellers an order is its answerer's alone, and nobody else's", async () => {
  await using shop = await startShop()
  await givenOther(shop)
  await givenOrder(shop)
  const id = await idOf(shop)
  const [ada, zoe] = [await admin(shop), await admin(shop, "other")]
  const olga = await signedIn(shop, await givenPerson(shop, { isOperator: true }))
  expect((await ada.get(`${BASE}/orders/${id}`)).status).toBe(404)
  expect((await olga.post(`${BASE}/orders/${id}/decline`, { message: "Full." })).status).toBe(303)
  expect((await ada.get(`${BASE}/orders/${id}`)).status).toBe(200)
  expect((await zoe.get(`/app/o/other/orders/${id}`)).status).toBe(404)
})

test("what is missing can be made good once the campaign is over; before, its statement says that it runs", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const draftOf = async (campaign: string) => textOf(await ada.read(`${BASE}/campaigns/${campaign}/statements/new`))
  const [running, over] = [await draftOf("autumn-escapes"), await draftOf("theatre-season")]
  expect([running, over].map((text) => text.includes("The campaign is still running."))).toEqual([true, false])
  expect([running, over].map((text) => text.includes("Add a make-good line"))).toEqual([false, true])
})

test("a campaign that begins later is not said to run", async () => {
  await using shop = await startShop({ now: "2026-10-01T08:00:00Z" })
  const draft = textOf(await (await admin(shop)).read(`${BASE}/campaigns/autumn-escapes/statements/new`))
  expect(draft).toContain("The campaign has not begun.")
})

test("the buyer reads a frozen statement in the app and on the share link, and never a draft", async () => {
  await using shop = await startShop()
  const [ada, buyer] = [await admin(shop), await admin(shop, "schauspielhaus")]
  const statements = `${BASE}/campaigns/theatre-season/statements`
  const typed = {
    from: "Lighthouse Audio\nSpeicherweg 12",
    to: "=Haus",
    reference: "SH-77",
    what_0: "discount",
    text_0: "=5%",
    amount_0: "−10",
    currency_0: "EUR",
  }
  const draft = (await ada.post(`${statements}/new`, { ...typed, draft: "yes" })).headers.get("location") ?? ""
  expect(await ada.read(draft)).toContain(`href="${draft}/discard"`)
  const theirs = draft.replace(LIGHTHOUSE, "schauspielhaus")
  expect((await buyer.get(theirs)).status).toBe(404)
  const asked = await (await ada.post(draft, typed)).text()
  expect(textOf(asked)).toContain("Freeze this statement of -€10.00?")
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(asked)?.[1] ?? ""
  expect((await ada.post(draft, { ...typed, confirmed: "EUR 1.00" })).status).toBe(422)
  expect((await ada.post(draft, { ...typed, confirmed })).status).toBe(303)
  expect(textOf(await buyer.read(theirs))).toContain("Statement of delivery No. 2026-001")
  // Who it was concerns the seller alone.
  expect(textOf(await ada.read(draft))).toMatch(/Frozen by Person \d+ on /)
  expect(textOf(await buyer.read(theirs))).not.toContain("Frozen by")
  expect((await buyer.post(`${theirs}/paid`, { paid_on: "2026-11-16" })).status).toBe(404)
  expect(await ada.read(`${draft}?csv`)).toContain("'=5%")
  const shared = await ada.follow(`${BASE}/campaigns/theatre-season/share`, { label: "Guest", days: "30" })
  const link = /\/app\/share\/[\w-]+/.exec(await shared.text())?.[0] ?? ""
  await nameContact(shop, "Write to us.", "test")
  const report = textOf(await shop.stranger().read(link))
  for (const shown of ["2026-001", "Questions? Write to us. Reported with"]) expect(report).toContain(shown)
  const sheet = await shop.stranger().get(`${link}/statements/${draft.split("/").at(-1)}`)
  expect(textOf(await sheet.text())).toContain("SH-77")
})

/** Freezes the next statement of a campaign; its address. */
async function frozen(ada: Visitor, campaign: string): Promise<string> {
  const statements = `${BASE}/campaigns/${campaign}/statements`
  const asked = await (await ada.post(`${statements}/new`, { from: "Lighthouse", to: "Buyer" })).text()
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(asked)?.[1] ?? ""
  const sent = await ada.post(`${statements}/new`, { from: "Lighthouse", to: "Buyer", confirmed })
  return sent.headers.get("location") ?? ""
}

test("whoever is late with a statement is told: a draft that is frozen meanwhile is not cancelled, and one that is cancelled is not paid", async () => {
  await using shop = await startShop()
  const ada = await admin(shop)
  const statements = `${BASE}/campaigns/theatre-season/statements`
  const typed = { from: "Lighthouse", to: "Haus" }
  const draft = (await ada.post(`${statements}/new`, { ...typed, draft: "yes" })).headers.get("location") ?? ""
  const other = await ada.post(`${statements}/new`, { ...typed, reference: "Mine", draft: "yes" })
  const shown = await other.text()
  expect([other.status, textOf(shown)]).toEqual([422, expect.stringContaining("saving it replaces the other")])
  expect(shown).toContain(`action="${draft}"`)
  expect(shown).toContain('value="Mine"')
  expect(await ada.read(draft)).not.toContain("Mine")
  expect(textOf(await ada.read(`${draft}/discard`))).toContain("Discard this draft?")
  expect((await ada.post(`${draft}/cancel`)).status).toBe(404)
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(await (await ada.post(draft, typed)).text())?.[1] ?? ""
  expect((await ada.post(draft, { ...typed, confirmed })).status).toBe(303)
  const twice = textOf(await (await ada.follow(draft, { ...typed, confirmed })).text())
  expect(twice).toMatch(/This changed meanwhile, so nothing was done\..* Statement of delivery No\. 2026-001/)
  expect((await ada.post(`${draft}/discard`)).status).toBe(404)
  expect(textOf(await ada.read(draft))).toContain("Frozen by")
  expect(textOf(await (await ada.follow(`${draft}/cancel`)).text())).toContain("The statement is cancelled.")
  const late = textOf(await (await ada.follow(`${draft}/paid`, { paid_on: "2026-11-16" })).text())
  expect(late).toContain("This changed meanwhile, so nothing was done.")
  expect(late).not.toContain("is paid")
})

test("a statement that was cancelled does not settle an order", async () => {
  await using shop = await startShop()
  const page = await givenOrder(shop)
  const ada = await admin(shop)
  await ada.follow(`${BASE}/orders/${await idOf(shop)}/accept`, ACCEPTED)
  const statement = await frozen(ada, "first-snow")
  const read = async () => textOf(await shop.stranger().read(page))
  expect(await read()).toContain("Statement 2026-001")
  expect((await ada.post(`${statement}/cancel`)).status).toBe(303)
  const after = await read()
  expect(after).toContain("Statement 2026-001 It was cancelled. Open the statement")
  expect(after).toContain("The statement of delivery appears here once it is settled.")
})
