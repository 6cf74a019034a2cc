import { expect, test } from "bun:test"
import { ask, givenProduct, givenView, idsIn } from "../given.ts"

const names = { sport: "Sport podcast", news: "News podcast", poster: "City posters", shop: "Shop banners" }
const view = givenView(
  Object.entries(names).map(([id, name]) => givenProduct(id, { name, description: `${name} for everybody` })),
)
const refine = (...entries: object[]) => ask(view, { buying_mode: "refine", refine: entries })
const product = (product_id: string, rest: object = {}) => ({ scope: "product", product_id, ...rest })

test("include is what an entry means unless it says otherwise", () => {
  const payload = refine(product("poster"), product("sport", { action: "include" }))
  expect(idsIn(payload).sort()).toEqual(["poster", "sport"])
  expect(payload.refinement_applied).toEqual([
    { scope: "product", product_id: "poster", status: "applied" },
    { scope: "product", product_id: "sport", status: "applied" },
  ])
})

test("an entry of nothing keeps its place, in the answer and in errors", () => {
  const payload = ask(view, {
    buying_mode: "refine",
    refine: [null, product("poster"), { scope: null }, product("sport")],
  })
  expect(idsIn(payload).sort()).toEqual(["poster", "sport"])
  expect(
    payload.refinement_applied.map((one: { product_id?: string; status: string }) => [one.product_id, one.status]),
  ).toEqual([
    [undefined, "unable"],
    ["poster", "applied"],
    [undefined, "unable"],
    ["sport", "applied"],
  ])
  const { adcp_error: error } = ask(view, { buying_mode: "refine", refine: [null, product("missing")] })
  expect([error.code, error.field]).toEqual(["PRODUCT_NOT_FOUND", "refine[1].product_id"])
})

test("omit leaves the product out and the rest in", () => {
  expect(idsIn(refine(product("poster", { action: "omit" }))).sort()).toEqual(["news", "shop", "sport"])
})

test("more_like_this gives the product and what is like it", () => {
  const ids = idsIn(refine(product("sport", { action: "more_like_this" })))
  expect(ids.slice(0, 2)).toEqual(["sport", "news"])
})

test.each([1, 9, 10, 11, 40])("of %d others, the ten that are most like it come, most alike first", (count) => {
  const words = ["sport", "news", "garden", "film", "finance", "travel", "music"]
  const about = (index: number) => words.filter((_, place) => (index * 37) % (place + 2) === 0).join(" ")
  const others = Array.from({ length: count }, (_, i) => givenProduct(`p${i}`, { name: `Show ${about(i)}` }))
  const model = givenProduct("model", { name: `Show ${words.join(" ")}` })
  const many = givenView([model, ...others])
  const more = [product("model", { action: "more_like_this" })]
  const similar = idsIn(ask(many, { buying_mode: "refine", refine: more, pagination: { max_results: 100 } }))
  const shared = new Map(others.map(({ product_id }, i) => [product_id, about(i).split(" ").filter(Boolean).length]))
  const most = [...shared.values()]
    .filter((words) => words > 0)
    .sort((a, b) => b - a)
    .slice(0, 10)
  expect(similar[0]).toBe("model")
  expect(
    similar
      .slice(1)
      .map((id) => shared.get(id) ?? 0)
      .reduce((sum, words) => sum + words, 0),
  ).toBeGreaterThanOrEqual(most.reduce((sum, words) => sum + words, 0) - 2)
  expect(similar.length).toBeLessThanOrEqual(11)
})

test("a wish in words changes nothing, and the answer says so", () => {
  const payload = refine({ scope: "request", ask: "posters please" })
  expect(idsIn(payload)).toEqual(idsIn(ask(view, { buying_mode: "wholesale" })))
  expect(payload.refinement_applied).toEqual([{ scope: "request", status: "unable", notes: expect.any(String) }])
})

test("filters are absolute: an included product that they leave out is answered with unable", () => {
  const filters = { delivery_type: "non_guaranteed" }
  const payload = ask(view, { buying_mode: "refine", refine: [product("poster")], filters })
  expect(payload.products).toEqual([])
  expect(payload.refinement_applied).toMatchObject([{ status: "unable" }])
})

test.each([
  [[product("poster"), product("nothing")], "PRODUCT_NOT_FOUND", "refine[1].product_id"],
  [[product("nothing", { action: "omit" })], "PRODUCT_NOT_FOUND", "refine[0].product_id"],
  [[{ scope: "proposal", proposal_id: "x" }], "PROPOSAL_NOT_FOUND", "refine[0].proposal_id"],
  [[{ scope: "proposal", proposal_id: "x", action: "finalize" }], "PROPOSAL_NOT_FOUND", "refine[0].proposal_id"],
  [[{ scope: "proposal", proposal_id: "x", action: "finalize" }, product("poster")], "INVALID_REQUEST", "refine"],
  [[{ scope: "galaxy" }], "INVALID_REQUEST", "refine[0].scope"],
  [[], "INVALID_REQUEST", "refine"],
])("refine %j is refused with %s", (entries, code, field) => {
  expect(refine(...entries).adcp_error).toMatchObject({ code, field, recovery: "correctable" })
})
