import { describe, expect, test } from "bun:test"
import type { CallFilter, CallResult, LoggedCall, NewCall, PageRequest } from "../../../src/storage/port/store.ts"
import { nextTurn } from "../../clock.ts"
import { storageContract } from "./contract.ts"
import { type Given, given, HOUR, need, newKey, SECOND } from "./given.ts"
import type { Store } from "./whole-store.ts"

function call({ clock }: Given, fields: Partial<NewCall> = {}): NewCall {
  return {
    at: clock(),
    agentKeyId: null,
    address: "203.0.113.7",
    method: "tools/call",
    tool: "get_products",
    arguments: "{}",
    outcome: "completed",
    durationMicros: 12,
    ...fields,
  }
}

async function log(at: Given, store: Store, calls: readonly Partial<NewCall>[]): Promise<void> {
  for (const one of calls) store.agentCallLog.note(call(at, one))
  await store.flushWriteBuffer()
}

/** All that a search finds, page by page, whatever ids the calls have. */
async function searched(store: Store, filter: CallFilter, limit = 3): Promise<LoggedCall[]> {
  const found: LoggedCall[] = []
  for (let before: PageRequest["before"] = null; ; ) {
    const page = await store.agentCallLog.search(filter, { before, limit })
    expect(page.calls.length).toBeLessThanOrEqual(limit)
    found.push(...page.calls)
    before = page.before
    if (before === null) return found
  }
}

const outcomes = (calls: readonly LoggedCall[]) => calls.map(({ outcome }) => outcome)

