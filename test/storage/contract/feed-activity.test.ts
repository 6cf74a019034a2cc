import { describe, expect, test } from "bun:test"
import { type FeedRequest, REJECTED_ITEMS_MAX } from "../../../src/domain/activity/feed-request.ts"
import { storageContract } from "./contract.ts"
import { type Given, given, givenLine, givenOrganization, HOUR, need, newKey, SECOND } from "./given.ts"
import type { Store } from "./whole-store.ts"

async function givenSeller(at: Given) {
  const seller = await givenOrganization(at, "seller")
  const key = newKey("Ad server")
  await at.here.ingestKeys.create(key, seller.id, at.change())
  const request = (fields: Partial<FeedRequest> = {}): FeedRequest => ({
    organizationId: seller.id,
    keyId: key.id,
    at: at.clock(),
    feed: "delivery",
    outcome: "answered",
    accepted: 1,
    rejected: [],
    items: [],
    ...fields,
  })
  return { seller, key, request }
}

const rejection = (index: number, reason = "not_seller") => ({ index, reason, message: "No such line." })
const ALL = { offset: 0, limit: 100_000 }

const rejectedBy = (store: Store, organizationId: number, keyId: string) =>
  store.feedActivity.rejected({ organizationId, keyId, from: 0 }, ALL)

