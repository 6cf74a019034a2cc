import { expect, test } from "bun:test"
import { ask, givenProduct, givenView, idsIn } from "../given.ts"

const ids = Array.from({ length: 125 }, (_, index) => `p${String(index).padStart(3, "0")}`)
const products = ids.map((id, index) => givenProduct(id, { channels: [index % 2 ? "display" : "podcast"] }))
const view = givenView(products)
const wholesale = { buying_mode: "wholesale" }

function walk(from = view, args: Record<string, unknown> = wholesale, max_results = 20): string[] {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const payload = ask(from, { ...args, pagination: { max_results, ...(cursor ? { cursor } : {}) } })
    seen.push(...idsIn(payload))
    expect(payload.pagination.has_more).toBe(payload.pagination.cursor !== undefined)
    cursor = payload.pagination.cursor
  } while (cursor !== undefined)
  return seen
}

test("the cursors of the wholesale feed show every product once, in a stable order", () => {
  expect(walk()).toEqual(ids)
  expect(walk(view, wholesale, 100)).toEqual(ids)
})

test("the cursors of a brief show every product once, in the order of relevance", () => {
  const all = walk(view, { brief: "podcast" }, 30)
  expect([...all].sort()).toEqual(ids)
  expect(all.slice(0, 63).every((id) => Number(id.slice(1)) % 2 === 0)).toBe(true)
})

test("fifty products come on a page unless asked otherwise, with the count of all", () => {
  const payload = ask(view, wholesale)
  expect(payload.products).toHaveLength(50)
  expect(payload.pagination.total_count).toBe(125)
})

test("a cursor is refused with other filters, in another mode, and by another key", () => {
  const { cursor } = ask(view, wholesale).pagination
  const pagination = { cursor }
  const refusals = [
    ask(view, { ...wholesale, filters: { channels: ["display"] }, pagination }),
    ask(view, { brief: "podcast", pagination }),
    ask(givenView(products, {}, "key-2"), { ...wholesale, pagination }),
    ask(givenView([], {}, "anonymous"), { ...wholesale, pagination }),
  ]
  for (const refusal of refusals)
    expect(refusal.adcp_error).toMatchObject({ code: "INVALID_REQUEST", field: "pagination.cursor" })
})

test("the order of filters and their values does not matter to a cursor or a feed version", () => {
  const one = ask(view, { ...wholesale, filters: { channels: ["display", "podcast"], delivery_type: "guaranteed" } })
  const filters = { delivery_type: "guaranteed", channels: ["podcast", "display"] }
  const other = ask(view, { ...wholesale, filters, pagination: { cursor: one.pagination.cursor } })
  expect(idsIn(other)).toEqual(ids.slice(50, 100))
  expect(other.wholesale_feed_version).toBe(one.wholesale_feed_version)
})

test("a product that vanishes between two pages skips no other", () => {
  const first = ask(view, { ...wholesale, pagination: { max_results: 20 } })
  const shorter = givenView(products.filter((product) => product.product_id !== "p003"))
  const second = ask(shorter, { ...wholesale, pagination: { max_results: 20, cursor: first.pagination.cursor } })
  expect(idsIn(second)[0]).toBe("p020")
  expect(second.wholesale_feed_version).not.toBe(first.wholesale_feed_version)
})

test("the feed version is on every page, and while it stands the answer is just unchanged", () => {
  const { wholesale_feed_version: version, pagination } = ask(view, wholesale)
  expect(ask(view, { ...wholesale, pagination: { cursor: pagination.cursor } }).wholesale_feed_version).toBe(version)
  const unchanged = ask(view, { ...wholesale, if_wholesale_feed_version: version })
  expect(unchanged).toMatchObject({ unchanged: true, wholesale_feed_version: version, cache_scope: "public" })
  expect(unchanged.products).toBeUndefined()
})

test("a change of one product, a territory or a filter makes another feed version", () => {
  const { wholesale_feed_version: version } = ask(view, wholesale)
  const [first, ...rest] = products
  const changed = [
    ask(givenView([givenProduct("p000", { name: "Other" }), ...rest]), {
      ...wholesale,
      if_wholesale_feed_version: version,
    }),
    ask(givenView(products, { p000: ["DE"] }), { ...wholesale, if_wholesale_feed_version: version }),
    ask(view, { ...wholesale, filters: { channels: ["display"] }, if_wholesale_feed_version: version }),
  ]
  expect(first?.product_id).toBe("p000")
  for (const payload of changed) {
    expect(payload.unchanged).toBeUndefined()
    expect(payload.products.length).toBeGreaterThan(0)
    expect(payload.wholesale_feed_version).not.toBe(version)
  }
})
