import { expect, test } from "bun:test"
import { createOrganization } from "../../../src/actions/people/organizations.ts"
import { saveProduct } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { CITY_WALKS } from "../../storage/contract/given-sale.ts"
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

test("with several sellers nobody is shown products that may be another's", async () => {
  await using app = await startMarket()
  await saveProduct(app, CITY_WALKS)
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  expect(await admin.read("/app/o/acme-audio")).not.toContain("/app/o/acme-audio/products")
  for (const file of ["", ".csv"]) expect(await admin.read(`/app/o/acme-audio/products${file}`)).not.toContain(name)
})
