import { expect, test } from "bun:test"
import fc from "fast-check"
import type { FeedCount, FeedRequest, RejectedItem } from "../../src/domain/activity/feed-request.ts"
import { FEED_COUNTS, feedNotes, LAST_REQUESTS, REJECTED_ITEMS } from "../../src/storage/steps/behind/feed-notes.ts"
import { WriteBehind } from "../../src/storage/steps/behind/write-behind.ts"

const MINUTE = 60_000_000
const REASONS = ["invalid_item", "not_seller", "as_of_in_future"]

function request(fields: Partial<FeedRequest> = {}): FeedRequest {
  return {
    organizationId: 1,
    keyId: "key",
    at: 0,
    feed: "delivery",
    outcome: "answered",
    accepted: 0,
    rejected: [],
    items: [],
    ...fields,
  }
}

const rejections = (count: number, reason = "not_seller") =>
  Array.from({ length: count }, (_, index) => ({ index, reason, message: "no" }))

/** Notes in memory; writing hands out what was noted, whether or not it succeeds. */
function given() {
  const written: { counts: readonly FeedCount[]; items: readonly RejectedItem[] } = { counts: [], items: [] }
  const never = () => Promise.reject(new Error("nobody asked for it"))
  const rows = {
    counts: new WriteBehind(FEED_COUNTS, (counts) => void Object.assign(written, { counts }), never),
    lastRequests: new WriteBehind(LAST_REQUESTS, () => undefined, never),
    items: new WriteBehind(REJECTED_ITEMS, (items) => void Object.assign(written, { items }), never),
  }
  const all = Object.values(rows)
  return {
    note: feedNotes(rows),
    isDue: () => all.some((each) => each.isDue()),
    collect: () => all.forEach((each) => void each.collect()),
    write(succeeds = true) {
      Object.assign(written, { counts: [], items: [] })
      for (const each of all) {
        each.collect()
        if (each.isDue()) each.write()
        if (succeeds) each.written()
      }
      return { ...written }
    },
  }
}

test("of 500 rejected items a few are kept, and the last says how many more there were", () => {
  const buffer = given()
  buffer.note(request({ rejected: rejections(500) }))
  const { items } = buffer.write()
  expect(items.map(({ more }) => more)).toEqual([0, 0, 0, 0, 0, 494])
})

test("a flood of rejected items adds a few rows a minute, and every item is counted", () => {
  const buffer = given()
  for (let i = 0; i < 60; i++) buffer.note(request({ at: i, rejected: rejections(500) }))
  const { items, counts } = buffer.write()
  expect(items).toHaveLength(6)
  expect(items.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(30_000)
  expect(counts.find(({ unit }) => unit === "item")?.count).toBe(30_000)
  buffer.note(request({ at: MINUTE, rejected: rejections(1) }))
  expect(buffer.write().items).toHaveLength(1)
})

test("nothing is handed out before a flush, nor while nothing came", () => {
  const buffer = given()
  buffer.collect()
  expect(buffer.isDue()).toBe(false)
  buffer.note(request())
  expect(buffer.isDue()).toBe(false)
  buffer.collect()
  expect(buffer.isDue()).toBe(true)
})

test("rejected rows that wait for a disk that cannot be written are bounded; their counts are not lost", () => {
  const buffer = given()
  for (let minute = 0; minute < 5_000; minute++) buffer.note(request({ at: minute * MINUTE, rejected: rejections(5) }))
  const { items, counts } = buffer.write()
  expect(items.length).toBeLessThanOrEqual(2_000)
  expect(counts.filter(({ unit }) => unit === "item").reduce((sum, { count }) => sum + count, 0)).toBe(25_000)
})

test("whatever is sent and whichever writes fail, nothing is counted twice or lost", () => {
  const step = fc.oneof(
    fc.record({ minutes: fc.nat(2), accepted: fc.nat(3), rejected: fc.array(fc.constantFrom(...REASONS)) }),
    fc.constantFrom("written" as const, "failed" as const),
  )
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const buffer = given()
      const written = { items: 0, shown: 0, requests: 0 }
      const sent = { items: 0, rejected: 0, requests: 0 }
      let at = 0
      const write = (succeeds: boolean) => {
        const { counts, items } = buffer.write(succeeds)
        if (!succeeds) return
        for (const { unit, count } of counts) written[unit === "item" ? "items" : "requests"] += count
        for (const { more } of items) written.shown += 1 + more
      }
      for (const one of steps) {
        if (typeof one === "string") write(one === "written")
        else {
          at += one.minutes * MINUTE
          const rejected = one.rejected.map((reason, index) => ({ index, reason, message: "" }))
          buffer.note(request({ at, accepted: one.accepted, rejected }))
          sent.requests += 1
          sent.items += one.accepted + rejected.length
          sent.rejected += rejected.length
        }
      }
      write(true)
      expect(written).toEqual({ items: sent.items, shown: sent.rejected, requests: sent.requests })
    }),
  )
})
