import { expect, test } from "bun:test"
import { hideFormat } from "../../../../src/actions/catalogue/edit-catalogue.ts"
import { createAgentKey, revokeAgentKey } from "../../../../src/actions/keys/keys.ts"
import { plainFormat, plainProduct } from "../../../domain/adcp/schema/documents.ts"
import { saveProduct } from "../../../given.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { signedIn, type Visitor } from "../visitor.ts"

const OPERATOR = "/app/operator"

async function startWithOperator(): Promise<{ app: TestApp; olga: Visitor; id: number }> {
  const app = await startApp()
  const id = await givenPerson(app, { isOperator: true })
  return { app, olga: await signedIn(app, id), id }
}

test("an organization is created and edited; a taken slug is said at the field", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const acme = { slug: "acme", name: "Acme", time_zone: "Europe/Berlin" }
  expect((await olga.post(`${OPERATOR}/organizations/new`, acme)).status).toBe(303)
  const again = await olga.post(`${OPERATOR}/organizations/new`, acme)
  expect([again.status, await again.text()]).toEqual([
    422,
    expect.stringContaining("There is already an organization with this short name"),
  ])
  const wrong = await olga.post("/app/o/acme/settings", { name: "", time_zone: "Mars/Base" })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining("Enter a city or a time zone")])
  await olga.edit("/app/o/acme/settings", { name: "Acme Audio", time_zone: "UTC" })
  expect(await app.store.organizations.findBySlug("acme")).toMatchObject({ name: "Acme Audio", timeZone: "UTC" })
})

test("a name that makes no short name is said at the field; the permanent one is never chosen for somebody", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const fields = { name: "日本", slug: "", time_zone: "UTC" }
  for (const path of [`${OPERATOR}/organizations/new`, "/app/set-up"]) {
    const answer = await olga.post(path, { ...fields, currency: "EUR" })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("Enter a short name.")])
  }
  expect(await app.store.organizations.list()).toEqual([])
  const product = await olga.post(`${OPERATOR}/products/new`, { ...typed, name: "日本", product_id: "" })
  expect([product.status, await product.text()]).toEqual([422, expect.stringContaining("Enter a product ID.")])
  expect(await app.store.catalogue.products()).toEqual([])
})

test("a name that is also the short name of another organization picks neither of them unasked", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const create = (slug: string, name: string) =>
    olga.post(`${OPERATOR}/organizations/new`, { slug, name, time_zone: "UTC" })
  await create("brand-co", "Brand Company")
  await create("other", "brand-co")
  const refused = await olga.post(`${OPERATOR}/agent-keys`, { label: "ada", buyer: "brand-co" })
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining("Brand Company (brand-co), brand-co (other)"),
  ])
  await olga.post(`${OPERATOR}/agent-keys`, { label: "ada", buyer: "brand-co (other)" })
  await olga.post(`${OPERATOR}/agent-keys`, { label: "eve", buyer: "Brand Company (brand-co)" })
  expect(await buyersOf(app)).toEqual({ ada: "brand-co", eve: "Brand Company" })
})

const buyersOf = async (app: TestApp) =>
  Object.fromEntries((await app.store.agentKeys.list()).map(({ label, buyerName }) => [label, buyerName]))

test("a new link for a password is shown once and works", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const page = `${OPERATOR}/users/${await givenPerson(app)}`
  const html = await (await olga.follow(`${page}/link`, {})).text()
  const [path = ""] = /\/app\/password\/[\w-]+/.exec(html) ?? []
  expect((await app.fetch(path)).status).toBe(200)
  expect(await olga.read(page)).not.toContain("/app/password/")
})

test("a key's buyer is found by name or short name, however many organizations there are", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const names = Array.from({ length: 201 }, (_, i) => ({ slug: `org-${i}`, name: `Company ${i}`, timeZone: "UTC" }))
  for (const one of names) await app.store.organizations.create(one, { actor: "test", at: app.clock() })
  const create = (buyer: string, label: string) => olga.post(`${OPERATOR}/agent-keys`, { label, buyer })
  const refused = await create("org-999", "ada")
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining("There is no such organization"),
  ])
  await create("company 200", "eve")
  await create("org-7", "ada")
  expect(await buyersOf(app)).toEqual({ ada: "Company 7", eve: "Company 200" })
})

