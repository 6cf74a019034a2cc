import { expect, test } from "bun:test"
import { currencyOf, editOrganization } from "../../../src/actions/people/organizations.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson } from "./given.ts"
import { signedIn } from "./visitor.ts"

const LINE_FIELDS = { line_name: "Banner", pricing_basis: "impressions", flight_start: "2026-11-01" }
const NEW = "/app/o/acme-audio/new-campaign"
const EDIT = "/app/o/acme-audio/campaigns/acme-only/edit"

async function given() {
  const app = await startApp()
  await givenMarket(app)
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  return { app, admin }
}

async function campaignsOf({ store }: TestApp, slug: string): Promise<string[]> {
  const organization = await store.organizations.findBySlug(slug)
  const listed = organization && (await store.campaigns.list(organization.id))
  return (listed ?? []).map(({ name, buyer }) => `${name} for ${buyer.slug}`)
}

test("a buyer's list names the sellers, and a campaign has a chart of what its days were worth", async () => {
  const { app, admin } = await given()
  await using _ = app
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  const list = await buyer.read("/app/o/brand-co/campaigns")
  expect(list).toContain("Acme Audio")
  expect(list).not.toContain(">You<")
  const line = { ...LINE_FIELDS, rate: "10", currency: "EUR", booked: "100000" }
  await admin.post(NEW, { name: "Spring", buyer: "Brand Co", ...line })
  const href = /campaigns\/spring\/lines\/[\w-]+|spring\/lines\/[\w-]+/.exec(
    await admin.read("/app/o/acme-audio/campaigns/spring"),
  )?.[0]
  const id = href?.split("/").at(-1) ?? ""
  await admin.post("/app/o/acme-audio/totals", { [`total.${id}`]: "5000", as_of: "2026-11-14", as_of_time: "" })
  expect(await buyer.read("/app/o/brand-co/campaigns/spring")).toContain("Value delivered")
})

test("no buyer is chosen beforehand, and a typed one is the buyer", async () => {
  const { app, admin } = await given()
  await using _ = app
  expect(await admin.read(NEW)).toMatch(/<datalist id="buyer-list">.*<option value="Brand Co"/s)
  const typed = { name: "Spring", buyer: "Northwind", ...LINE_FIELDS }
  expect((await admin.post(NEW, typed)).status).toBe(303)
  expect(await campaignsOf(app, "acme-audio")).toContain("Spring for northwind")
})

test.each([" brand  CO ", "brand-co", "Brand Co"])("a known buyer is found by name or slug: %p", async (buyer) => {
  const { app, admin } = await given()
  await using _ = app
  const before = (await app.store.organizations.list()).length
  expect((await admin.post(NEW, { name: "Spring", buyer, ...LINE_FIELDS })).status).toBe(303)
  expect(await campaignsOf(app, "acme-audio")).toContain("Spring for brand-co")
  expect((await app.store.organizations.list()).length).toBe(before)
})

test("somebody else's customer is nobody that a seller knows: a buyer of that name is a new one", async () => {
  const { app, admin } = await given()
  await using _ = app
  expect((await admin.post(NEW, { name: "Spring", buyer: "Other Seller", ...LINE_FIELDS })).status).toBe(303)
  expect(await campaignsOf(app, "other-seller")).not.toContain("Spring for other-seller")
  expect(await campaignsOf(app, "acme-audio")).toContain("Spring for other-seller-2")
})

test.each([
  ["the seller itself", { buyer: "ACME audio" }, /id="buyer-error".{0,400}your own organization/],
  ["no buyer", { buyer: "" }, /id="buyer-error".{0,400}Give the buyer a name/],
])("%s is asked about, and nothing is made", async (_, buyer, said) => {
  const { app, admin } = await given()
  await using _app = app
  const before = [await campaignsOf(app, "acme-audio"), (await app.store.organizations.list()).length]
  const answer = await admin.post(NEW, { name: "Spring", ...LINE_FIELDS, ...buyer })
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringMatching(said)])
  expect([await campaignsOf(app, "acme-audio"), (await app.store.organizations.list()).length]).toEqual(before)
})

test("of two buyers with the same name, the operator is asked which one", async () => {
  const { app, admin } = await given()
  await using _ = app
  expect((await admin.post(NEW, { name: "Spring", buyer: "Other Seller", ...LINE_FIELDS })).status).toBe(303)
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const asked = await operator.post(NEW, { name: "Summer", buyer: "Other Seller", ...LINE_FIELDS })
  expect([asked.status, await asked.text()]).toEqual([
    422,
    expect.stringContaining("Enter the short name: other-seller or other-seller-2."),
  ])
  expect((await operator.post(NEW, { name: "Summer", buyer: "other-seller-2", ...LINE_FIELDS })).status).toBe(303)
})

