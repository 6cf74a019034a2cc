import { describe, expect, test } from "bun:test"
import { plainFormat, plainProduct } from "../../domain/adcp/schema/documents.ts"
import { saveFormat, saveProduct } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson, OWN_LINE } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

type Fields = Readonly<Record<string, string>>

interface EditForm {
  readonly path: (app: TestApp) => Promise<string>
  /** The whole form with one field in which two people disagree. */
  readonly fields: (contested: string) => Fields
  readonly stored: (app: TestApp) => Promise<unknown>
}

const ACME_ONLY = "/app/o/acme-audio/campaigns/acme-only"
const organization = async ({ store }: TestApp) => (await store.organizations.findBySlug("acme-audio"))?.name
const acmeOnly = async ({ store }: TestApp) => {
  const acme = await store.organizations.findBySlug("acme-audio")
  return store.campaigns.find(acme?.id ?? 0, "acme-only", { packageId: OWN_LINE })
}
const product = async ({ store }: TestApp) => (await store.catalogue.products())[0]?.body as typeof plainProduct
const format = async ({ store }: TestApp) => (await store.catalogue.formats())[0]?.body as typeof plainFormat
let userId = 0

const FORMS: Readonly<Record<string, EditForm>> = {
  "the price of a product": {
    path: async () => `/app/operator/product/${plainProduct.product_id}`,
    fields: (price) => ({
      name: plainProduct.name,
      description: plainProduct.description,
      publishers: "news.example",
      formats: "display_970x250_image",
      delivery_type: "guaranteed",
      pricing_model: "cpm",
      price_kind: "fixed_price",
      currency: "EUR",
      price,
      metrics: "impressions",
    }),
    stored: async (app) => String(Object.values((await product(app)).pricing_options[0] ?? {}).find(Number.isFinite)),
  },
  "a product as JSON": {
    path: async () => `/app/operator/product/${plainProduct.product_id}/json`,
    fields: (name) => ({ json: JSON.stringify({ ...plainProduct, name }) }),
    stored: async (app) => (await product(app)).name,
  },
  "a format": {
    path: async () => `/app/operator/format/${plainFormat.format_id.id}`,
    fields: (name) => ({ name }),
    stored: async (app) => (await format(app)).name,
  },
  "a format as JSON": {
    path: async () => `/app/operator/format/${plainFormat.format_id.id}/json`,
    fields: (name) => ({ json: JSON.stringify({ ...plainFormat, name }) }),
    stored: async (app) => (await format(app)).name,
  },
  "a campaign": {
    path: async () => `${ACME_ONLY}/edit`,
    fields: (name) => ({ name, buyer: "brand-co" }),
    stored: async (app) => (await acmeOnly(app))?.name,
  },
  "a line": {
    path: async () => `${ACME_ONLY}/lines/${OWN_LINE}/edit`,
    fields: (booked) => ({ line_name: "Mid-roll", pricing_basis: "impressions", flight_start: "2026-11-01", booked }),
    stored: async (app) => String((await acmeOnly(app))?.lines[0]?.booked),
  },
  "an organization, by the operator": {
    path: async () => "/app/operator/organizations/acme-audio",
    fields: (name) => ({ name, time_zone: "Europe/Berlin" }),
    stored: organization,
  },
  "an organization, by its admin": {
    path: async () => "/app/o/acme-audio/settings",
    fields: (name) => ({ name, time_zone: "Europe/Berlin" }),
    stored: organization,
  },
  "a user": {
    path: async (app) => {
      userId = await givenPerson(app, { of: "acme-audio" })
      return `/app/operator/users/${userId}`
    },
    fields: (name) => ({ name, "role:acme-audio": "member" }),
    stored: async (app) => (await app.store.users.findById(userId))?.name,
  },
}

async function hiddenOf(html: string): Promise<Fields> {
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""
  return { revision: hidden("revision"), shown: hidden("shown") }
}

async function given(): Promise<{ app: TestApp; person: Visitor }> {
  const app = await startApp()
  await givenMarket(app)
  await saveFormat(app, plainFormat, "test")
  await saveProduct(app, plainProduct, "test")
  return { app, person: await signedIn(app, await givenPerson(app, { isOperator: true })) }
}

describe.each(Object.entries(FORMS))("%s", (_, { path: pathOf, fields, stored }) => {
  test("saved from an older tab is refused with both versions, and can be saved again", async () => {
    const { app, person } = await given()
    await using _ = app
    const path = await pathOf(app)
    const older = await hiddenOf(await person.read(path))
    expect((await person.edit(path, fields("20"))).status).toBe(303)
    expect(await stored(app)).toBe("20")
    const refused = await person.post(path, { ...fields("30"), ...older })
    const html = await refused.text()
    expect(refused.status).toBe(422)
    expect(await stored(app)).toBe("20")
    expect(html).toContain("after you opened it")
    expect(html).toMatch(/value="30"|"name":"30"|&quot;name&quot;:&quot;30&quot;/)
    expect(html).toContain("Use their version")
    expect((await person.post(path, { ...fields("30"), ...(await hiddenOf(html)) })).status).toBe(303)
    expect(await stored(app)).toBe("30")
  })

  test("saved by two at once is saved by exactly one", async () => {
    const { app, person } = await given()
    await using _ = app
    const path = await pathOf(app)
    const seen = await hiddenOf(await person.read(path))
    const answers = await Promise.all(["20", "30", "40"].map((text) => person.post(path, { ...fields(text), ...seen })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422])
  })

  test("is not saved by a form that does not say what it began with", async () => {
    const { app, person } = await given()
    await using _ = app
    const path = await pathOf(app)
    const before = await stored(app)
    expect((await person.post(path, fields("20"))).status).toBe(422)
    expect(await stored(app)).toBe(before)
  })
})

test("after a conflict, what only somebody else changed is shown as they left it", async () => {
  const { app, person } = await given()
  await using _ = app
  const path = `${ACME_ONLY}/lines/${OWN_LINE}/edit`
  const line = { pricing_basis: "impressions", flight_start: "2026-11-01", flight_end: "2026-11-30" }
  const older = await hiddenOf(await person.read(path))
  await person.edit(path, { ...line, line_name: "Mid-roll", booked: "700000" })
  const html = await (await person.post(path, { ...line, line_name: "Renamed", booked: "500000", ...older })).text()
  expect(html).toContain('value="700000"')
  expect(html).toContain('value="Renamed"')
  expect(html).toContain("Someone else changed this to “700000”. It is shown here now.")
  expect(html).not.toContain("Someone else changed this to “Mid-roll”")
})

test("after a conflict, a field that both changed to the same is not marked", async () => {
  const { app, person } = await given()
  await using _ = app
  const path = `${ACME_ONLY}/lines/${OWN_LINE}/edit`
  const line = { pricing_basis: "impressions", flight_start: "2026-11-01", flight_end: "2026-11-30", booked: "700000" }
  const older = await hiddenOf(await person.read(path))
  await person.edit(path, { ...line, line_name: "Mid-roll" })
  const html = await (await person.post(path, { ...line, line_name: "Renamed", ...older })).text()
  expect(html).toContain("after you opened it")
  expect(html).not.toContain("Someone else changed this")
})
