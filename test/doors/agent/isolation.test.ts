import { expect, test } from "bun:test"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct } from "./buyer.ts"

// Two keys with nothing in common. Whatever one asks, it must learn nothing of what is open to the other.

async function givenRivals() {
  const app = await startApp()
  const ids = (owner: string) => Array.from({ length: 3 }, (_, n) => `${owner}-${n}`)
  const mine = ids("mine").map((id) => givenProduct(id, { channels: ["podcast"] }))
  const theirs = ids("theirs").map((id) =>
    givenProduct(id, { name: `Zebra ${id}`, channels: ["print"], exclusivity: "exclusive" }),
  )
  const open = (owner: string, territory: string) => Object.fromEntries(ids(owner).map((id) => [id, [territory]]))
  const keys = await givenBuyers(app, [...mine, ...theirs], { Mine: open("mine", "DE"), Theirs: open("theirs", "FR") })
  return { app, mine: keys["Mine"], theirs: keys["Theirs"] }
}

const wholesale = { buying_mode: "wholesale" }

test("refine answers alike for another key's product and for one that does not exist", async () => {
  const { app, mine } = await givenRivals()
  await using _ = app
  for (const action of ["include", "omit", "more_like_this"]) {
    const ask = (product_id: string) =>
      call(
        app,
        "get_products",
        { buying_mode: "refine", refine: [{ scope: "product", product_id, action }] },
        { key: mine },
      )
    expect(await ask("theirs-0")).toEqual(await ask("nothing"))
    expect((await ask("theirs-0")).adcp_error.code).toBe("PRODUCT_NOT_FOUND")
  }
})

test("a cursor or a feed version of another key is harmless", async () => {
  const { app, mine, theirs } = await givenRivals()
  await using _ = app
  const page = await call(app, "get_products", { ...wholesale, pagination: { max_results: 1 } }, { key: theirs })
  const foreign = await call(
    app,
    "get_products",
    { ...wholesale, pagination: { max_results: 1, cursor: page.pagination.cursor } },
    { key: mine },
  )
  expect(foreign.adcp_error).toMatchObject({ code: "INVALID_REQUEST", field: "pagination.cursor" })
  const fed = await call(
    app,
    "get_products",
    { ...wholesale, if_wholesale_feed_version: page.wholesale_feed_version },
    { key: mine },
  )
  expect(fed.unchanged).toBeUndefined()
  expect(fed.products).toHaveLength(3)
})

test.each([
  ["a filter that only the other's products match", { ...wholesale, filters: { channels: ["print"] } }],
  ["their territory", { ...wholesale, filters: { countries: ["FR"] } }],
  ["their exclusivity", { ...wholesale, filters: { exclusivity: "exclusive" } }],
])("%s tells only of the caller's own products", async (_, args) => {
  const { app, mine } = await givenRivals()
  await using __ = app
  const payload = await call(app, "get_products", args, { key: mine })
  expect(payload.products).toEqual([])
  expect(payload.pagination.total_count).toBe(0)
  expect(payload.filter_diagnostics.total_candidates).toBe(3)
  expect(payload.filter_diagnostics.excluded_by).toEqual({ [Object.keys(args.filters)[0] ?? ""]: { count: 3 } })
})

test("what another key sees changes no byte of the caller's answers", async () => {
  const { app, mine } = await givenRivals()
  await using _ = app
  const asks: Record<string, unknown>[] = [
    wholesale,
    { brief: "zebra podcast exclusive" },
    { ...wholesale, filters: { channels: ["podcast"] } },
  ]
  const answers = async () => Promise.all(asks.map((args) => call(app, "get_products", args, { key: mine })))
  const before = await answers()
  await givenBuyers(app, [givenProduct("theirs-9", { name: "Zebra podcast", channels: ["podcast"] })], {})
  const [other] = (await app.store.agentKeys.list()).filter(({ label }) => label === "Theirs")
  await app.store.agentKeys.open(
    other?.id ?? "",
    { productId: "theirs-9", territories: ["DE"] },
    { actor: "test", at: app.clock() },
  )
  expect(await answers()).toEqual(before)
})

test("an anonymous caller learns nothing from any mode", async () => {
  const { app } = await givenRivals()
  await using _ = app
  const asks: Record<string, unknown>[] = [
    wholesale,
    { brief: "zebra" },
    { ...wholesale, filters: { channels: ["print"] } },
  ]
  for (const args of asks) {
    const payload: Json = await call(app, "get_products", args)
    expect(payload.products).toEqual([])
    expect(payload.pagination.total_count).toBe(0)
    expect(payload.filter_diagnostics?.total_candidates ?? 0).toBe(0)
  }
  const refine = [{ scope: "product", product_id: "theirs-0" }]
  expect((await call(app, "get_products", { buying_mode: "refine", refine })).adcp_error.code).toBe("PRODUCT_NOT_FOUND")
})
