import { expect, test } from "bun:test"
import { createOrganization } from "../../../src/actions/people/organizations.ts"
import { saveProduct } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { CITY_WALKS, PRODUCT } from "../../storage/contract/given-sale.ts"
import { givenPerson, startMarket } from "./given.ts"
import { signedIn } from "./visitor.ts"

const { name, description } = CITY_WALKS as Readonly<Record<"name" | "description", string>>

test("a seller's admin reads what agents are shown of the products, and changes none", async () => {
  await using app = await startApp()
  await createOrganization(app, { slug: "zebra", name: "Zebra", timeZone: "UTC" }, "test")
  const admin = await signedIn(app, await givenPerson(app, { of: "zebra", role: "admin" }))
  expect(await admin.read("/app/o/zebra")).not.toContain("/app/o/zebra/products")
  await saveProduct(app, CITY_WALKS)
  expect(await admin.read("/app/o/zebra")).toContain("/app/o/zebra/products")
  const page = await admin.read("/app/o/zebra/products")
  for (const text of [name, description, "Draft", "Nobody yet"]) expect(page).toContain(text)
  expect(page).not.toContain("/app/operator")
  expect(await admin.read("/app/o/zebra/products.csv")).toContain(name)
})

const FIELDS = {
  ...{
    name,
    description,
    publishers: "lighthouse.example",
    formats: "podcast_preroll_30s_hosted",
    delivery_type: "guaranteed",
  },
  ...{ "prices.0.~shape": "price", "prices.0.pricing_model": "cpm", "prices.0.price_kind": "fixed_price" },
  ...{ "prices.0.currency": "EUR", "prices.0.price": "14.5", metrics: "impressions" },
}
const seenIn = (html: string) => /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ""

test("with several sellers each admin is shown the own products and nobody else's; who sells one is chosen where it is edited", async () => {
  await using app = await startMarket()
  await saveProduct(app, CITY_WALKS)
  const [acme, other] = await Promise.all(
    ["acme-audio", "other-seller"].map(async (of) => signedIn(app, await givenPerson(app, { of, role: "admin" }))),
  )
  const sees = async (admin: typeof acme, of: string) => {
    const pages = ["", "/products", "/products.csv"].map((page) => admin?.read(`/app/o/${of}${page}`))
    const [today, page, file] = await Promise.all(pages)
    return [today?.includes(`/app/o/${of}/products`), page?.includes(name), file?.includes(name)]
  }
  const nothing = [false, false, false]
  expect(await sees(acme, "acme-audio")).toEqual(nothing)
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const edit = `/app/operator/product/${PRODUCT}`
  expect(await olga.read(edit)).toContain("Sold by")
  const form = { ...FIELDS, seen: seenIn(await olga.read(edit)) }
  expect(await (await olga.post(edit, { ...form, seller: "nobody" })).text()).toContain("does not exist")
  expect((await olga.post(edit, { ...form, seller: "acme-audio" })).headers.get("location")).not.toBeNull()
  expect(await sees(acme, "acme-audio")).toEqual([true, true, true])
  expect(await sees(other, "other-seller")).toEqual(nothing)
  expect((await acme?.get(edit))?.status).toBe(404)
  // Whoever still has the old form open would take it away again.
  expect((await olga.post(edit, { ...form, seller: "other-seller" })).headers.get("location")).toBeNull()
  expect(await sees(acme, "acme-audio")).toEqual([true, true, true])
})

test("where one organization sells, nobody is asked who sells a product", async () => {
  await using app = await startApp()
  await createOrganization(app, { slug: "zebra", name: "Zebra", timeZone: "UTC" }, "test")
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/products/new")).not.toContain("Sold by")
})

test("a new product's price is in the currency of the only seller; where several sell, or it has none, it is asked for", async () => {
  const currencyOf = (html: string) => /name="prices\.0\.currency"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? ""
  await using app = await startApp()
  await createOrganization(app, { slug: "zebra", name: "Zebra", timeZone: "UTC" }, "test")
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(currencyOf(await olga.read("/app/operator/products/new"))).toBe("")
  await using other = await startApp()
  await createOrganization(other, { slug: "zebra", name: "Zebra", timeZone: "UTC", currency: "SEK" }, "test")
  const oskar = await signedIn(other, await givenPerson(other, { isOperator: true }))
  expect(currencyOf(await oskar.read("/app/operator/products/new"))).toBe("SEK")
  await using market = await startMarket()
  const maja = await signedIn(market, await givenPerson(market, { isOperator: true }))
  expect(currencyOf(await maja.read("/app/operator/products/new"))).toBe("")
  const refused = await maja.post("/app/operator/products/new", { ...FIELDS, "prices.0.currency": "" })
  expect(await refused.text()).toContain("Enter the currency as three letters, such as EUR.")
})

test("a product without a domain is on those of its own seller, never on another's; and what is typed must be a domain", async () => {
  await using app = await startMarket()
  await saveProduct(app, CITY_WALKS)
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const edit = `/app/operator/product/${PRODUCT}`
  const first = { ...FIELDS, seen: seenIn(await olga.read(edit)), seller: "acme-audio" }
  expect((await olga.post(edit, first)).headers.get("location")).not.toBeNull()
  const page = await olga.read("/app/operator/products/new")
  expect(page).not.toContain("lighthouse.example")
  expect(page).toContain("Leave empty for that of the seller’s other products.")

  const billboard = { ...FIELDS, name: "Homepage billboard", product_id: "billboard", publishers: "" }
  const send = async (fields: object) => await olga.post("/app/operator/products/new", { ...billboard, ...fields })
  expect(await (await send({ seller: "other-seller" })).text()).toContain(
    "Enter the domain that it runs on, such as example.com.",
  )
  expect(await (await send({ seller: "" })).text()).toContain("Enter the domain that it runs on, such as example.com.")
  const word = await (await send({ seller: "other-seller", publishers: "harborcast" })).text()
  expect(word).toContain("Each publisher must be a domain such as example.com, not &quot;harborcast&quot;.")
  const numbers = await (await send({ seller: "other-seller", publishers: "127.0.0.1" })).text()
  expect(numbers).toContain("Each publisher must be a domain such as example.com, not &quot;127.0.0.1&quot;.")
  expect((await send({ seller: "acme-audio" })).headers.get("location")).not.toBeNull()
  const { products } = await app.store.catalogue.contents()
  expect(products.get("billboard")).toMatchObject({
    publisher_properties: [{ publisher_domain: "lighthouse.example", selection_type: "all" }],
  })
  // From now on the products of this seller are in two places, and which one is meant is not guessed.
  const elsewhere = { seller: "acme-audio", product_id: "letter", publishers: "letters.example" }
  expect((await send(elsewhere)).headers.get("location")).not.toBeNull()
  expect(await (await send({ seller: "acme-audio", product_id: "third" })).text()).toContain("Enter the domain")
})
