import { describe, expect, test } from "bun:test"
import { ask, call, editProduct, givenShown, idsIn, productOf, removeProduct } from "../../harness/agent/agent.ts"
import type { Json } from "../../harness/agent/official.ts"
import { startApp } from "../../harness/app.ts"

const WHOLESALE = { buying_mode: "wholesale" }
const podcast = (id: string, fields: object = {}) => productOf(id, { channels: ["podcast"], ...fields })

describe("a brief", () => {
  test("gets the best 20 products with a cursor to the rest, in less than 40 KB", async () => {
    await using app = await startApp()
    const products = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? podcast(`p${n}`) : productOf(`p${n}`)))
    const buyer = await givenShown(app, products)
    const first = await ask(app, buyer, { brief: "podcasts about travel" })
    expect(first.products).toHaveLength(20)
    expect(first.message).toStartWith("20 of 50 products, best match first.")
    expect(first.pagination).toMatchObject({ has_more: true, total_count: 50 })
    expect(first.products.every(({ channels }: Json) => channels.includes("podcast"))).toBe(true)
    expect(JSON.stringify(first).length).toBeLessThan(40_000)
    const { cursor } = first.pagination
    const second = await ask(app, buyer, { brief: "podcasts about travel", pagination: { cursor } })
    expect(new Set([...idsIn(first), ...idsIn(second)]).size).toBe(50)
    expect(second.pagination.has_more).toBe(false)
  })

  test("never hides a product, whatever it says", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [podcast("a"), productOf("b")])
    for (const brief of ["", "no podcasts", "cinema", "🎧", "a b c"])
      expect(idsIn(await ask(app, buyer, { brief })).sort()).toEqual(["a", "b"])
  })

  test("has its names listed with their clauses, refusals quoted, and matches for each product", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [podcast("a"), productOf("b", { channels: ["radio"] })], { a: ["DE"] })
    const payload = await ask(app, buyer, { brief: "Podcasts in Germany, but no radio" })
    expect(payload.ext.adbooth).toEqual({
      named: [
        { channel: "podcast", clause: "Podcasts in Germany" },
        { country: "DE", clause: "Podcasts in Germany" },
      ],
      not_interpreted: ["no radio"],
    })
    const matches = payload.products.map(({ product_id, ext }: Json) => [product_id, ext.adbooth.matches])
    expect(matches).toEqual([
      ["a", { channel: true, country: true }],
      ["b", { channel: false, country: true }],
    ])
    expect(payload.message).toContain("The brief names podcast and Germany.")
    expect(payload.message).toContain('Not interpreted: "no radio".')
  })

  test("the answer says first that nothing fits, and names what was asked", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [podcast("a"), productOf("b")])
    const { message } = await ask(app, buyer, { brief: "Cinema spots for a thriller" })
    expect(message).toStartWith(
      "The brief names cinema; none of the 2 products is cinema. 2 products, best match first.",
    )
  })

  test("with numbers gets a hint to the filters, and no budget is read", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [podcast("a", { pricing_options: [priced({ min_spend_per_package: 9_000 })] })])
    const payload = await ask(app, buyer, { brief: "podcasts for 50 euros" })
    expect(payload.products).toHaveLength(1)
    expect(payload.message).toContain("send them as filters")
  })

  test("beside another mode is ignored with a remark", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [podcast("a")])
    const { message, ext } = await ask(app, buyer, { ...WHOLESALE, brief: "podcast" })
    expect([message.includes("The brief was ignored, because buying_mode is wholesale."), ext]).toEqual([
      true,
      undefined,
    ])
  })

  test("ranks preferred delivery types higher, and leaves nothing out", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [productOf("a"), productOf("b", { delivery_type: "non_guaranteed" })])
    const args = { preferred_delivery_types: ["non_guaranteed"] }
    expect(idsIn(await ask(app, buyer, { ...args, brief: "banner" }))).toEqual(["b", "a"])
    expect(idsIn(await ask(app, buyer, args))).toEqual(["b", "a"])
  })
})

