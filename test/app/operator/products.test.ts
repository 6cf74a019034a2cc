import { expect, test } from "bun:test"
import { ask, breakProduct, givenBuyer, givenProduct, productOf, show } from "../../harness/agent/agent.ts"
import { signIn } from "../../harness/browser/browse.ts"
import { changeProduct, productById } from "../../harness/inside.ts"
import { namesOn, rowsOf } from "../given.ts"
import { type OperatorSite, PRODUCTS, startOperator } from "./given.ts"

const NEW = {
  name: "Sea Stories, mid-roll",
  description: "Sixty seconds in the middle.",
  channels: "podcast",
  formats: "podcast_midroll_60s_hosted",
  domains: "sea.example",
  "price.0": "24",
  "currency.0": "EUR",
  seller: "acme",
}

const shownTo = async ({ app }: OperatorSite, key: string): Promise<string[]> => {
  const { products } = await ask(app, { key }, {})
  return products.map(({ product_id }: { product_id: string }) => product_id)
}

test("the operator describes a product, shows it to a key in one country, and its agent sees it there", async () => {
  await using site = await startOperator()
  const buyer = await givenBuyer(site.app)
  const openings = await (await site.open(`${PRODUCTS}/new`)).send(NEW)
  expect(openings.path).toBe(`${PRODUCTS}/sea_stories_mid_roll/openings`)
  expect(openings.text).toContain("The product is created.")
  const saved = await openings.send({ [`key.${buyer.id}`]: "Austria, de" })
  expect(saved.text).toContain("Agents see it at once.")
  const { products } = await ask(site.app, buyer, {})
  expect(products).toMatchObject([{ name: NEW.name, ext: { adbooth: { territories: ["AT", "DE"] } } }])
  expect((await site.open(openings.path)).fields[`key.${buyer.id}`]).toBe("Austria, Germany")
})

test("a field of a key that is emptied hides the product, and Everywhere shows it everywhere", async () => {
  await using site = await startOperator()
  const [first, second] = [await givenBuyer(site.app), await givenBuyer(site.app)]
  await givenProduct(site.app, productOf("a"))
  await show(site.app, first, "a", ["FR"])
  const page = await site.open(`${PRODUCTS}/a/openings`)
  await page.send({ [`key.${first.id}`]: "", [`key.${second.id}`]: "everywhere" })
  expect([await shownTo(site, first.key), await shownTo(site, second.key)]).toEqual([[], ["a"]])
})

test("an unknown country is an error at its field, and nothing is saved", async () => {
  await using site = await startOperator()
  const [first, second] = [await givenBuyer(site.app), await givenBuyer(site.app)]
  await givenProduct(site.app, productOf("a"))
  const page = await site.open(`${PRODUCTS}/a/openings`)
  const refused = await page.send({ [`key.${first.id}`]: "Atlantis", [`key.${second.id}`]: "DE" })
  expect([refused.status, refused.title]).toEqual([422, "Error: Who sees Product a · Adbooth"])
  expect(refused.fields[`key.${first.id}`]).toBe("Atlantis")
  expect(await shownTo(site, second.key)).toEqual([])
})

test("if two people show a product at the same time, both changes are saved or one person is told", async () => {
  await using site = await startOperator()
  const [first, second] = [await givenBuyer(site.app), await givenBuyer(site.app)]
  await givenProduct(site.app, productOf("a"))
  const path = `${PRODUCTS}/a/openings`
  const [mine, theirs] = [await site.open(path), await site.open(path)]
  await theirs.send({ [`key.${first.id}`]: "DE" })
  const merged = await mine.send({ [`key.${second.id}`]: "FR" })
  expect(merged.text).toContain("Someone else saved this while you were editing.")
  expect(merged.fields).toMatchObject({ [`key.${first.id}`]: "Germany", [`key.${second.id}`]: "FR" })
  await merged.send()
  expect([await shownTo(site, first.key), await shownTo(site, second.key)]).toEqual([["a"], ["a"]])
})