test("somebody's organizations are named on their page, and stay when it is saved", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  await olga.post(`${OPERATOR}/organizations/new`, { slug: "acme", name: "Acme", time_zone: "UTC" })
  const ada = await givenPerson(app, { of: "acme", role: "admin" })
  expect(await olga.read(`${OPERATOR}/users/${ada}`)).toContain(`/app/o/acme/members/${ada}`)
  await olga.edit(`${OPERATOR}/users/${ada}`, { name: "Ada", operator: "yes" })
  expect(await app.store.users.findById(ada)).toMatchObject({
    name: "Ada",
    isOperator: true,
    memberships: [{ organization: "acme", role: "admin" }],
  })
})

test("the last operator can neither be removed nor lose the right", async () => {
  const { app, olga, id } = await startWithOperator()
  await using _ = app
  const edited = await olga.edit(`${OPERATOR}/users/${id}`, { name: "Olga" })
  expect([edited.status, await edited.text()]).toEqual([422, expect.stringContaining("last operator")])
  await olga.post(`${OPERATOR}/users/${id}/remove`)
  expect((await app.store.users.findById(id))?.isOperator).toBe(true)
})

const typed = {
  name: "Billboard",
  product_id: "billboard",
  description: "The wide place.",
  publishers: "news.example",
  formats: "display_970x250_image",
  delivery_type: "guaranteed",
  "prices.0.~shape": "price",
  "prices.0.pricing_model": "cpm",
  "prices.0.price_kind": "fixed_price",
  "prices.0.currency": "EUR",
  "prices.0.price": "9.80",
  metrics: "impressions",
}

test("the form makes a product, and says at the field what is wrong", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const wrong = await olga.post(`${OPERATOR}/products/new`, { ...typed, "prices.0.currency": "EURO" })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toMatch(/id="prices.0.currency-error">.{0,400}Enter the currency as three letters/)
  expect((await olga.post(`${OPERATOR}/products/new`, typed)).status).toBe(303)
  expect(await app.store.catalogue.products()).toMatchObject([{ productId: "billboard", body: { name: "Billboard" } }])
  const taken = await olga.post(`${OPERATOR}/products/new`, typed)
  expect(await taken.text()).toContain("already taken")
})

test("a product is made and shown to buyers on one screen; what is wrong there is said, and nothing is saved", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const [kite, gone] = await Promise.all(["Kite Media", "Gone"].map((label) => createAgentKey(app, label, "test")))
  const open_to = kite?.record.id ?? ""
  const send = (more: object) => olga.post(`${OPERATOR}/products/new`, { ...typed, ...more })
  for (const [more, why] of [
    [{ open_to }, "Enter at least one country, or untick the buyers."],
    [{ countries: "Austria" }, "Choose who sees it there, or remove the countries."],
    [{ open_to, countries: "AT, Atlantis" }, "no country has this code or name"],
  ] as const) {
    const refused = await send(more)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(why)])
  }
  await revokeAgentKey(app, gone?.record.id ?? "", "test")
  const late = await send({ open_to: gone?.record.id ?? "", countries: "AT" })
  expect(await late.text()).toContain("One of these buyers’ keys was revoked.")
  expect(await app.store.catalogue.products()).toEqual([])

  expect((await send({ open_to, countries: "Germany, at" })).status).toBe(303)
  const keys = await app.store.agentKeys.list()
  expect(keys.find(({ id }) => id === open_to)?.openings).toEqual([
    { productId: "billboard", territories: ["AT", "DE"] },
  ])
  expect((await send({ open_to, product_id: "second", everywhere: "yes" })).status).toBe(303)
  const [, second] = (await app.store.agentKeys.list()).find(({ id }) => id === open_to)?.openings ?? []
  expect(second?.territories).toEqual(["*"])
})