const priced = (fields: object) => ({
  pricing_option_id: "cpm",
  pricing_model: "cpm",
  currency: "EUR",
  fixed_price: 10,
  ...fields,
})

test("without a brief, and in the other modes, all products come at once", async () => {
  await using app = await startApp()
  const buyer = await givenShown(
    app,
    Array.from({ length: 60 }, (_, n) => productOf(`p${n}`)),
  )
  for (const args of [{}, WHOLESALE, { buying_mode: "refine", refine: [{ scope: "request", ask: "all" }] }])
    expect((await ask(app, buyer, args)).products).toHaveLength(60)
})

test("a product shows only the territories that it's shown in", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p")], { p: ["DE", "AT"] })
  const [product] = (await ask(app, buyer)).products
  expect(product.description).toBe("A banner on the homepage. Available in Austria and Germany.")
  expect(product.ext.adbooth.territories).toEqual(["AT", "DE"])
})

describe("modes and pages", () => {
  test.each([
    [{ buying_mode: "brief" }, "brief"],
    [{ buying_mode: "refine" }, "refine"],
    [{ buying_mode: "wholesale", refine: [{ scope: "request", ask: "x" }] }, "refine"],
    [{ if_wholesale_feed_version: "x" }, "if_wholesale_feed_version"],
    [{ ...WHOLESALE, if_pricing_version: "x" }, "if_wholesale_feed_version"],
    [{ catalog: { type: "product" } }, "brand"],
    [{ filters: { start_date: "2026-12-02", end_date: "2026-12-01" } }, "filters.end_date"],
    [{ filters: { start_date: "2026-02-30" } }, "filters.start_date"],
    [{ pagination: { cursor: "nonsense" } }, "pagination.cursor"],
    [{ pagination: { max_results: 101 } }, "pagination.max_results"],
    [{ filters: { countries: ["Germany"] } }, "filters.countries[0]"],
  ])("%j is INVALID_REQUEST at %s", async (args, field) => {
    await using app = await startApp()
    const { adcp_error } = await call(app, "get_products", args)
    expect(adcp_error).toMatchObject({ code: "INVALID_REQUEST", field, recovery: "correctable" })
    expect(adcp_error.issues[0].message).toBeString()
  })

  test("an account ID that we can't resolve is refused, and an account by brand passes", async () => {
    await using app = await startApp()
    const refused = await call(app, "get_products", { account: { account_id: "x" } })
    expect(refused.adcp_error).toMatchObject({ code: "ACCOUNT_NOT_FOUND", recovery: "terminal" })
    const account = { brand: { domain: "a.example" }, operator: "b.example" }
    expect((await call(app, "get_products", { account })).status).toBe("completed")
  })

  test("null means absent, and unknown arguments are ignored", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [podcast("a"), productOf("b")])
    const plain = await ask(app, buyer, { brief: "podcast" })
    const nulls = { buying_mode: null, filters: { channels: null, ext: null }, fields: null, unheard_of: { a: [1] } }
    expect(await ask(app, buyer, { brief: "podcast", ...nulls })).toEqual(plain)
  })

  test("pages through the wholesale feed skip nothing, even if a product is deleted in between", async () => {
    await using app = await startApp()
    const buyer = await givenShown(
      app,
      ["a", "b", "c", "d", "e"].map((id) => productOf(id)),
    )
    const first = await ask(app, buyer, { ...WHOLESALE, pagination: { max_results: 2 } })
    expect([idsIn(first), first.pagination.total_count]).toEqual([["a", "b"], 5])
    await removeProduct(app, "a")
    const { cursor } = first.pagination
    const second = await ask(app, buyer, { ...WHOLESALE, pagination: { max_results: 2, cursor } })
    expect(idsIn(second)).toEqual(["c", "d"])
    const other = await ask(app, buyer, { ...WHOLESALE, filters: { channels: ["display"] }, pagination: { cursor } })
    expect(other.adcp_error.field).toBe("pagination.cursor")
  })

  test("the wholesale feed has a version: the same for equal requests, and a new one after a change", async () => {
    await using app = await startApp()
    const buyer = await givenShown(app, [productOf("a"), podcast("b")])
    const { wholesale_feed_version: version } = await ask(app, buyer, WHOLESALE)
    const same = { ...WHOLESALE, if_wholesale_feed_version: version }
    const unchanged = await ask(app, buyer, same)
    expect(unchanged).toMatchObject({ unchanged: true, cache_scope: "public", wholesale_feed_version: version })
    expect(unchanged.products).toBeUndefined()
    await editProduct(app, productOf("a", { name: "Other" }))
    const changed = await ask(app, buyer, same)
    expect([changed.unchanged, changed.products.length]).toEqual([undefined, 2])
    expect(changed.wholesale_feed_version).not.toBe(version)
    const lists = await Promise.all(
      [
        ["podcast", "display"],
        ["display", "podcast"],
      ].map((channels) => ask(app, buyer, { ...WHOLESALE, filters: { channels } })),
    )
    expect(lists[0].wholesale_feed_version).toBe(lists[1].wholesale_feed_version)
  })
})

