import { describe, expect, spyOn, test } from "bun:test"
import { readAddress } from "../../../../src/storage/postgres/engine/address.ts"
import { replicaCaches } from "../../../../src/storage/postgres/engine/caches.ts"
import { openPools } from "../../../../src/storage/postgres/engine/connect.ts"
import { DeadlineError } from "../../../../src/storage/postgres/engine/deadline.ts"
import { access } from "../../../../src/storage/postgres/engine/transaction.ts"
import type { WriteRows } from "../../../../src/storage/postgres/engine/write-queue.ts"
import { writeQueue } from "../../../../src/storage/postgres/engine/write-queue.ts"
import { nextTurn } from "../../../clock.ts"
import { freshDatabase, noPostgres } from "../server.ts"

const ADD = "INSERT INTO setting (name, value) SELECT name, name FROM unnest($1::text[]) AS given(name)"

/** A queue whose jobs are names that are added to a table, and how many went into each transaction that was kept. */
async function givenQueue(bounds: Parameters<typeof writeQueue>[1] = {}) {
  const opened = new AsyncDisposableStack()
  const database = opened.use(await freshDatabase())
  const caches = replicaCaches()
  const pools = opened.use(openPools(readAddress(`${database.url}&pool_size=4`), caches.forget))
  const ways = access(pools, caches)
  const shared: number[] = []
  const queue = writeQueue(ways, { ...bounds, onCommit: (_, jobs) => void shared.push(jobs) })
  const add = queue.kind<string, string>({
    rows: () => 1,
    async write({ rows }, names) {
      await rows(ADD, [names])
      return { outcomes: names.map((name) => `added ${name}`) }
    },
  })
  const names = async () => {
    const found = await ways.read(({ rows }) => rows<{ name: string }>("SELECT name FROM setting ORDER BY name"))
    return found.map(({ name }) => name)
  }
  return { queue, add, names, shared, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Buffered writes that are added to the same table. */
const addAll: WriteRows<string> = async (names, { rows }) => {
  await rows(ADD, [[...names]])
}

describe.skipIf(noPostgres !== null)("the write queue of PostgreSQL", () => {
  test("jobs that come together share a transaction, and so do those that wait for it", async () => {
    await using at = await givenQueue({ inFlightMax: 1 })
    const first = Promise.all(["a", "b"].map(at.add))
    await nextTurn()
    const rest = Promise.all(["c", "d", "e"].map(at.add))
    expect(await first).toEqual(["added a", "added b"])
    expect(await rest).toEqual(["added c", "added d", "added e"])
    expect(at.shared).toEqual([2, 3])
    expect(await at.names()).toEqual(["a", "b", "c", "d", "e"])
  })

  test("no more rows go into a transaction than it may have, and the others into the next ones", async () => {
    await using at = await givenQueue({ rowsAtATime: 2 })
    await Promise.all(["a", "b", "c", "d", "e"].map(at.add))
    expect(at.shared.toSorted()).toEqual([1, 2, 2])
    await at.queue.drained()
  })

  test.each([
    ["are written, however long the burst takes, while others are committed", false],
    ["are refused without being tried where none is", true],
  ])("jobs of a burst %s", async (_, isStuck) => {
    await using at = await givenQueue({ inFlightMax: 1, rowsAtATime: 1 })
    const realNow = performance.now.bind(performance)
    let passedMs = 0
    let tries = 0
    using _clock = spyOn(performance, "now").mockImplementation(() => realNow() + passedMs)
    const add = at.queue.kind<string, string>({
      rows: () => 1,
      async write(_transaction, names) {
        tries++
        passedMs += isStuck ? 3_000 : 1_000
        if (isStuck) throw new DeadlineError("the database hangs")
        return { outcomes: names }
      },
    })
    const all = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => add(`job ${i}`)))
    const count = (status: string) => all.filter((one) => one.status === status).length
    expect([count("fulfilled"), count("rejected"), tries]).toEqual(isStuck ? [0, 10, 1] : [10, 0, 10])
  })

  test("a few rows wait for the transaction under way and share the next one; many begin another beside it", async () => {
    await using at = await givenQueue({ rowsWorthAnother: 3 })
    const first = at.add("a")
    await nextTurn()
    const few = [at.add("b"), at.add("c")]
    await nextTurn()
    expect(at.shared.length).toBeLessThanOrEqual(1)
    await Promise.all([first, ...few])
    // The few wait for 50 ms at most: where the first takes longer, as when it has to connect, they begin beside it and may end first.
    expect(at.shared.toSorted()).toEqual([1, 2])
    const second = at.add("d")
    await nextTurn()
    await Promise.all([second, ...["e", "f", "g"].map(at.add)])
    expect(at.shared.slice(2).sort()).toEqual([1, 3])
  })

  test.each([1, 2, 3])(
    "figures of all kinds (%i) together leave half of the connections to reads, and all get on",
    async (kinds) => {
      await using at = await givenQueue({ inFlightMax: 2, rowsAtATime: 1, rowsWorthAnother: 1 })
      const lock = Promise.withResolvers<void>()
      const both = Promise.withResolvers<void>()
      const began: number[] = []
      const adds = Array.from({ length: kinds }, (_, kind) =>
        at.queue.kind<number, number>({
          rows: () => 1,
          async write(_transaction, jobs) {
            if (began.push(kind) === 2) both.resolve()
            await lock.promise
            return { outcomes: jobs }
          },
        }),
      )
      const jobs = [0, 1, 2, 3, 4].flatMap((job) => adds.map((add) => add(job)))
      await both.promise
      expect(await at.names()).toEqual([])
      expect(began.length).toBe(2)
      lock.resolve()
      expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4].flatMap((job) => adds.map(() => job)))
      // None has to wait until all of another kind are written.
      expect(new Set(began.slice(0, 2 * kinds)).size).toBe(kinds)
      await at.queue.drained()
    },
  )

  test.each([[["hurried", "patient"]], [["patient", "hurried", "patient"]]])(
    "%p: whoever has little time left has a transaction apart, before the others and not beside them",
    async (given) => {
      await using at = await givenQueue({ inFlightMax: 1 })
      // Connected before the time counts.
      expect(await at.names()).toEqual([])
      // However long the machine takes, each has as much time left as it came with.
      using _clock = spyOn(performance, "now").mockReturnValue(performance.now())
      let [underWay, most] = [0, 0]
      const add = at.queue.kind<string, string>({
        rows: () => 1,
        answerBy: (job) => performance.now() + (job === "hurried" ? 2_400 : 5_000),
        async write({ rows }, jobs) {
          most = Math.max(most, ++underWay)
          await rows("SELECT 1")
          underWay--
          return { outcomes: jobs }
        },
      })
      const ended: string[] = []
      const outcomes = await Promise.all(given.map((job) => add(job).finally(() => ended.push(job))))
      expect(outcomes).toEqual(given)
      expect([most, ended[0], at.shared]).toEqual([1, "hurried", [1, given.length - 1]])
    },
  )

  test("a job that fails is refused alone; those that shared its transaction are kept", async () => {
    await using at = await givenQueue()
    await at.add("a")
    const bad = "\u0000"
    const outcomes = await Promise.allSettled(["b", bad, "c"].map(at.add))
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(await at.names()).toEqual(["a", "b", "c"])
  })

  test("buffered writes ride along with the next job, once, and cost no transaction of their own", async () => {
    await using at = await givenQueue()
    at.queue.behind({}, addAll).add("noted")
    await Promise.all([at.add("a"), at.queue.flushBehind()])
    await at.add("b")
    await at.queue.flushBehind()
    expect(await at.names()).toEqual(["a", "b", "noted"])
  })

  test("buffered writes that were made while others are written are not dropped with them", async () => {
    await using at = await givenQueue()
    const waiting = at.queue.behind<string>({}, async (names, transaction) => {
      await addAll(names, transaction)
      waiting.add(crypto.randomUUID())
    })
    waiting.add("first")
    await at.queue.flushBehind()
    expect(await at.names()).toEqual(["first"])
    expect(waiting.isDue()).toBe(true)
  })

  test("buffered writes that cannot be written keep no job from being kept, and are written when they can be", async () => {
    await using at = await givenQueue()
    let isBroken = true
    const waiting = at.queue.behind<string>({}, (names, transaction) =>
      addAll(isBroken ? ["\u0000"] : names, transaction),
    )
    waiting.add("noted")
    expect(await Promise.all(["a", "b"].map(at.add))).toEqual(["added a", "added b"])
    expect(await at.add("c")).toBe("added c")
    await expect(at.queue.flushBehind()).rejects.toThrow()
    isBroken = false
    await at.queue.flushBehind()
    expect(await at.names()).toEqual(["a", "b", "c", "noted"])
  })
})
