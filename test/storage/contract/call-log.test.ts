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
      expect(await at.there.agentCallLog.size()).toBe(2)
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
      await log(at, at.here, [
        { at: 5, tool: "found", demand: "{}", matched: 10, countries: ["DE", "AT"] },
        { at: 6, tool: "nothing", demand: "{}", matched: 0, countries: ["AT"] },
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
      const followed = async (filter: CallFilter) => outcomes(await at.there.agentCallLog.after(0, 10, filter)).join("")
      expect(await followed({ caller: key.id })).toBe("a")
      expect(await followed({ outcome: "c", from: SECOND })).toBe("c")
      expect(await followed({ caller: "anonymous", from: SECOND, until: 3 * SECOND })).toBe("b")
      expect((await at.there.agentCallLog.after(0, 10, { result: "nothing" })).map(({ tool }) => tool)).toEqual([
        "nothing",
      ])
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
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(10)
      for (let i = 10; i < 35; i++) await log(at, need(at.stores[i % 2]), [{ outcome: String(i) }])
      expect(outcomes(await searched(at.there, {}))).toEqual(Array.from({ length: 10 }, (_, i) => String(34 - i)))
      expect(await at.here.agentCallLog.size()).toBe(10)
    })

    test("keeps what callers with keys asked, however much strangers ask; of their own calls the oldest make room", async () => {
      await using at = await given(engine)
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(20)
      const of = (agentKeyId: string | null, from: number, count: number) =>
        Array.from({ length: count }, (_, i) => ({ agentKeyId, outcome: `${agentKeyId ?? "-"}${from + i}` }))
      const kept = async () =>
        outcomes(await searched(at.there, {}))
          .toReversed()
          .join(" ")
      await log(at, at.here, of("k", 0, 5))
      for (let i = 0; i < 10; i++) await log(at, need(at.stores[i % 2]), of(null, 10 * i, 10))
      expect(await kept()).toBe([...of("k", 0, 5), ...of(null, 85, 15)].map(({ outcome }) => outcome).join(" "))
      for (let i = 0; i < 5; i++) await log(at, at.here, [...of("k", 5 + 3 * i, 3), ...of(null, 100 + i, 1)])
      expect(await at.there.agentCallLog.size()).toBe(20)
      expect((await searched(at.there, { caller: "k" })).length).toBe(20)
      await log(at, at.here, of("k", 20, 3))
      expect(await kept()).toBe(
        of("k", 3, 20)
          .map(({ outcome }) => outcome)
          .join(" "),
      )
      await log(at, at.here, of(null, 200, 2))
      expect((await searched(at.there, { caller: "anonymous" })).length).toBe(0)
    })

    test("a log that is far too long is brought within its bounds as calls come, strangers' calls first", async () => {
      await using at = await given(engine)
      const of = (agentKeyId: string | null, count: number) => Array.from({ length: count }, () => ({ agentKeyId }))
      await log(at, at.here, [...of("a", 300), ...of(null, 2_500), ...of("b", 300)])
      for (const { agentCallLog } of at.stores) agentCallLog.keepWithin(700)
      for (let i = 0; i < 3; i++) await log(at, at.there, of("b", 1))
      const { calls } = await at.there.agentCallLog.search({}, { before: null, limit: 10_000 })
      const count = (key: string | null) => calls.filter((c) => c.agentKeyId === key).length
      expect([count("a"), count("b"), count(null), await at.here.agentCallLog.size()]).toEqual([300, 303, 97, 700])
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
      while ((await at.there.agentCallLog.size()) === 0) await nextTurn()
      await at.here.flushWriteBuffer()
      expect(await at.there.agentCallLog.size()).toBe(5_000)
    })

    test("is pruned step by step of what is too old, until there is nothing more", async () => {
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
      expect(await at.here.agentCallLog.size()).toBe(20)
      expect(await removed(4 * HOUR)).toBe(20)
      expect(await at.here.agentCallLog.size()).toBe(0)
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
