import { describe, expect, test } from "bun:test"
import { createAgentKey } from "../../../src/actions/keys/keys.ts"
import { removeMember } from "../../../src/actions/people/members.ts"
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
      "prices.0.~shape": "price",
      "prices.0.pricing_model": "cpm",
      "prices.0.price_kind": "fixed_price",
      "prices.0.currency": "EUR",
      "prices.0.price": price,
      metrics: "impressions",
    }),
    stored: async (app) => String(Object.values((await product(app)).pricing_options[0] ?? {}).find(Number.isFinite)),
  },
  "a format": {
    path: async () => `/app/operator/format/${plainFormat.format_id.id}`,
    fields: (name) => ({ name }),
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
  "an organization": {
    path: async () => "/app/o/acme-audio/settings",
    fields: (name) => ({ name, time_zone: "Europe/Berlin" }),
    stored: organization,
  },
  "a user": {
    path: async (app) => {
      userId = await givenPerson(app, { of: "acme-audio" })
      return `/app/operator/users/${userId}`
    },
    fields: (name) => ({ name }),
    stored: async (app) => (await app.store.users.findById(userId))?.name,
  },
}

async function hiddenOf(html: string): Promise<Fields> {
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""
  return { seen: hidden("seen"), shown: hidden("shown") }
}

const decoded = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

/** What the page that shows both versions sends when one of them is chosen for every field. */
function chosenIn(html: string, whose: "mine" | "theirs"): FormData {
  const [, form = ""] = /<main[^>]*>[\s\S]*?<form method="post"([\s\S]*?)<\/form>/.exec(html) ?? []
  const data = new FormData()
  for (const [, name = "", value = ""] of form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g))
    data.append(decoded(name), decoded(value))
  for (const [, name = ""] of form.matchAll(/type="radio" name="([^"]*)" value="mine"/g)) data.append(name, whose)
  return data
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
    expect(html).toMatch(/value="30"|"name":"30"|&quot;name&quot;: ?&quot;30&quot;/)
    expect(html).toContain("Discard my changes")
    expect(html).toContain("<title>Error: ")
    expect((await person.post(path, chosenIn(html, "theirs"))).status).toBe(303)
    expect(await stored(app)).toBe("20")
    expect((await person.post(path, chosenIn(html, "mine"))).status).toBe(303)
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

const LINE_EDIT = `${ACME_ONLY}/lines/${OWN_LINE}/edit`
const LINE_FIELDS = { pricing_basis: "impressions", flight_start: "2026-11-01", flight_end: "2026-11-30" }

/** The rows of the page that shows both versions: field, mine, theirs, and whose is chosen. */
const rowsIn = (html: string) =>
  [...html.matchAll(/<th scope="row">([^<]*)<\/th>([\s\S]*?)<\/tr>/g)].map(([, label, cells = ""]) => {
    const [mine, theirs] = [...cells.matchAll(/<span class="wrap">([^<]*)</g)].map(([, text]) => text)
    return [label, mine, theirs, /value="(\w+)" checked/.exec(cells)?.[1]]
  })

test("a conflict asks only about what both changed; of the rest, the change of whoever made one is kept", async () => {
  const { app, person } = await given()
  await using _ = app
  const older = await hiddenOf(await person.read(LINE_EDIT))
  await person.edit(LINE_EDIT, { ...LINE_FIELDS, line_name: "Mid-roll", booked: "700000", rate: "9", currency: "EUR" })
  const mine = { ...LINE_FIELDS, line_name: "Renamed", booked: "500000", rate: "8", currency: "GBP" }
  const html = await (await person.post(LINE_EDIT, { ...mine, ...older })).text()
  expect(rowsIn(html)).toEqual([["Rate", "8, GBP", "9, EUR", "mine"]])
  expect((await person.post(LINE_EDIT, chosenIn(html, "mine"))).status).toBe(303)
  const line = (await acmeOnly(app))?.lines[0]
  expect([line?.name, line?.booked, line?.rate, line?.currency]).toEqual(["Renamed", 700000, 8, "GBP"])
})