test("a product without a domain is sold at the seller's, if it has one", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const nowhere = { ...typed, publishers: "" }
  const first = await olga.post(`${OPERATOR}/products/new`, nowhere)
  expect([first.status, await first.text()]).toEqual([
    422,
    expect.stringContaining("Enter the domain that it runs on, such as example.com."),
  ])
  await olga.post(`${OPERATOR}/products/new`, typed)
  expect(await olga.read(`${OPERATOR}/products/new`)).toContain("Leave empty for news.example.")
  await olga.post(`${OPERATOR}/products/new`, { ...nowhere, product_id: "second" })
  const second = (await app.store.catalogue.products()).find(({ productId }) => productId === "second")
  expect(second?.body).toMatchObject({ publisher_properties: [{ publisher_domain: "news.example" }] })
})

test("a format that a product uses stays: the page says which product it is", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  await saveProduct(app, plainProduct, "test")
  const page = await olga.read(`${OPERATOR}/format/display_300x250_image`)
  expect([page.includes("Used by"), page.includes("/hide")]).toEqual([true, false])
  await olga.post(`${OPERATOR}/format/display_300x250_image/hide`)
  expect(await olga.read(`${OPERATOR}/format/display_300x250_image`)).toContain("the product &quot;p1&quot;")
  await olga.post(`${OPERATOR}/format/video_vast/hide`)
  expect(await olga.read(`${OPERATOR}/formats?state=hidden`)).toContain("video_vast")
  await olga.post(`${OPERATOR}/format/video_vast/delete`)
  expect(await olga.read(`${OPERATOR}/formats?state=hidden`)).not.toContain("video_vast")
})

test("script in everything that is stored is shown as text", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  const script = "<script>alert(1)</script>"
  await olga.post(`${OPERATOR}/organizations/new`, { slug: "acme", name: script, time_zone: "UTC" })
  await olga.edit(`${OPERATOR}/users/${await givenPerson(app, { of: "acme" })}`, { name: script })
  await olga.post(`${OPERATOR}/agent-keys`, { label: script })
  const format = { ...plainFormat, name: script, description: script }
  await olga.post(`${OPERATOR}/formats/new`, { json: JSON.stringify(format) })
  await olga.post(`${OPERATOR}/products/new`, { ...typed, name: script, product_id: script, description: script })
  const [key] = await app.store.agentKeys.list()
  const opening = { productId: script, territories: ["*"] }
  await app.store.agentKeys.open(key?.id ?? "", opening, { actor: "test", at: app.clock() })
  const places = ["organizations", "users", "products", "formats", "agent-keys", "openings", "audit", "products/new"]
  const product = encodeURIComponent(script)
  for (const path of [...places, `product/${product}`, `agent-key/${key?.id}/sees`, "calls"]) {
    const html = await olga.read(`${OPERATOR}/${path}`)
    expect([path, html.includes("<script>alert"), html.includes("&lt;script>alert")]).toEqual([path, false, true])
  }
})

test("what can be undone by nobody is asked before", async () => {
  const { app, olga, id } = await startWithOperator()
  await using _ = app
  await saveProduct(app, plainProduct, "test")
  await hideFormat(app, "video_vast", "test")
  for (const path of [`users/${id}/remove`, "product/p1/delete", "format/video_vast/delete"]) {
    expect(await olga.read(`${OPERATOR}/${path}`)).toContain("cannot be undone")
  }
  expect(await app.store.catalogue.products()).toHaveLength(1)
})

test("removing is offered only where it will not be refused", async () => {
  const { app, olga, id } = await startWithOperator()
  await using _ = app
  await olga.post(`${OPERATOR}/organizations/new`, { slug: "empty", name: "Empty", time_zone: "UTC" })
  const isOffered = async (path: string, words: string) => (await olga.read(path)).includes(words)
  expect(await isOffered("/app/o/empty/settings", "Delete organization")).toBe(true)
  expect(await isOffered(`${OPERATOR}/users/${id}`, "Remove account")).toBe(false)
  await givenPerson(app, { isOperator: true, of: "empty" })
  expect(await isOffered("/app/o/empty/settings", "Delete organization")).toBe(false)
  expect(await isOffered(`${OPERATOR}/users/${id}`, "Remove account")).toBe(true)
})

test("a path that cannot be decoded names nothing", async () => {
  const { app, olga } = await startWithOperator()
  await using _ = app
  for (const path of ["/app/o/ac%zz", "/app/o/%zz/totals", `${OPERATOR}/users/%zz`, `${OPERATOR}/product/%zz`])
    expect([path, (await olga.get(path)).status]).toEqual([path, 404])
})
