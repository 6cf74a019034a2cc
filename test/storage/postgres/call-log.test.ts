import { describe, expect, test } from "bun:test"
import type { LoggedCall, NewCall, Store } from "../../../src/storage/port/store.ts"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { freshDatabase, noPostgres } from "./server.ts"

const REPLICAS = 3

async function givenReplicas() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await freshDatabase())
  const stores: Store[] = []
  for (let i = 0; i < REPLICAS; i++) stores.push(opened.use((await postgresStore(`${database.url}&pool_size=3`)).store))
  const close = opened.move()
  return { stores, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

function call(outcome: string, fields: Partial<NewCall> = {}): NewCall {
  const plain = { agentKeyId: null, address: "203.0.113.7", method: "tools/call", tool: "get_products" }
  return { at: 1, ...plain, arguments: "{}", outcome, durationMicros: 1, ...fields }
}

const outcomes = (calls: readonly LoggedCall[]) => calls.map(({ outcome }) => outcome)

describe.skipIf(noPostgres !== null)("the call log of several replicas", () => {
  test("whoever follows it sees every call once, however the replicas' commits overtake each other", async () => {
    await using at = await givenReplicas()
    const rounds = 40
    let writing = true
    const seen: LoggedCall[] = []
    const follow = async (store: Store) => {
      for (let isLast = false; !isLast; ) {
        isLast = !writing
        const next = await store.agentCallLog.after(seen.at(-1)?.id ?? 0, 1_000)
        seen.push(...next)
      }
    }
    const write = async (store: Store, replica: number) => {
      for (let round = 0; round < rounds; round++) {
        for (let i = 0; i <= round % 5; i++) store.agentCallLog.note(call(`${replica} ${round} ${i}`))
        await store.flushWriteBuffer()
      }
    }
    const [first] = at.stores
    if (first === undefined) throw new Error("no replica")
    const following = follow(first)
    await Promise.all(at.stores.map(write))
    writing = false
    await following
    expect(new Set(outcomes(seen)).size).toBe(seen.length)
    expect(seen.length).toBe(REPLICAS * rounds * 3)
    expect(await first.agentCallLog.size()).toBe(seen.length)
  })

  test("stays within its bounds and knows its size when all of them write and prune at once", async () => {
    await using at = await givenReplicas()
    const rowsMax = 50
    for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(rowsMax)
    await Promise.all(
      at.stores.map(async (store, replica) => {
        for (let round = 0; round < 20; round++) {
          for (let i = 0; i < 7; i++) store.agentCallLog.note(call(`${replica} ${round}`, { at: round }))
          await Promise.all([store.flushWriteBuffer(), store.agentCallLog.prune(round - 10)])
        }
      }),
    )
    const [first] = at.stores
    const found = await first?.agentCallLog.search({}, { before: null, limit: 1_000 })
    const size = await first?.agentCallLog.size()
    expect(size).toBeWithin(1, rowsMax + 1)
    expect(size).toBe(found?.calls.length ?? -1)
  })

  test("calls that come in while others are being written are written next, and none twice", async () => {
    await using at = await givenReplicas()
    const [store] = at.stores
    if (store === undefined) throw new Error("no replica")
    const flushes: Promise<void>[] = []
    for (let i = 0; i < 60; i++) {
      store.agentCallLog.note(call(`${i}`))
      store.refusals.note({ hour: 0, door: "agent", status: 401 })
      flushes.push(store.flushWriteBuffer())
      if (i % 3 === 0) await flushes[i]
    }
    await Promise.all(flushes)
    const found = await store.agentCallLog.after(0, 1_000)
    expect(outcomes(found)).toEqual(Array.from({ length: 60 }, (_, i) => `${i}`))
    expect(await store.refusals.since(0)).toEqual([{ hour: 0, door: "agent", status: 401, requests: 60 }])
  })

  test("takes what callers make up, even where PostgreSQL cannot hold such a text", async () => {
    await using at = await givenReplicas()
    const [store] = at.stores
    if (store === undefined) throw new Error("no replica")
    const odd = { tool: "a\0b", method: "\ud800", arguments: '{"x":"\\u0000\0"}', address: "\udfff\0" }
    store.agentCallLog.note(call("odd", odd))
    store.agentCallLog.note(call("plain", { arguments: '{"x":"\\",{}\'NULL"}' }))
    await store.flushWriteBuffer()
    expect(await store.agentCallLog.after(0, 10)).toMatchObject([
      { tool: "a\uFFFDb", method: "\uFFFD", arguments: '{"x":"\\u0000\uFFFD"}', address: "\uFFFD\uFFFD" },
      { tool: "get_products", arguments: '{"x":"\\",{}\'NULL"}' },
    ])
    const found = await store.agentCallLog.search({ tool: "a\0b", text: "\0" }, { before: null, limit: 10 })
    expect(outcomes(found.calls)).toEqual(["odd"])
  })
})
