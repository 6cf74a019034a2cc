import { expect, test } from "bun:test"
import { createAgentKey, revokeAgentKey } from "../../../../src/actions/keys/keys.ts"
import { openProduct } from "../../../../src/actions/keys/openings.ts"
import { plainProduct } from "../../../domain/adcp/schema/documents.ts"
import { saveProduct } from "../../../given.ts"
import { startApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

async function startWithKey() {
  const app = await startApp()
  await saveProduct(app, plainProduct, "user:1")
  const key = (await createAgentKey(app, "Buyer X", "user:1"))?.record.id ?? ""
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const page = `/app/operator/product/p1/open/${key}`
  const type = async (countries_add: string) => (await operator.edit(page, { countries_add })).status
  const openings = async () => (await app.store.agentKeys.list())[0]?.openings
  return { app, key, operator, page, type, openings }
}

test("countries are read as people type them, and none closes the product", async () => {
  const { app, type, openings } = await startWithKey()
  await using _ = app
  expect(await type("de, at ch")).toBe(303)
  expect(await openings()).toEqual([{ productId: "p1", territories: ["AT", "CH", "DE"] }])
  const seen = await app.store.catalogue.revision()
  expect(await type("AT CH DE")).toBe(303)
  expect(await app.store.catalogue.revision()).toBe(seen)
  expect(await type("")).toBe(303)
  expect(await openings()).toEqual([])
})

test("everywhere includes every country named beside it", async () => {
  const { app, type, openings } = await startWithKey()
  await using _ = app
  await type("DE * AT")
  expect(await openings()).toEqual([{ productId: "p1", territories: ["*"] }])
})

test("a code that names no country is refused", async () => {
  const { app, type, openings } = await startWithKey()
  await using _ = app
  expect(await type("UK")).toBe(422)
  expect(await openings()).toEqual([])
})

test("a form that was opened before somebody else changed the same changes nothing; another change does not matter", async () => {
  const { app, key, operator, page, openings } = await startWithKey()
  await using _ = app
  const html = await operator.read(page)
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""
  const send = (countries_add: string) =>
    operator.post(page, { seen: hidden("seen"), shown: hidden("shown"), countries_add })
  await saveProduct(app, { ...plainProduct, name: "Renamed" }, "user:2")
  expect((await send("DE")).status).toBe(303)
  await openProduct(app, key, { productId: "p1", territories: ["FR"] }, "user:2")
  expect(await (await send("IT")).text()).toContain("FR")
  expect(await openings()).toEqual([{ productId: "p1", territories: ["FR"] }])
  await revokeAgentKey(app, key, "user:2")
  expect((await send("IT")).status).toBe(404)
})