describe("refine", () => {
  const refine = (...entries: object[]) => ({ buying_mode: "refine", refine: entries })
  const entry = (product_id: string, action?: string) => ({ scope: "product", product_id, ...(action && { action }) })

  async function givenFour() {
    const app = await startApp()
    const products = [
      podcast("running", { name: "Running podcast", description: "Marathon training and shoes." }),
      podcast("trail", { name: "Trail podcast", description: "Marathon and trail running, shoes." }),
      productOf("banner"),
      productOf("cooking", { channels: ["email"], name: "Cooking letter", description: "Recipes each week." }),
    ]
    return { app, buyer: await givenShown(app, products) }
  }

  test("includes, omits and finds similar products, with one result for each entry", async () => {
    const { app, buyer } = await givenFour()
    await using _ = app
    const included = await ask(app, buyer, refine(entry("banner"), entry("cooking", "include")))
    expect(idsIn(included).sort()).toEqual(["banner", "cooking"])
    const omitted = await ask(app, buyer, refine(entry("banner", "omit")))
    expect(idsIn(omitted)).toEqual(["cooking", "running", "trail"])
    const similar = await ask(app, buyer, refine(entry("running", "more_like_this")))
    expect(idsIn(similar).slice(0, 2)).toEqual(["running", "trail"])
    expect(idsIn(similar)).not.toContain("cooking")
    expect(similar.refinement_applied).toEqual([{ scope: "product", product_id: "running", status: "applied" }])
  })

  test("says what it can't do: wishes in words, and products that a filter leaves out", async () => {
    const { app, buyer } = await givenFour()
    await using _ = app
    const args = {
      ...refine({ scope: "request", ask: "cheaper" }, entry("banner"), { ...entry("trail"), ask: "longer" }),
    }
    const { refinement_applied: applied } = await ask(app, buyer, { ...args, filters: { channels: ["podcast"] } })
    expect(applied.map(({ status }: Json) => status)).toEqual(["unable", "unable", "partial"])
  })

  test("knows no proposals", async () => {
    const { app, buyer } = await givenFour()
    await using _ = app
    const proposal = { scope: "proposal", proposal_id: "x" }
    expect((await ask(app, buyer, refine(proposal))).adcp_error.code).toBe("PROPOSAL_NOT_FOUND")
    const mixed = refine({ ...proposal, action: "finalize" }, entry("banner"))
    expect((await ask(app, buyer, mixed)).adcp_error.code).toBe("INVALID_REQUEST")
  })
})
