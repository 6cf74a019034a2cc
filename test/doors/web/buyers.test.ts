import { expect, test } from "bun:test"
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

test("no buyer is chosen beforehand, and a typed one is the buyer", async () => {
  const { app, admin } = await given()
  await using _ = app
  expect(await admin.read(NEW)).not.toMatch(
    /<option[^>]*value="brand-co"[^>]*selected|<option[^>]*selected[^>]*value="brand-co"/,
  )
  const typed = { name: "Spring", new_buyer: "Northwind", ...LINE_FIELDS }
  expect((await admin.post(NEW, typed)).status).toBe(303)
  expect(await campaignsOf(app, "acme-audio")).toContain("Spring for northwind")
})

test.each([
  [
    "a chosen buyer and a typed one",
    { buyer: "brand-co", new_buyer: "Northwind" },
    /id="new_buyer-error".{0,400}You chose Brand Co/,
  ],
  ["the seller itself", { buyer: "", new_buyer: "ACME audio" }, /id="new_buyer-error".{0,400}your own organization/],
  ["no buyer", { buyer: "", new_buyer: "" }, /id="buyer-error".{0,400}Choose a buyer/],
  [
    "a new buyer with a known name",
    { buyer: "", new_buyer: " brand  CO " },
    /id="new_buyer-error".{0,400}already a buyer named Brand Co/,
  ],
  [
    "a new buyer with a known slug",
    { buyer: "", new_buyer: "brand-co" },
    /id="new_buyer-error".{0,400}already a buyer named Brand Co/,
  ],
  ["another's customer", { buyer: "other-seller", new_buyer: "" }, /id="buyer-error".{0,400}not one of yours/],
])("%s is asked about, and nothing is made", async (_, buyer, said) => {
  const { app, admin } = await given()
  await using _app = app
  const before = [await campaignsOf(app, "acme-audio"), (await app.store.organizations.list()).length]
  const answer = await admin.post(NEW, { name: "Spring", ...LINE_FIELDS, ...buyer })
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringMatching(said)])
  expect([await campaignsOf(app, "acme-audio"), (await app.store.organizations.list()).length]).toEqual(before)
})

test("another buyer is confirmed first, then sees the campaign in place of the one before, and the trail says so", async () => {
  const { app, admin } = await given()
  await using _ = app
  const edit = { name: "Acme only", buyer: "", new_buyer: "Northwind" }
  const asked = await admin.edit(EDIT, edit)
  const html = await asked.text()
  expect([asked.status, html]).toEqual([422, expect.stringContaining("and Brand Co no longer will")])
  expect(await campaignsOf(app, "brand-co")).toContain("Acme only for brand-co")
  const other = await admin.edit(EDIT, { ...edit, new_buyer: "Southwind", confirmed: "new Northwind" })
  expect(other.status).toBe(422)
  expect((await admin.edit(EDIT, { ...edit, confirmed: "new Northwind" })).status).toBe(303)
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
  const answer = await admin.post("/app/o/acme-audio/campaigns/autumn/edit", { name: "Mine", new_buyer: "Northwind" })
  expect(answer.status).toBe(404)
  expect(await campaignsOf(app, "brand-co")).toContain("Autumn for brand-co")
})

test("a rate has a currency, a flat rate no quantity, and the form offers the currencies in use", async () => {
  const { app, admin } = await given()
  await using _ = app
  const typed = { name: "Spring", new_buyer: "Northwind", ...LINE_FIELDS }
  const bare = await admin.post(NEW, { ...typed, rate: "32" })
  expect([bare.status, await bare.text()]).toEqual([
    422,
    expect.stringMatching(/id="currency-error".{0,200}Choose the currency/),
  ])
  const flat = await admin.post(NEW, { ...typed, pricing_basis: "flat_rate", booked: "5" })
  expect([flat.status, await flat.text()]).toEqual([
    422,
    expect.stringMatching(/id="booked-error".{0,200}A flat rate has no/),
  ])
  expect(await campaignsOf(app, "acme-audio")).toHaveLength(2)
  expect((await admin.post(NEW, { ...typed, rate: "32", currency: "sek" })).status).toBe(303)
  for (const path of [NEW, "/app/o/acme-audio/campaigns/acme-only/new-line"])
    expect(await admin.read(path)).toMatch(
      /name="currency"[^>]*value="SEK".*<datalist id="currency-list"><option value="SEK"/s,
    )
})