storageContract("feed-activity", (engine) => {
  describe("feed activity", () => {
    test("requests and items of all stores add up by the hour, feed and outcome", async () => {
      await using at = await given(engine)
      const { key, request } = await givenSeller(at)
      for (const { feedActivity } of at.stores) {
        feedActivity.note(request({ at: 5 * HOUR + SECOND, accepted: 3, rejected: [rejection(0), rejection(1)] }))
        feedActivity.note(request({ at: 5 * HOUR, accepted: 1 }))
        feedActivity.note(request({ at: 6 * HOUR, outcome: "rate_limited", accepted: 0 }))
        feedActivity.note(request({ at: 6 * HOUR, outcome: "dry_run", accepted: 9, rejected: [rejection(0)] }))
      }
      for (const store of at.stores) await store.flushWriteBuffer()
      const common = { keyId: key.id, feed: "delivery" } as const
      const counts = [
        { ...common, hour: 5 * HOUR, unit: "item", outcome: "accepted", count: 8 },
        { ...common, hour: 5 * HOUR, unit: "item", outcome: "not_seller", count: 4 },
        { ...common, hour: 5 * HOUR, unit: "request", outcome: "answered", count: 4 },
        { ...common, hour: 6 * HOUR, unit: "request", outcome: "dry_run", count: 2 },
        { ...common, hour: 6 * HOUR, unit: "request", outcome: "rate_limited", count: 2 },
      ] as const
      expect(await at.there.feedActivity.counts(key.id, 0)).toEqual([...counts])
      expect(await at.there.feedActivity.counts(key.id, 6 * HOUR)).toEqual([...counts.slice(3)])
      expect(await at.there.feedActivity.counts("another key", 0)).toEqual([])
    })

    test("what was noted is read by the same store at once", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      at.here.feedActivity.note(request({ rejected: [rejection(0)], items: [{}] }))
      expect(await at.here.feedActivity.counts(key.id, 0)).toHaveLength(3)
      expect((await rejectedBy(at.here, seller.id, key.id)).rows).toBe(1)
    })

    test("quiet keys are those whose last request was before a moment; revoked and unused ones are not among them", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      const other = await givenOrganization(at, "other")
      const [unused, revoked, foreign] = [newKey("Unused", 2), newKey("Revoked", 3), newKey("Another seller's", 4)]
      for (const one of [unused, revoked]) await at.here.ingestKeys.create(one, seller.id, at.change())
      await at.here.ingestKeys.create(foreign, other.id, at.change())
      for (const { id } of [key, revoked, foreign])
        for (const hour of [3, 5]) at.here.feedActivity.note(request({ keyId: id, at: hour * HOUR + SECOND }))
      await at.here.ingestKeys.revoke(revoked.id, null, at.change())
      const quiet = async (since: number) => at.here.feedActivity.quietKeys(seller.id, since)
      expect(await quiet(5 * HOUR + SECOND)).toEqual([])
      expect(await quiet(5 * HOUR + SECOND + 1)).toEqual(
        (await at.here.feedActivity.keys(seller.id)).filter(({ id }) => id === key.id),
      )
    })

    test("a key has its last request and its latest hours; one without requests has none", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      await at.here.ingestKeys.create(newKey("Unused", 2), seller.id, at.change())
      at.there.feedActivity.note(request({ at: 9 * HOUR + 5, outcome: "body_too_large", accepted: 0 }))
      await at.there.flushWriteBuffer()
      at.here.feedActivity.note(request({ at: 7 * HOUR }))
      at.here.feedActivity.note(request({ at: 8 * HOUR, feed: "affiliate-codes" }))
      const [unused, used] = await at.here.feedActivity.keys(seller.id)
      expect(unused).toMatchObject({ label: "Unused", lastRequest: null, hours: [] })
      const lastRequest = { keyId: key.id, at: 9 * HOUR + 5, feed: "delivery", outcome: "body_too_large" } as const
      expect(used).toMatchObject({ id: key.id, organization: "seller", hours: [9 * HOUR, 8 * HOUR, 7 * HOUR] })
      expect(used?.lastRequest).toEqual({ ...lastRequest, accepted: 0, rejected: 0 })
      expect(await at.here.feedActivity.keys(null)).toHaveLength(2)
    })

    test("rejected items name the line that they meant, only to its seller", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      const other = await givenOrganization(at, "other")
      const own = await givenLine(at, seller, other, { name: "Pre-roll" })
      const foreign = await givenLine(at, other, seller, { name: "Secret" })
      const { revision } = await at.here.deliveries.linesSold(seller.id, [own.packageId])
      await at.here.affiliates.saveCodes(seller.id, [{ lineId: own.lineId, code: "A", slug: undefined }], 1, revision)
      const items = [{ package_id: own.packageId.toUpperCase() }, { package_id: foreign.packageId }, { code: "A" }, 7]
      at.here.feedActivity.note(request({ items, rejected: items.map((_, index) => rejection(index)) }))
      const { items: listed, rows } = await rejectedBy(at.here, seller.id, key.id)
      expect(rows).toBe(4)
      expect(listed.map(({ line }) => line?.name ?? null)).toEqual([null, "Pre-roll", null, "Pre-roll"])
      expect(listed.at(-1)?.line).toEqual({ packageId: own.packageId, name: "Pre-roll", campaign: own.campaign })
      expect(listed[0]).toMatchObject({ sent: "7", message: "No such line.", reason: "not_seller", more: 0 })
      expect(await rejectedBy(at.here, other.id, key.id)).toEqual({ items: [], rows: 0 })
    })

    test("rejected items are listed newest first, by reason and time, a page at a time", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      for (const hour of [1, 2, 3]) {
        const rejected = [rejection(0, "invalid_item"), rejection(1)]
        at.here.feedActivity.note(request({ at: hour * HOUR, rejected, items: [hour, hour] }))
      }
      const scope = { organizationId: seller.id, keyId: key.id, from: 0 }
      const read = async (filter: object, page = ALL) => {
        const { items, rows } = await at.here.feedActivity.rejected({ ...scope, ...filter }, page)
        return [rows, ...items.map(({ at: received }) => received / HOUR)]
      }
      expect(await read({})).toEqual([6, 3, 3, 2, 2, 1, 1])
      expect(await read({ reason: "not_seller" })).toEqual([3, 3, 2, 1])
      expect(await read({ from: 2 * HOUR, until: 3 * HOUR })).toEqual([2, 2, 2])
      expect(await read({}, { offset: 1, limit: 2 })).toEqual([6, 3, 2])
    })

    test("texts that a caller chose can be stored, whatever they contain", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      const items = ["\0", "\ud800", { code: "a\0b", "\0": "\udfff" }, { package_id: "'); DROP TABLE x" }]
      at.here.feedActivity.note(request({ items, rejected: items.map((_, index) => rejection(index)) }))
      expect((await rejectedBy(at.here, seller.id, key.id)).rows).toBe(4)
    })

    test("only the newest items of an organization are kept, however many were rejected", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      const rejected = Array.from({ length: 5 }, (_, index) => rejection(index))
      const minutes = Math.ceil((REJECTED_ITEMS_MAX + 1_000) / rejected.length)
      for (let minute = 0; minute < minutes; minute++) {
        at.here.feedActivity.note(request({ at: minute * 60 * SECOND, rejected, items: [] }))
        if (minute % 200 === 199) await at.here.flushWriteBuffer()
      }
      const { items, rows } = await at.here.feedActivity.rejected(
        { organizationId: seller.id, keyId: key.id, from: 0 },
        { offset: 0, limit: 1 },
      )
      expect(rows).toBeGreaterThanOrEqual(REJECTED_ITEMS_MAX)
      expect(rows).toBeLessThanOrEqual(REJECTED_ITEMS_MAX + 1_000)
      expect(need(items[0]).at).toBe((minutes - 1) * 60 * SECOND)
    })

    test("what is older is deleted step by step", async () => {
      await using at = await given(engine)
      const { key, request, seller } = await givenSeller(at)
      for (const hour of [1, 2, 3]) {
        at.here.feedActivity.note(request({ at: hour * HOUR, rejected: [rejection(0)], items: [hour] }))
      }
      await at.here.flushWriteBuffer()
      let steps = 0
      while ((await at.there.feedActivity.prune(3 * HOUR)) > 0) steps++
      expect(steps).toBe(1)
      expect(await at.here.feedActivity.counts(key.id, 0)).toHaveLength(3)
      expect((await rejectedBy(at.here, seller.id, key.id)).rows).toBe(1)
    })
  })
})