test("a conflict says who was faster, as far as the reader may know", async () => {
  const { app, person: operator } = await given()
  await using _ = app
  const admin = () => givenPerson(app, { of: "acme-audio", role: "admin" })
  const [adaId, moId] = [await admin(), await admin()]
  const [ada, mo] = [await signedIn(app, adaId), await signedIn(app, moId)]
  const nameOf = async (id: number) => (await app.store.users.findById(id))?.name
  let booked = 500_000
  const fields = () => ({ ...LINE_FIELDS, line_name: "Mid-roll", booked: String(++booked) })
  const headingFor = async (reader: Visitor, change: () => Promise<unknown>) => {
    const seen = await hiddenOf(await reader.read(LINE_EDIT))
    await change()
    const html = await (await reader.post(LINE_EDIT, { ...fields(), ...seen })).text()
    return /<h2>([^<]*after you opened it[^<]*)<\/h2>/.exec(html)?.[1]
  }
  const after = "saved this line after you opened it"
  expect(await headingFor(ada, () => mo.edit(LINE_EDIT, fields()))).toBe(`${await nameOf(moId)} ${after}`)
  expect(await headingFor(operator, () => ada.edit(LINE_EDIT, fields()))).toBe(`${await nameOf(adaId)} ${after}`)
  expect(await headingFor(ada, () => operator.edit(LINE_EDIT, fields()))).toBe(`The operator ${after}`)
  expect(await headingFor(mo, () => mo.edit(LINE_EDIT, fields()))).toBe(
    "You saved this line in another window after you opened it here",
  )
  // Somebody of the organization then; a stranger now.
  const removed = async () => {
    await mo.edit(LINE_EDIT, fields())
    const acme = await app.store.organizations.findBySlug("acme-audio")
    if (acme !== null) await removeMember(app, acme, moId, "test")
  }
  expect(await headingFor(ada, removed)).toBe(`Someone else ${after}`)
  expect(await headingFor(ada, () => givenMarket(app))).toBe(`An import ${after}`)
})

test("after a conflict, a field that both changed to the same is not asked about", async () => {
  const { app, person } = await given()
  await using _ = app
  const older = await hiddenOf(await person.read(LINE_EDIT))
  const line = { ...LINE_FIELDS, booked: "700000" }
  await person.edit(LINE_EDIT, { ...line, line_name: "Mid-roll" })
  const html = await (await person.post(LINE_EDIT, { ...line, line_name: "Renamed", ...older })).text()
  expect(html).toContain("after you opened it")
  expect(rowsIn(html)).toEqual([])
  expect((await person.post(LINE_EDIT, chosenIn(html, "mine"))).status).toBe(303)
  expect((await acmeOnly(app))?.lines[0]?.name).toBe("Renamed")
})

test("the assets of a format are chosen as a whole: rows of two people are never mixed", async () => {
  const { app, person } = await given()
  await using _ = app
  const path = `/app/operator/format/${plainFormat.format_id.id}`
  const older = await hiddenOf(await person.read(path))
  const asset = (id: string) => ({ "assets.0.~shape": "image", "assets.0.~from": "", "assets.0.asset_id": id })
  await person.edit(path, { name: plainFormat.name, ...asset("theirs") })
  const html = await (await person.post(path, { name: plainFormat.name, ...asset("mine"), ...older })).text()
  expect(rowsIn(html).map(([label]) => label)).toEqual(["Assets"])
  expect((await person.post(path, chosenIn(html, "mine"))).status).toBe(303)
  expect((await format(app)) as unknown).toMatchObject({ assets: [{ asset_id: "mine" }] })
})

test("two admins change the role of a member: the second is asked", async () => {
  const { app, person } = await given()
  await using _ = app
  await givenPerson(app, { of: "acme-audio", role: "admin" })
  const member = await givenPerson(app, { of: "acme-audio" })
  const path = `/app/o/acme-audio/members/${member}`
  const older = await hiddenOf(await person.read(path))
  expect((await person.post(path, { role: "admin", ...older })).status).toBe(303)
  const html = await (await person.post(path, { role: "member", ...older })).text()
  // The second changed nothing, so there is nothing to choose.
  expect(rowsIn(html)).toEqual([])
  expect(html).toContain("Save to keep both")
  expect((await person.post(path, chosenIn(html, "mine"))).status).toBe(303)
  expect((await app.store.members.list((await app.store.organizations.findBySlug("acme-audio"))?.id ?? 0)).length).toBe(
    2,
  )
})

test("an opening that somebody else changed is asked about; a change to another one is not in the way", async () => {
  const { app, person } = await given()
  await using _ = app
  const key = (await createAgentKey(app, "Buyer X", "test"))?.record.id ?? ""
  await saveProduct(app, { ...plainProduct, product_id: "p2" }, "test")
  const at = (product: string) => `/app/operator/product/${product}/open/${key}`
  const [first, second] = [await hiddenOf(await person.read(at("p1"))), await hiddenOf(await person.read(at("p2")))]
  const send = (product: string, text: string, hidden: Fields) =>
    person.post(at(product), { countries_add: text, ...hidden })
  expect((await send("p1", "Germany", first)).status).toBe(303)
  expect((await send("p2", "Austria", second)).status).toBe(303)
  const html = await (await send("p1", "France", first)).text()
  expect(rowsIn(html).map((row) => row.slice(1))).toEqual([["France", "DE", "mine"]])
  expect((await person.post(at("p1"), chosenIn(html, "mine"))).status).toBe(303)
  const opened = (await app.store.agentKeys.list())[0]?.openings.map(({ productId, territories }) => [
    productId,
    territories,
  ])
  expect(opened).toEqual([
    ["p1", ["FR"]],
    ["p2", ["AT"]],
  ])
})
