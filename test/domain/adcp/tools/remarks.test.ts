import { expect, test } from "bun:test"
import { ask, givenProduct, givenView, idsIn } from "../given.ts"

// What real clients send although it means nothing: answered, with a word about it.

const banner = givenProduct("banner", { channels: ["display"] })
const podcast = givenProduct("podcast", { channels: ["podcast"], delivery_type: "non_guaranteed" })
const view = givenView([banner, podcast])

const withoutMessage = ({ message: _, ...rest }: Record<string, unknown>) => rest

test("a brief beside wholesale is ignored, and the message says so", () => {
  const plain = ask(view, { buying_mode: "wholesale" })
  const beside = ask(view, { buying_mode: "wholesale", brief: "podcast" })
  expect(withoutMessage(beside)).toEqual(withoutMessage(plain))
  expect(beside.message).toBe("2 products. The brief was ignored, because buying_mode is wholesale.")
})

test("a brief beside refine is ignored", () => {
  const args = { buying_mode: "refine", refine: [{ scope: "product", product_id: "banner", action: "omit" }] }
  const beside = ask(view, { ...args, brief: "display" })
  expect(withoutMessage(beside)).toEqual(withoutMessage(ask(view, args)))
  expect(beside.products[0].brief_relevance).toBeUndefined()
})

test("a page of the wholesale feed goes on whatever brief is beside it", () => {
  const page = { buying_mode: "wholesale", pagination: { max_results: 1 } }
  const { cursor } = ask(view, { ...page, brief: "one" }).pagination
  expect(idsIn(ask(view, { ...page, brief: "two", pagination: { cursor } }))).toEqual(["podcast"])
})

test("an unknown filter is ignored and named", () => {
  const payload = ask(view, { buying_mode: "wholesale", filters: { mood: "happy", channels: ["podcast"] } })
  expect(idsIn(payload)).toEqual(["podcast"])
  expect(payload.message).toContain("Unknown filters were ignored: mood.")
  expect(payload.filter_diagnostics.excluded_by).toEqual({
    channels: { count: 1 },
    mood: { count: 0, notes: "Not applied: this agent does not know this filter." },
  })
})

test("thousands of unknown filters cost no more than a few names", () => {
  const filters = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`unknown_${n}`, n]))
  const payload = ask(view, { buying_mode: "wholesale", filters })
  expect(Object.keys(payload.filter_diagnostics.excluded_by)).toHaveLength(10)
  expect(payload.message).toContain("unknown_9 and 4990 more.")
})

test("an unknown name in fields is ignored and named", () => {
  const payload = ask(view, { buying_mode: "wholesale", fields: ["channels", "colour", "__proto__"] })
  expect(payload.products[0].channels).toEqual(["display"])
  expect(payload.message).toBe("2 products. Fields that products here do not have were ignored: colour, __proto__.")
})

test.each([
  [{ start_date: "2027-03-01", end_date: "2027-02-01" }, "start_date is after end_date"],
  [{ start_date: "2026-01-01", end_date: "2026-02-01" }, "end_date 2026-02-01 is in the past"],
  [{ end_date: "2026-11-15" }, "end_date 2026-11-15 is in the past"],
  [{ start_date: "2026-11-15" }, "start_date 2026-11-15 is in the past"],
])("the window %j is answered with a word about it", (filters, words) => {
  const payload = ask(view, { buying_mode: "wholesale", filters })
  expect(payload.status).toBe("completed")
  expect(payload.message).toContain(words)
})

test("a window from today on needs no word", () => {
  const filters = { start_date: "2026-11-16", end_date: "2026-11-16" }
  expect(ask(view, { buying_mode: "wholesale", filters }).message).toBe("2 products.")
})

test("preferred delivery types come first without a brief too, and never in the wholesale feed", () => {
  const preferred_delivery_types = ["non_guaranteed"]
  expect(idsIn(ask(view, { preferred_delivery_types }))).toEqual(["podcast", "banner"])
  const refine = [{ scope: "product", product_id: "banner", action: "more_like_this" }]
  const both = { buying_mode: "refine", refine: [...refine, { scope: "product", product_id: "podcast" }] }
  expect(idsIn(ask(view, { ...both, preferred_delivery_types }))).toEqual(["podcast", "banner"])
  expect(idsIn(ask(view, { buying_mode: "wholesale", preferred_delivery_types }))).toEqual(["banner", "podcast"])
})

test("a list that is too short is complained about in good grammar", () => {
  expect(ask(view, { fields: [] }).adcp_error.message).toBe("fields needs at least 1 entry.")
})
