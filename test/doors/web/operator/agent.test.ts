import { expect, test } from "bun:test"
import { importCatalogue } from "../../../../src/actions/catalogue/import-catalogue.ts"
import { plainProduct } from "../../../domain/adcp/schema/documents.ts"
import { givenOrganization, saveProduct } from "../../../given.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { signedIn, type Visitor } from "../visitor.ts"

const OPERATOR = "/app/operator"

/** What the real agent answers to a key. */
async function getProducts(app: TestApp, key: string): Promise<{ status: number; names: string[] }> {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: {} } }
  const response = await app.fetch("/", {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(call),
  })
  const answer = (await response.json()) as { result?: { structuredContent?: { products?: { name: string }[] } } }
  return { status: response.status, names: (answer.result?.structuredContent?.products ?? []).map(({ name }) => name) }
}

async function startWithKey() {
  const app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  await saveProduct(app, plainProduct, "test")
  const html = await (await olga.follow(`${OPERATOR}/agent-keys`, { label: "Buyer X" })).text()
  const [secret = ""] = /aba_\w+/.exec(html) ?? []
  const [key] = await app.store.agentKeys.list()
  return { app, olga, secret, id: key?.id ?? "" }
}

const open = (olga: Visitor, id: string, territories: string): Promise<Response> =>
  olga.edit(`${OPERATOR}/product/p1/open/${id}`, { countries_add: territories })

test("a product that is opened to a key is seen through the real agent, and what the operator sees is the same", async () => {
  const { app, olga, secret, id } = await startWithKey()
  await using _ = app
  const sees = `${OPERATOR}/agent-key/${id}`
  expect((await getProducts(app, secret)).names).toEqual([])
  expect(await olga.read(sees)).toContain("Nothing is shown to it yet")
  await open(olga, id, "de, Austria")
  expect((await getProducts(app, secret)).names).toEqual(["Homepage banner"])
  const page = await olga.read(sees)
  expect(page).toContain("Homepage banner")
  expect(page).toContain("Shown in Austria and Germany")
  expect(await olga.read(`${OPERATOR}/product/p1`)).toContain("<b>AT</b>")
  await open(olga, id, "")
  expect((await getProducts(app, secret)).names).toEqual([])
})

test("a key acts for the organization that the operator names, until it is taken away", async () => {
  const { app, olga, id } = await startWithKey()
  await using _ = app
  await givenOrganization(app, { slug: "brand-co" })
  const page = `${OPERATOR}/agent-key/${id}/buyer`
  const buyers = async () => (await app.store.agentKeys.list()).map(({ buyer }) => buyer)
  expect(await (await olga.post(page, { buyer: "nobody" })).text()).toContain("There is no such organization")
  expect(await buyers()).toEqual([null])
  await olga.follow(page, { buyer: "organization BRAND-CO" })
  expect(await buyers()).toEqual(["brand-co"])
  expect(await olga.read(page)).toContain('value="Organization brand-co"')
  expect(await olga.read(`${OPERATOR}/agent-keys`)).toContain("brand-co")
  await olga.follow(page, { buyer: "" })
  expect(await buyers()).toEqual([null])
  expect(await (await olga.post(`${OPERATOR}/agent-keys`, { label: "New", buyer: "x" })).text()).toContain("short name")
  await olga.follow(`${OPERATOR}/agent-keys`, { label: "New", buyer: "brand-co" })
  expect(await buyers()).toContain("brand-co")
  const changes = (await app.store.audit.list({}, { before: null, limit: 20 })).entries
  expect(changes.filter(({ action }) => action.endsWith("agent_key")).map(({ details }) => details)).toEqual([
    { label: "New", buyer: "brand-co" },
    { label: "Buyer X", buyer: null },
    { label: "Buyer X", buyer: "brand-co" },
    { label: "Buyer X" },
  ])
})

test("a key is shown once; revoked, it is refused at once", async () => {
  const { app, olga, secret, id } = await startWithKey()
  await using _ = app
  expect(await olga.read(`${OPERATOR}/agent-keys`)).not.toContain(secret)
  expect((await getProducts(app, secret)).status).toBe(200)
  await olga.post(`${OPERATOR}/agent-key/${id}/revoke`)
  expect((await getProducts(app, secret)).status).toBe(401)
  expect((await olga.get(`${OPERATOR}/agent-key/${id}`)).status).toBe(404)
})

