import { expect, test } from "bun:test"
import { ask, call, givenProduct, givenShown, idsIn, post, productOf, show } from "../harness/agent/agent.ts"
import type { Json } from "../harness/agent/official.ts"
import { startApp } from "../harness/app.ts"

// Two keys with nothing in common. Whatever one asks, it must learn nothing of what is shown to the other.

const mine = [0, 1, 2].map((n) => productOf(`mine-${n}`, { channels: ["podcast"] }))
const theirs = [0, 1, 2].map((n) =>
  productOf(`theirs-${n}`, { name: `Zebra ${n}`, channels: ["print"], exclusivity: "exclusive" }),
)
const inOnly = (products: Json[], country: string) =>
  Object.fromEntries(products.map(({ product_id }) => [product_id, [country]]))

async function givenRivals() {
  const app = await startApp()
  const me = await givenShown(app, mine, inOnly(mine, "DE"))
  const rival = await givenShown(app, theirs, inOnly(theirs, "FR"))
  return { app, me, rival }
}

const WHOLESALE = { buying_mode: "wholesale" }

test("refining another key's product and a missing one get the same answer", async () => {
  const { app, me } = await givenRivals()
  await using _ = app
  for (const action of ["include", "omit", "more_like_this"]) {
    const refine = (product_id: string) =>
      ask(app, me, { buying_mode: "refine", refine: [{ scope: "product", product_id, action }] })
    expect(await refine("theirs-0")).toEqual(await refine("nothing"))
    expect((await refine("theirs-0")).adcp_error.code).toBe("PRODUCT_NOT_FOUND")
  }
})

test("a cursor or a feed version of another key is harmless", async () => {
  const { app, me, rival } = await givenRivals()
  await using _ = app
  const page = await ask(app, rival, { ...WHOLESALE, pagination: { max_results: 1 } })
  const { cursor } = page.pagination
  const foreign = await ask(app, me, { ...WHOLESALE, pagination: { max_results: 1, cursor } })
  expect(foreign.adcp_error).toMatchObject({ code: "INVALID_REQUEST", field: "pagination.cursor" })
  const fed = await ask(app, me, { ...WHOLESALE, if_wholesale_feed_version: page.wholesale_feed_version })
  expect([fed.unchanged, fed.products.length]).toEqual([undefined, 3])
})

test.each([
  ["channels", { channels: ["print"] }],
  ["countries", { countries: ["FR"] }],
  ["exclusivity", { exclusivity: "exclusive" }],
])("the filter %s counts only the caller's own products", async (name, filters) => {
  const { app, me } = await givenRivals()
  await using _ = app
  const payload = await ask(app, me, { ...WHOLESALE, filters })
  expect([payload.products, payload.pagination.total_count]).toEqual([[], 0])
  expect(payload.filter_diagnostics).toMatchObject({ total_candidates: 3, excluded_by: { [name]: { count: 3 } } })
})

test("products of another key don't change a byte of the caller's answers", async () => {
  const { app, me, rival } = await givenRivals()
  await using _ = app
  const questions = [
    WHOLESALE,
    { brief: "zebra podcast exclusive" },
    { ...WHOLESALE, filters: { channels: ["podcast"] } },
  ]
  const answers = () => Promise.all(questions.map((args) => ask(app, me, args)))
  const before = await answers()
  await givenProduct(app, productOf("theirs-9", { name: "Zebra podcast", channels: ["podcast"] }))
  await show(app, rival, "theirs-9", ["DE"])
  expect(await answers()).toEqual(before)
})

test("a caller without a key learns nothing from any mode", async () => {
  const { app } = await givenRivals()
  await using _ = app
  for (const args of [WHOLESALE, { brief: "zebra" }, { ...WHOLESALE, filters: { channels: ["print"] } }]) {
    const payload = await call(app, "get_products", args)
    expect([payload.products, payload.pagination.total_count]).toEqual([[], 0])
    expect(payload.filter_diagnostics?.total_candidates ?? 0).toBe(0)
  }
  const refine = [{ scope: "product", product_id: "theirs-0" }]
  expect((await call(app, "get_products", { buying_mode: "refine", refine })).adcp_error.code).toBe("PRODUCT_NOT_FOUND")
})

test("a product isn't offered from the moment that it expires, and refining it is like refining a missing one", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("short", { expires_at: "2026-11-15T13:00:00Z" }), productOf("long")])
  const ids = async () => idsIn(await ask(app, buyer, WHOLESALE))
  const refine = (product_id: string) =>
    ask(app, buyer, { buying_mode: "refine", refine: [{ scope: "product", product_id }] })
  app.clock.advance({ seconds: 3_599 })
  expect(await ids()).toEqual(["long", "short"])
  expect((await refine("short")).status).toBe("completed")
  app.clock.advance({ seconds: 1 })
  expect(await ids()).toEqual(["long"])
  expect(await refine("short")).toEqual(await refine("never"))
  // The clock was ahead, and is set right.
  app.clock.advance({ hours: -1 })
  expect(await ids()).toEqual(["long", "short"])
})

test("the capabilities and formats don't include what only an expired product offers", async () => {
  await using app = await startApp()
  const publisher_properties = [{ publisher_domain: "gone.example", selection_type: "all" }]
  const only = productOf("only", { expires_at: "2026-11-15T12:01:00Z", channels: ["cinema"], publisher_properties })
  const { key } = await givenShown(app, [only])
  const channels = async () =>
    (await call(app, "get_adcp_capabilities", {}, { key })).media_buy.portfolio?.primary_channels
  const formats = async () =>
    (await call(app, "list_creative_formats", { publisher_domain: "gone.example" }, { key })).formats.length
  expect([await channels(), await formats()]).toEqual([["cinema"], 1])
  app.clock.advance({ seconds: 60 })
  expect([await channels(), await formats()]).toEqual([undefined, 0])
  expect((await post(app, { jsonrpc: "2.0", id: 1, method: "ping" }, { key })).status).toBe(200)
})
