import { expect, test } from "bun:test"
import type { FeedRequest } from "../../../src/domain/activity.ts"
import type { Moment } from "../../../src/domain/time/moment.ts"
import type { Later } from "../../../src/storage/later.ts"
import {
  countRejectedItems,
  feedCounts,
  keyActivity,
  noteFeedRequest,
  rejectedItems,
} from "../../../src/storage/operations/feed-activity.ts"
import { noteRefusal, refusalsSince } from "../../../src/storage/operations/settings.ts"
import { eachEngine, moment, openStore, type TestStore } from "../../harness/store.ts"

const NOON = moment("2026-03-02T12:00")

/** An organization with one API key. */
async function givenKey({ database }: TestStore): Promise<{ organizationId: number; apiKeyId: number }> {
  return database.transact(async (tx) => {
    const organization = { slug: "acme", name: "Acme", timeZone: "UTC" }
    const [added] = await tx.db.insert(tx.organization).values(organization).returning({ id: tx.organization.id })
    const organizationId = added?.id ?? 0
    const key = { organizationId, label: "Ad server", prefix: "abi_1", fingerprint: "f", createdAt: NOON }
    const [apiKey] = await tx.db.insert(tx.apiKey).values(key).returning({ id: tx.apiKey.id })
    return { organizationId, apiKeyId: apiKey?.id ?? 0 }
  })
}

const call = (later: Later, method: string, at: Moment = NOON) =>
  later.add("agentCall", { at, method, outcome: "found", durationMicros: 7, channels: ["display"], countries: null })

eachEngine((engine) => {
  test("deferred rows are written by a flush, with all counts added up", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    for (const { database } of [store, other]) {
      call(database.later, "tools/list")
      for (let i = 0; i < 3; i++) noteRefusal(database.later, "agent", 429, NOON + i)
    }
    const { read } = store.database
    expect(await refusalsSince(read, 0)).toEqual([])
    await Promise.all([store.database.later.flush(), other.database.later.flush()])
    noteRefusal(store.database.later, "agent", 429, NOON)
    await store.database.later.flush()
    expect(await refusalsSince(read, 0)).toEqual([{ way: "agent", status: 429, count: 7 }])
    const calls = await read.db.select().from(read.agentCall)
    expect(calls.map(({ method, channels, countries }) => ({ method, channels, countries }))).toEqual(
      Array(2).fill({ method: "tools/list", channels: ["display"], countries: null }),
    )
  })

  test("a row that the database refuses is dropped and logged, and the others are written", async () => {
    await using store = await openStore(engine)
    const { later, read } = store.database
    for (let i = 0; i < 9; i++) call(later, `call ${i}`)
    later.add("agentCall", { at: null as never, method: "broken", outcome: "", durationMicros: 0 })
    noteRefusal(later, "app", 503, NOON)
    await later.flush()
    expect(await read.db.select().from(read.agentCall)).toHaveLength(9)
    expect(await refusalsSince(read, 0)).toHaveLength(1)
    expect(store.errors).toHaveLength(1)
  })

  test("500 rows are written without waiting for the next flush, and a close writes the rest", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    for (let i = 0; i < 501; i++) call(other.database.later, `call ${i}`)
    await other.database.close()
    expect(await store.database.read.db.select().from(store.database.read.agentCall)).toHaveLength(501)
  })

  test("feed activity shows requests, items and the first rejected items of each reason", async () => {
    await using store = await openStore(engine)
    const { later, read } = store.database
    const { organizationId, apiKeyId } = await givenKey(store)
    const items = Array.from({ length: 9 }, (_, i) => ({ package_id: `P${i}`, note: `abi_${"x".repeat(38)}` }))
    const rejected = items.slice(0, 7).map((_, index) => ({ index, reason: "not_seller", message: "Not yours." }))
    const request: FeedRequest = {
      ...{ organizationId, apiKeyId, at: NOON, feed: "delivery", outcome: "answered", accepted: 2, rejected, items },
    }
    noteFeedRequest(later, request)
    noteFeedRequest(later, { ...request, at: NOON + 1, outcome: "dry_run" })
    noteFeedRequest(later, { ...request, at: NOON + 2, outcome: "rate_limited", accepted: 0, rejected: [], items: [] })
    later.used(apiKeyId, NOON + 2)
    await later.flush()

    const counts = await feedCounts(read, organizationId, NOON)
    expect(counts.map(({ unit, outcome, count }) => `${unit} ${outcome} ${count}`)).toEqual([
      "item accepted 2",
      "item not_seller 7",
      "request answered 1",
      "request dry_run 1",
      "request rate_limited 1",
    ])
    expect(await keyActivity(read, organizationId)).toMatchObject([
      {
        label: "Ad server",
        lastUsedAt: NOON + 2,
        hours: [NOON],
        lastRequest: { outcome: "rate_limited" },
      },
    ])
    const filter = { organizationId, from: 0, apiKeyId: null, reason: null }
    const [newest, ...others] = await rejectedItems(read, filter, { limit: 10, offset: 0 })
    expect(others).toHaveLength(4)
    expect(newest).toMatchObject({ reason: "not_seller", packageId: "p4", lineName: null })
    expect(newest?.sent).toContain("abi_********")
    expect(await countRejectedItems(read, filter)).toBe(5)
    expect(await countRejectedItems(read, { ...filter, apiKeyId, reason: "duplicate" })).toBe(0)
    expect(await countRejectedItems(read, { ...filter, organizationId: organizationId + 1 })).toBe(0)
  })

  test("an earlier use of a key never replaces a later one", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    const { organizationId, apiKeyId } = await givenKey(store)
    store.database.later.used(apiKeyId, moment("2026-03-02T13:00"))
    await store.database.later.flush()
    other.database.later.used(apiKeyId, NOON)
    await other.database.later.flush()
    const [key] = await keyActivity(store.database.read, organizationId)
    expect(key?.lastUsedAt).toBe(moment("2026-03-02T13:00"))
  })
})