test("saving a product keeps what its form doesn't show", async () => {
  await using site = await startOperator()
  const product = productOf("a", { ext: { house: 7 }, exclusivity: "category" })
  await givenProduct(site.app, product)
  const saved = await (await site.open(`${PRODUCTS}/a`)).send({ description: "Something else." })
  expect(saved.text).toContain("Saved.")
  const stored = await productById(site.app.database.read, "a")
  expect(stored?.product as unknown).toEqual({ ...product, description: "Something else." })
})

test("what the catalog refuses is shown at the field that it's about", async () => {
  await using site = await startOperator()
  const form = await site.open(`${PRODUCTS}/new`)
  const refused = await form.send({ ...NEW, name: "", domains: "not a domain", "currency.0": "EURO" })
  expect(refused.status).toBe(422)
  for (const error of ["Enter a name.", "Enter a currency, such as EUR."]) expect(refused.text).toContain(error)
  const again = await refused.send({ name: NEW.name, "currency.0": "EUR" })
  expect(again.control("domains")["aria-invalid"]).toBe("true")
  await again.send({ domains: "sea.example" })
  const taken = await form.send({ ...NEW, productId: "sea_stories_mid_roll" })
  expect(taken.control("productId")["aria-invalid"]).toBe("true")
})

test("saving over another person's change of a product shows both versions", async () => {
  await using site = await startOperator()
  await givenProduct(site.app, productOf("a"))
  const [mine, theirs] = [await site.open(`${PRODUCTS}/a`), await site.open(`${PRODUCTS}/a`)]
  await theirs.send({ description: "Theirs." })
  const merged = await mine.send({ description: "Mine." })
  expect(merged.text).toContain("Someone else saved “Theirs.”. You typed “Mine.”.")
  await merged.send()
  expect((await site.open(`${PRODUCTS}/a`)).fields["description"]).toBe("Mine.")
})

test("a deleted product is asked about first, and no agent sees it any more", async () => {
  await using site = await startOperator()
  const buyer = await givenBuyer(site.app)
  await givenProduct(site.app, productOf("a"))
  await show(site.app, buyer, "a", ["*"])
  const question = await site.open(`${PRODUCTS}/a/delete`)
  expect(question.text).toContain("Delete Product a?")
  expect((await question.send()).text).toContain("Product a is deleted.")
  expect(await shownTo(site, buyer.key)).toEqual([])
  expect((await site.open(`${PRODUCTS}/a`)).status).toBe(404)
})

test("the list says who sees each product, and what has expired", async () => {
  await using site = await startOperator()
  const buyer = await givenBuyer(site.app)
  for (const product of [productOf("a"), productOf("b"), productOf("c", { expires_at: "2026-11-01T00:00:00Z" })])
    await givenProduct(site.app, product)
  for (const id of ["a", "c"]) await show(site.app, buyer, id, ["DE"])
  const rows = rowsOf(await site.open(PRODUCTS), "Products")
  expect(rows[0]).toContain("€12.00 per 1,000 impressions 1 buyer key Shown")
  expect(rows[1]).toContain("Nobody Not shown")
  expect(rows[2]).toContain("Expired 1 Nov 2026")
  expect(namesOn(await site.open(`${PRODUCTS}?state=shown`))).toEqual(["Product a"])
})

test("an admin reads what their organization sells, and nothing of others", async () => {
  await using site = await startOperator()
  await changeProduct(site.app, "test", { product: productOf("own"), sellerId: site.seller.id }, null)
  await givenProduct(site.app, productOf("other"))
  const open = await signIn(site.app, { organization: site.seller })
  const page = await open(`${site.seller.home}/products`)
  expect(page.text).toContain("Product own")
  expect(page.text).not.toContain("Product other")
  expect(page.html).not.toContain(PRODUCTS)
  expect((await open(PRODUCTS)).status).toBe(404)
})

test("a product that was broken in the database doesn't break a page", async () => {
  await using site = await startOperator()
  await givenBuyer(site.app)
  await givenProduct(site.app, productOf("a"))
  await breakProduct(site.app, "a", "{}")
  const pages = [
    `${PRODUCTS}/a`,
    PRODUCTS,
    `${PRODUCTS}/a/openings`,
    `${PRODUCTS}/a/delete`,
    "/app/operator/formats",
    "/app/operator/requests",
  ]
  for (const path of pages) expect((await site.open(path)).status).toBe(200)
})