test("another buyer is confirmed first, then sees the campaign in place of the one before, and the trail says so", async () => {
  const { app, admin } = await given()
  await using _ = app
  const edit = { name: "Acme only", buyer: "Northwind" }
  const asked = await admin.edit(EDIT, edit)
  const html = await asked.text()
  expect([asked.status, html]).toEqual([422, expect.stringContaining("and Brand Co no longer will")])
  expect(await campaignsOf(app, "brand-co")).toContain("Acme only for brand-co")
  const other = await admin.edit(EDIT, { ...edit, buyer: "Southwind", confirmed: "Northwind" })
  expect(other.status).toBe(422)
  expect((await admin.edit(EDIT, { ...edit, confirmed: "Northwind" })).status).toBe(303)
  expect(await campaignsOf(app, "brand-co")).not.toContain("Acme only for brand-co")
  expect(await campaignsOf(app, "northwind")).toEqual(["Acme only for northwind"])
  const { entries } = await app.store.audit.list({ action: "edit campaign" }, { before: null, limit: 1 })
  const [entry] = entries
  expect(entry?.details).toEqual({
    before: { name: "Acme only", buyer: "brand-co" },
    after: { name: "Acme only", buyer: "northwind" },
  })
})

test("only whoever sells all of a campaign gives it to another buyer", async () => {
  const { app, admin } = await given()
  await using _ = app
  const answer = await admin.post("/app/o/acme-audio/campaigns/autumn/edit", { name: "Mine", buyer: "Northwind" })
  expect(answer.status).toBe(404)
  expect(await campaignsOf(app, "brand-co")).toContain("Autumn for brand-co")
})

test("a rate has a currency, a flat rate no quantity, and the form offers the currencies in use", async () => {
  const { app, admin } = await given()
  await using _ = app
  const typed = { name: "Spring", buyer: "Northwind", ...LINE_FIELDS }
  const bare = await admin.post(NEW, { ...typed, rate: "32" })
  expect([bare.status, await bare.text()]).toEqual([
    422,
    expect.stringMatching(/id="currency-error".{0,200}Choose the currency/),
  ])
  expect(await campaignsOf(app, "acme-audio")).toHaveLength(2)
  // The field is not there with a flat rate, so what is left in it does not count.
  const flat = await admin.follow(NEW, { ...typed, name: "Flat", pricing_basis: "flat_rate", booked: "5" })
  expect(await flat.text()).toContain("Not delivered yet")
  expect((await admin.post(NEW, { ...typed, rate: "32", currency: "sek" })).status).toBe(303)
  for (const path of [NEW, "/app/o/acme-audio/campaigns/acme-only/new-line"])
    expect(await admin.read(path)).toMatch(
      /name="currency"[^>]*value="SEK".*<datalist id="currency-list"><option value="SEK"/s,
    )
})

test("a new line is like the last one of its campaign, and another can follow at once", async () => {
  const { app, admin } = await given()
  await using _ = app
  const lines = "/app/o/acme-audio/campaigns/acme-only"
  const typed = {
    line_name: "Podcast",
    pricing_basis: "downloads",
    flight_start: "2026-11-05",
    flight_end: "2026-12-24",
    booked: "5000",
    rate: "25",
    currency: "CHF",
    external_id: "P-1",
  }
  const again = await admin.follow(`${lines}/lines`, { ...typed, again: "yes" })
  const html = await again.text()
  expect(html).toContain("Podcast has been added.")
  for (const [name, value] of [
    ["flight_start", "2026-11-05"],
    ["flight_end", "2026-12-24"],
    ["rate", "25"],
    ["currency", "CHF"],
    ["line_name", ""],
    ["booked", ""],
    ["external_id", ""],
  ])
    expect(html).toMatch(new RegExp(`name="${name}"[^>]* value(="${value}"|(?=[ />]))`))
  expect(html).toMatch(/value="downloads" checked/)
  const other = await admin.read(`${lines}/new-line`)
  expect(other).toMatch(/value="downloads" checked/)
  // In the flight of the campaign, whatever the last line's is.
  await admin.post(`${lines}/lines`, {
    ...typed,
    line_name: "Evening",
    external_id: "",
    flight_start: "2026-11-20",
    flight_end: "2026-11-20",
  })
  for (const field of [/name="flight_start"[^>]*>/, /name="flight_end"[^>]*>/])
    expect(field.exec(await admin.read(`${lines}/new-line`))?.[0]).toBe(field.exec(other)?.[0] ?? "")
})

test("the settings of an organization that only buys have nothing of selling, and are saved without it", async () => {
  const { app, admin } = await given()
  await using _ = app
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co", role: "admin" }))
  const isOfSelling = (html: string) => /name="currency"|name="logo"|counts at the end of that day/.test(html)
  expect(isOfSelling(await admin.read("/app/o/acme-audio/settings"))).toBe(true)
  expect(isOfSelling(await buyer.read("/app/o/brand-co/settings"))).toBe(false)
  const brand = { slug: "brand-co", name: "Brand Co", timeZone: "UTC", currency: "CHF" }
  expect(await editOrganization(app, brand, { actor: "test" })).toMatchObject({ outcome: "done" })
  await buyer.edit("/app/o/brand-co/settings", { name: "Brand Corp", time_zone: "Europe/Paris" })
  const saved = await app.store.organizations.findBySlug("brand-co")
  expect(saved).toMatchObject({ name: "Brand Corp" })
  expect(saved && (await currencyOf(app.store, saved))).toBe("CHF")
})
