import { expect, test } from "bun:test"
import { createAgentKey } from "../../../src/actions/keys/keys.ts"
import { editOpenings } from "../../../src/actions/keys/openings.ts"
import { plainProduct } from "../../domain/adcp/schema/documents.ts"
import { saveProduct } from "../../given.ts"
import { startApp } from "../../harness.ts"

async function startWithKey() {
  const app = await startApp()
  await saveProduct(app, plainProduct, "user:1")
  const key = await createAgentKey(app, "Buyer X", "user:1")
  const cell = (text: string) => [{ agentKeyId: key?.record.id ?? "", productId: "p1", text }]
  const openings = async () => (await app.store.agentKeys.list())[0]?.openings
  return { app, cell, openings }
}

test("cells are read as people type them, and an empty one closes", async () => {
  const { app, cell, openings } = await startWithKey()
  await using _ = app
  const now = () => app.store.catalogue.revision()
  expect(await editOpenings(app, cell("de, at ch"), await now(), "user:1")).toMatchObject({ opened: 1, closed: 0 })
  expect(await openings()).toEqual([{ productId: "p1", territories: ["AT", "CH", "DE"] }])
  expect(await editOpenings(app, cell("AT CH DE"), await now(), "user:1")).toMatchObject({ opened: 0, closed: 0 })
  expect(await editOpenings(app, cell(" "), await now(), "user:1")).toMatchObject({ opened: 0, closed: 1 })
  expect(await openings()).toEqual([])
})

test("everywhere includes every country named beside it", async () => {
  const { app, cell, openings } = await startWithKey()
  await using _ = app
  await editOpenings(app, cell("DE * AT"), await app.store.catalogue.revision(), "user:1")
  expect(await openings()).toEqual([{ productId: "p1", territories: ["*"] }])
})

test("a code that names no country is refused at its cell", async () => {
  const { app, cell, openings } = await startWithKey()
  await using _ = app
  const outcome = await editOpenings(app, cell("UK"), await app.store.catalogue.revision(), "user:1")
  expect(outcome).toMatchObject({ outcome: "refused", wrong: [{ productId: "p1" }] })
  expect(await openings()).toEqual([])
})

test("a table that was drawn before somebody else changed the catalogue changes nothing", async () => {
  const { app, cell, openings } = await startWithKey()
  await using _ = app
  const drawn = await app.store.catalogue.revision()
  await saveProduct(app, { ...plainProduct, name: "Renamed" }, "user:2")
  expect(await editOpenings(app, cell("DE"), drawn, "user:1")).toEqual({ outcome: "changed meanwhile" })
  expect(await openings()).toEqual([])
})