test("a territory that is none is said at its field, with what was typed, and nothing is opened", async () => {
  const { app, olga, secret, id } = await startWithKey()
  await using _ = app
  const wrong = await open(olga, id, "UK <b>")
  const html = await wrong.text()
  expect(wrong.status).toBe(422)
  expect(html).toContain('value="UK &lt;b>"')
  expect(html).toContain("no country has this code")
  expect((await getProducts(app, secret)).names).toEqual([])
})

test("a form drawn before somebody else's change saves nothing", async () => {
  const { app, olga, secret, id } = await startWithKey()
  await using _ = app
  const seen = String((await app.store.catalogue.revision()) - 1)
  const refused = await olga.post(`${OPERATOR}/product/p1/open/${id}`, { seen, countries: "DE" })
  const html = await refused.text()
  expect([refused.status, html]).toEqual([422, expect.stringContaining("Someone else saved the countries")])
  // What was typed stays, and can be saved now.
  expect(html).toContain('value="DE"')
  expect((await getProducts(app, secret)).names).toEqual([])
})

test("requests are in the log with who and what, can be filtered and taken away, and hold no key", async () => {
  const { app, olga, secret, id } = await startWithKey()
  await using _ = app
  await getProducts(app, secret)
  await app.store.flushWriteBuffer()
  expect(await olga.read(`${OPERATOR}/requests?caller=${id}`)).toContain('<td data-label="Buyer’s key">Buyer X</td>')
  expect(await olga.read(`${OPERATOR}/requests?caller=anonymous`)).toContain("No matching requests")
  expect(await olga.read(`${OPERATOR}/requests?to=2026-11-14`)).toContain("No matching requests")
  const file = await olga.read(`${OPERATOR}/requests.csv`)
  expect(file).toContain("Buyer X,,get_products,,,,,,0,completed")
  expect(file).not.toContain(secret)
})

test("refused requests of the last day are counted above the requests, and none of them is listed", async () => {
  const { app, olga } = await startWithKey()
  await using _ = app
  expect(await olga.read(`${OPERATOR}/requests`)).not.toContain("Refused by")
  await app.fetch("/api/ingest/delivery/metrics", { method: "POST" })
  for (let i = 0; i < 3; i++) await getProducts(app, "wrong")
  await app.store.flushWriteBuffer()
  const html = await olga.read(`${OPERATOR}/requests`)
  expect(html).toContain("Refused by the sales agent in the last 24 hours: 3 wrong or missing key.")
  expect(html).toContain("Refused by the ingest API in the last 24 hours: 1 wrong or missing key.")
  expect(html).toContain("No requests yet")
  app.clock.advance({ hours: 26 })
  expect(await olga.read(`${OPERATOR}/requests`)).not.toContain("Refused by")
})

test("every change of the operator is in the audit trail with who made it", async () => {
  const { app, olga, id } = await startWithKey()
  await using _ = app
  await open(olga, id, "DE")
  const html = await olga.read(`${OPERATOR}/audit`)
  expect(html).toMatch(/Person \d+ showed Homepage banner to Buyer X</)
  expect(await olga.read(`${OPERATOR}/audit.csv`)).toContain("create agent_key")
})

test("a catalogue of a thousand products makes no heavy page", async () => {
  const { app, olga, id } = await startWithKey()
  await using _ = app
  const products = Array.from({ length: 1_000 }, (_, number) => ({ ...plainProduct, product_id: `p${number}` }))
  const opened = products.map(({ product_id }) => ({ product_id, territories: ["DE"] }))
  const outcome = await importCatalogue(app, { products, agent_keys: [{ label: "Buyer X", opened }] }, "test")
  expect(outcome.ok).toBe(true)
  for (const path of ["products", "agent-sales", `agent-key/${id}`, "formats", "audit"]) {
    const html = await olga.read(`${OPERATOR}/${path}`)
    expect([path, html.length <= 100 * 1024]).toEqual([path, true])
  }
})