storageContract("call-log", (engine) => {
  describe("the call log", () => {
    test("keeps a call as it was, at the latest when notes are flushed, for every process", async () => {
      await using at = await given(engine)
      const key = newKey("Buyer")
      await at.here.agentKeys.create(key, at.change())
      const keyed = call(at, { agentKeyId: key.id, address: null, arguments: '{"brief":"ü"}' })
      const bare = call(at, { tool: null, arguments: null, method: "ping", durationMicros: 0 })
      await log(at, at.here, [keyed, bare])
      await at.there.agentKeys.revoke(key.id, at.change())
      const [second, first] = await searched(at.there, {})
      expect(first).toEqual({ ...keyed, demand: null, id: need(first).id, agentKey: "Buyer" })
      expect(second).toEqual({ ...bare, demand: null, id: need(second).id, agentKey: null })
      expect((await at.there.agentCallLog.size()).rows).toBe(2)
    })

    test("is read newest first by pages, and oldest first after a call, when two stores write in turn", async () => {
      await using at = await given(engine)
      const names = Array.from({ length: 11 }, (_, i) => `call ${i}`)
      for (const [i, outcome] of names.entries()) await log(at, need(at.stores[i % 2]), [{ outcome }])
      expect(outcomes(await searched(at.there, {}))).toEqual(names.toReversed())
      expect(outcomes(await searched(at.here, {}, 100))).toEqual(names.toReversed())
      const walked: LoggedCall[] = []
      for (let next = await at.here.agentCallLog.after(0, 4); next.length > 0; ) {
        walked.push(...next)
        next = await at.here.agentCallLog.after(need(next.at(-1)).id, 4)
      }
      expect(outcomes(walked)).toEqual(names)
    })

    test("pages go on where the last one ended, also when calls were removed and added in between", async () => {
      await using at = await given(engine)
      await log(
        at,
        at.here,
        Array.from({ length: 10 }, (_, i) => ({ outcome: `old ${i}`, at: i })),
      )
      await at.here.agentCallLog.prune(4)
      const first = await at.there.agentCallLog.search({}, { before: null, limit: 3 })
      expect(outcomes(first.calls)).toEqual(["old 9", "old 8", "old 7"])
      await log(at, at.there, [{ outcome: "new" }])
      const second = await at.here.agentCallLog.search({}, { before: first.before, limit: 10 })
      expect(outcomes(second.calls)).toEqual(["old 6", "old 5", "old 4"])
      expect(second.before).toBeNull()
    })

    test("is searched by caller, tool, outcome, result, text and time", async () => {
      await using at = await given(engine)
      const key = newKey("Buyer")
      await at.here.agentKeys.create(key, at.change())
      await log(at, at.here, [
        { outcome: "a", at: SECOND, agentKeyId: key.id, address: null },
        { outcome: "b", at: 2 * SECOND, tool: "list_creative_formats", arguments: '{"x":"100% sea_side"}' },
        { outcome: "c", at: 3 * SECOND, tool: null, arguments: '{"x":"100 seaXside"}' },
      ])
      const demand = (matched: number, brief: string, countries: string[] = []) =>
        JSON.stringify({ brief, countries, formats: [], matched, products: ["FR"] })
      await log(at, at.here, [
        { at: 5, tool: "found", demand: demand(10, '"matched":0,', ["DE", "AT"]) },
        { at: 6, tool: "nothing", demand: demand(0, '"countries":["CH"],"formats":[', ["AT"]) },
        { at: 7, tool: "neither" },
      ])
      const tools = async (result: CallResult) =>
        (await searched(at.there, { result, until: 8 })).map(({ tool }) => tool)
      expect([await tools("found"), await tools("nothing"), await tools("refused")]).toEqual([
        ["found"],
        ["nothing"],
        [],
      ])
      const asked = async (country: string) => (await searched(at.there, { country })).map(({ tool }) => tool)
      expect([await asked("AT"), await asked("DE"), await asked("CH"), await asked("FR")]).toEqual([
        ["nothing", "found"],
        ["found"],
        [],
        [],
      ])
      for (const none of ["%", "_E", "de", "D%", "", 'DE","AT', "DE\0"])
        expect([none, await asked(none)]).toEqual([none, []])
      expect(await at.there.agentCallLog.results({ until: 8 })).toEqual({
        calls: [
          { result: null, countries: [] },
          { result: "nothing", countries: ["AT"] },
          { result: "found", countries: ["DE", "AT"] },
        ],
        isAll: true,
      })
      const found = async (filter: CallFilter) => outcomes(await searched(at.there, filter)).join("")
      expect(await found({ caller: key.id })).toBe("a")
      expect(await found({ caller: "anonymous", from: SECOND })).toBe("cb")
      expect(await found({ caller: "nobody" })).toBe("")
      expect(await found({ tool: "list_creative_formats" })).toBe("b")
      expect(await found({ outcome: "c" })).toBe("c")
      expect(await found({ text: "100% sea_side" })).toBe("b")
      expect(await found({ text: "side" })).toBe("cb")
      expect(await found({ from: 2 * SECOND })).toBe("cb")
      expect(await found({ from: SECOND, until: 2 * SECOND })).toBe("a")
      expect(await found({ from: 2 * SECOND, until: 3 * SECOND })).toBe("b")
      expect(await found({ from: 4 * SECOND })).toBe("")
      expect(await found({ from: 8, until: SECOND })).toBe("")
    })

    test("a search by time finds calls that became visible in another order than they were made", async () => {
      await using at = await given(engine)
      at.here.agentCallLog.note(call(at, { outcome: "first made", at: 10 * SECOND }))
      await log(at, at.there, [{ outcome: "second made", at: 11 * SECOND }])
      await at.here.flushWriteBuffer()
      const found = async (filter: CallFilter) => outcomes(await searched(at.there, filter)).toSorted()
      expect(await found({ from: 10 * SECOND })).toEqual(["first made", "second made"])
      expect(await found({ until: 12 * SECOND })).toEqual(["first made", "second made"])
      expect(await found({ from: 11 * SECOND })).toEqual(["second made"])
      expect(await found({ until: 11 * SECOND })).toEqual(["first made"])
    })

    test("keeps no more calls than it may, whichever store writes: the oldest make room", async () => {
      await using at = await given(engine)
      const outcomeOf = (i: number) => String(i + 10)
      for (let i = 0; i < 10; i++) await log(at, at.here, [{ outcome: outcomeOf(i) }])
      const { bytes } = await at.here.agentCallLog.size()
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(bytes)
      for (let i = 10; i < 25; i++) await log(at, need(at.stores[i % 2]), [{ outcome: outcomeOf(i) }])
      expect(outcomes(await searched(at.there, {}))).toEqual(Array.from({ length: 10 }, (_, i) => outcomeOf(24 - i)))
      expect((await at.here.agentCallLog.size()).rows).toBe(10)
    })

    test("keeps no more bytes than it may, but for what one commit adds", async () => {
      await using at = await given(engine)
      const bytes = 300_000
      at.here.agentCallLog.keepWithin(bytes)
      for (let i = 0; i < 30; i++)
        await log(
          at,
          at.here,
          Array.from({ length: 10 }, () => ({ arguments: "x".repeat(8_000) })),
        )
      const size = await at.there.agentCallLog.size()
      expect(size.bytes).toBeGreaterThan(bytes / 2)
      expect(size.bytes).toBeLessThanOrEqual(bytes)
    })

    test("keeps what callers with keys asked, however much strangers ask: they make room for each other alone", async () => {
      await using at = await given(engine)
      const one = { arguments: "x".repeat(3_000) }
      const keyed = { ...one, agentKeyId: "k" }
      const many = (count: number, fields: Partial<NewCall>) => Array.from({ length: count }, () => fields)
      const callers = async () => {
        const { calls } = await at.there.agentCallLog.search({}, { before: null, limit: 1_000 })
        return { keyed: calls.filter((c) => c.agentKeyId === "k").length, all: calls.length }
      }
      await log(at, at.here, [keyed])
      const { bytes } = await at.here.agentCallLog.size()
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(40 * bytes)
      // Strangers may take what nobody else needs.
      await log(at, at.here, [...many(9, keyed), ...many(30, one)])
      expect(await callers()).toEqual({ keyed: 10, all: 40 })
      for (let i = 0; i < 20; i++) await log(at, need(at.stores[i % 2]), many(10, one))
      expect(await callers()).toEqual({ keyed: 10, all: 40 })
      // Who has a key takes the place back, up to three quarters.
      for (let i = 0; i < 20; i++) await log(at, at.here, [keyed, one])
      expect(await callers()).toEqual({ keyed: 30, all: 40 })
      expect(await at.there.agentCallLog.cutAt()).toBeNull()
      for (let i = 0; i < 20; i++) await log(at, at.here, [keyed, one])
      expect(await at.there.agentCallLog.cutAt()).toBeNumber()
      expect(await callers()).toEqual({ keyed: 30, all: 40 })
    })

    test("keeps what one key asked, however much others ask: the one that takes most makes room, beyond three quarters of the log", async () => {
      await using at = await given(engine)
      const of = (agentKeyId: string | null, count: number) =>
        Array.from({ length: count }, () => ({ agentKeyId, arguments: "x".repeat(3_000) }))
      const kept = async () => {
        const { calls } = await at.there.agentCallLog.search({}, { before: null, limit: 1_000 })
        return Object.fromEntries(
          ["a", "b", "c", null].map((key) => [key ?? "none", calls.filter((c) => c.agentKeyId === key).length]),
        )
      }
      await log(at, at.here, of("a", 1))
      const { bytes } = await at.here.agentCallLog.size()
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(40 * bytes)
      await log(at, at.here, [...of("a", 4), ...of("b", 3)])
      for (let i = 0; i < 30; i++) await log(at, need(at.stores[i % 2]), of("c", 3))
      expect(await kept()).toEqual({ a: 5, b: 3, c: 22, none: 0 })
      for (let i = 0; i < 30; i++) await log(at, need(at.stores[i % 2]), of(null, 3))
      expect(await kept()).toEqual({ a: 5, b: 3, c: 22, none: 10 })
      // Equal shares, give or take one commit, where all want more than there is.
      for (let i = 0; i < 30; i++) await log(at, at.here, [...of("a", 1), ...of("b", 1), ...of("c", 1)])
      const { none, ...keyed } = await kept()
      expect([none, Object.values(keyed).every((count) => count >= 8 && count <= 12)]).toEqual([10, true])
    })

    test("a smaller log is made by the key that takes most, however many steps that takes: no other key loses a call", async () => {
      await using at = await given(engine)
      const of = (agentKeyId: string | null, count: number) =>
        Array.from({ length: count }, () => ({ agentKeyId, arguments: "x".repeat(3_000) }))
      await log(at, at.here, of("a", 1))
      const { bytes } = await at.here.agentCallLog.size()
      await log(at, at.here, [...of("a", 4), ...of(null, 10), ...of("c", 1_100)])
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(40 * bytes)
      await log(at, at.here, of("c", 1))
      while ((await at.there.agentCallLog.prune(0)) > 0);
      const { calls } = await at.there.agentCallLog.search({}, { before: null, limit: 1_000 })
      const count = (key: string | null) => calls.filter((c) => c.agentKeyId === key).length
      expect([count("a"), count("c"), count(null)]).toEqual([5, 25, 10])
    })

    test("says up to when calls with keys had to go, also when older ones of another key go afterwards", async () => {
      await using at = await given(engine)
      const of = (agentKeyId: string, hour: number, count: number) =>
        Array.from({ length: count }, () => ({ agentKeyId, at: hour * HOUR, arguments: "x".repeat(3_000) }))
      await log(at, at.here, of("b", 1, 10))
      const { bytes } = await at.here.agentCallLog.size()
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(4 * bytes)
      await log(at, at.here, of("c", 2, 22))
      for (let i = 0; i < 10; i++) await log(at, at.here, of("b", 3, 1))
      expect((await searched(at.there, { caller: "b", until: 2 * HOUR })).length).toBeLessThan(10)
      expect(await at.there.agentCallLog.cutAt()).toBe(2 * HOUR)
    })

    test("keeps what callers with keys asked where no stranger was counted yet, and when calls grow old", async () => {
      await using at = await given(engine)
      const many = (count: number, fields: Partial<NewCall>) => Array.from({ length: count }, () => fields)
      const one = { arguments: "x".repeat(3_000) }
      await log(at, at.here, [...many(5, { ...one, at: HOUR }), ...many(5, { ...one, at: HOUR, agentKeyId: "k" })])
      await log(at, at.here, [
        ...many(5, { ...one, at: 3 * HOUR, agentKeyId: "k" }),
        ...many(5, { ...one, at: 3 * HOUR }),
      ])
      expect(await at.here.agentCallLog.prune(2 * HOUR)).toBe(10)
      const { bytes } = await at.here.agentCallLog.size()
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(bytes)
      for (let i = 0; i < 10; i++) await log(at, at.here, many(3, { ...one, at: 3 * HOUR }))
      const calls = await searched(at.there, {})
      expect(calls.filter((c) => c.agentKeyId === "k").length).toBe(5)
      expect(calls.length).toBe(10)
    })

    test("knows what get_products was asked, call by call in the order of time, and what was noted here at once", async () => {
      await using at = await given(engine)
      const demand = '{"brief":"\\u0000 ü"}'
      await log(at, at.there, [
        { at: 3 * SECOND, demand },
        { at: SECOND, demand, agentKeyId: "k" },
        { at: 2 * SECOND, outcome: "INVALID_REQUEST" },
        { at: 2 * SECOND },
        { at: 2 * SECOND, tool: "list_creative_formats", outcome: "INVALID_REQUEST" },
      ])
      at.here.agentCallLog.note(call(at, { at: 3 * SECOND, demand: "{}" }))
      const read: unknown[] = []
      for (let last = { at: SECOND, id: 0 }; ; ) {
        const calls = await at.here.agentCallLog.demand(last, 2)
        read.push(...calls.map(({ id, ...rest }) => rest))
        if (calls.length < 2) break
        last = need(calls.at(-1))
      }
      expect(read).toEqual([
        { at: SECOND, agentKeyId: "k", demand },
        { at: 2 * SECOND, agentKeyId: null, demand: null },
        { at: 3 * SECOND, agentKeyId: null, demand },
        { at: 3 * SECOND, agentKeyId: null, demand: "{}" },
      ])
      expect(await at.there.agentCallLog.demand({ at: 4 * SECOND, id: 0 }, 9)).toEqual([])
    })

    test("is written without being asked when many calls wait, and holds all of them after a flush", async () => {
      await using at = await given(engine)
      for (let i = 0; i < 5_000; i++) at.here.agentCallLog.note(call(at))
      while ((await at.there.agentCallLog.size()).rows === 0) await nextTurn()
      await at.here.flushWriteBuffer()
      expect((await at.there.agentCallLog.size()).rows).toBe(5_000)
    })

    test("is pruned step by step of what is too old or beyond its size, until there is nothing more", async () => {
      await using at = await given(engine)
      const calls = (count: number, fields: Partial<NewCall>) => Array.from({ length: count }, () => fields)
      await log(at, at.here, [...calls(30, { at: HOUR }), ...calls(20, { at: 3 * HOUR, arguments: "x".repeat(3_000) })])
      const removed = async (before: number) => {
        let all = 0
        for (;;) {
          const step = await at.there.agentCallLog.prune(before)
          if (step === 0) return all
          all += step
        }
      }
      expect(await removed(HOUR)).toBe(0)
      expect(await removed(2 * HOUR)).toBe(30)
      expect(await at.here.agentCallLog.size()).toMatchObject({ rows: 20 })
      const { bytes } = await at.here.agentCallLog.size()
      at.there.agentCallLog.keepWithin(bytes / 4)
      expect(await removed(0)).toBe(15)
      expect(await at.here.agentCallLog.size()).toMatchObject({ rows: 5 })
      at.there.agentCallLog.keepWithin(0)
      expect(await removed(0)).toBe(5)
      expect(await at.here.agentCallLog.size()).toEqual({ rows: 0, bytes: 0 })
    })
  })

  describe("refusals", () => {
    test("are counted by the hour, door and status over all stores, oldest first, and forgotten by the hour", async () => {
      await using at = await given(engine)
      const note = (store: Store, hour: number, status: 401 | 429) =>
        store.refusals.note({ hour: hour * HOUR, door: "agent", status })
      for (const store of at.stores) {
        note(store, 2, 401)
        note(store, 2, 401)
        note(store, 1, 429)
        store.refusals.note({ hour: HOUR, door: "ingest", status: 429 })
      }
      await Promise.all(at.stores.map((store) => store.flushWriteBuffer()))
      const counts = [
        { hour: HOUR, door: "agent", status: 429, requests: 2 },
        { hour: HOUR, door: "ingest", status: 429, requests: 2 },
        { hour: 2 * HOUR, door: "agent", status: 401, requests: 4 },
      ] as const
      expect(await at.there.refusals.since(0)).toEqual([...counts])
      expect(await at.there.refusals.since(HOUR + 1)).toEqual([counts[2]])
      await at.here.refusals.prune(2 * HOUR)
      expect(await at.there.refusals.since(0)).toEqual([counts[2]])
      note(at.here, 2, 401)
      await at.here.flushWriteBuffer()
      expect(await at.there.refusals.since(0)).toEqual([{ ...counts[2], requests: 5 }])
    })
  })
})
