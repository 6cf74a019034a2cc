import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Admission } from "../../../../src/domain/callers/rate-limit.ts"
import { rateLimiter } from "../../../../src/domain/callers/rate-limit.ts"
import { readAddress } from "../../../../src/domain/operations/database-url.ts"
import type { Store } from "../../../../src/storage/port/store.ts"
import { openPools } from "../../../../src/storage/postgres/engine/connect.ts"
import { DeadlineError } from "../../../../src/storage/postgres/engine/postgres-errors.ts"
import { access } from "../../../../src/storage/postgres/engine/transaction.ts"
import { postgresStore } from "../../../../src/storage/postgres/index.ts"
import { sweepWindows } from "../../../../src/storage/postgres/shared-limits/admissions.ts"
import { type MovableClock, movableClock, nextTurn } from "../../../clock.ts"
import { wholeStore } from "../../contract/whole-store.ts"
import { networkTo } from "../network.ts"
import { freshDatabase, noPostgres } from "../server.ts"

const MINUTE = 60_000_000

/** Stores on one fresh database, by the database's clock unless a test brings its own. */
async function givenReplicas(count: number, clock?: MovableClock) {
  const opened = new AsyncDisposableStack()
  const { url } = opened.use(await freshDatabase())
  const stores: Store[] = []
  for (let n = 0; n < count; n++) {
    stores.push(opened.use((await postgresStore(`${url}&pool_size=3`, clock && { clock })).store))
  }
  const { read } = access(opened.use(openPools(readAddress(url))))
  const of = (place: number): Store => {
    const store = stores[place % count]
    if (store === undefined) throw new Error("there is no store")
    return store
  }
  return { of, read, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const inAnyOrder = (callers: readonly string[], answers: readonly Admission[]) =>
  answers.map((answer, n) => `${callers[n]}: ${JSON.stringify(answer)}`).toSorted()

const isAllowed = ({ allowed }: Admission) => allowed

describe.skipIf(noPostgres !== null)("admissions over PostgreSQL", () => {
  test("the clocks of the replicas do not matter, and requests that come together are told apart", async () => {
    await using at = await givenReplicas(3)
    const window = { name: "w", limit: 60 }
    const answers = await Promise.all(
      Array.from({ length: 75 }, async (_, n) =>
        at.of(n).admissions.caller(window, "a", Date.now() * 1_000 + (n % 3) * 7 * MINUTE),
      ),
    )
    const remaining = answers.flatMap((one) => (one.allowed ? [one.remaining] : []))
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n))
  })

  test("every answer is that of one limiter in memory, whatever comes together and wherever", async () => {
    const clock = movableClock("2026-11-15T12:00:00Z")
    await using at = await givenReplicas(2, clock)
    let run = 0
    const step = fc.record({
      ms: fc.oneof(fc.constant(0), fc.constantFrom(1, 999, 59_999, 60_000), fc.integer({ min: 0, max: 40_000 })),
      together: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 8 }),
      replica: fc.integer({ min: 0, max: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (limit, steps) => {
          const model = rateLimiter({ limit })
          const window = { name: `run ${run++}`, limit }
          for (const { ms, together, replica } of steps) {
            clock.advance({ ms })
            const { admissions } = at.of(replica)
            // Of those that come at the same moment, any may be counted first.
            const callers = together.toSorted().map((caller) => `caller ${caller}`)
            const answers = await Promise.all(callers.map((caller) => admissions.caller(window, caller, clock())))
            const expected = callers.map((caller) => model.admit(caller, clock()))
            expect(inAnyOrder(callers, answers)).toEqual(inAnyOrder(callers, expected))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test("many callers at many replicas in any order: none waits for another for good, and each has its limit", async () => {
    await using at = await givenReplicas(3)
    const window = { name: "w", limit: 5 }
    const callers = Array.from({ length: 300 }, (_, n) => `caller ${n}`)
    const asked = await Promise.all(
      Array.from({ length: 9 }, async (_, n) => {
        const order = fc.sample(fc.shuffledSubarray(callers, { minLength: 300 }), 1)[0] ?? callers
        return Promise.all(order.map((caller) => at.of(n).admissions.caller(window, caller, 0)))
      }),
    )
    expect(asked.flat().filter(isAllowed).length).toBe(5 * callers.length)
  })

  test("servers that name two limits for one window at once are both answered, and counted together", async () => {
    await using at = await givenReplicas(2)
    const ask = async (n: number) => at.of(n).admissions.caller({ name: "w", limit: [3, 5][n % 2] ?? 0 }, "a", 0)
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => ask(n)))
    expect(answers.filter(isAllowed).length).toBe(5)
  })

  test("a key that is over its limit is unknown everywhere as soon as one store has revoked it", async () => {
    await using at = await givenReplicas(2)
    const key = { id: "k", label: "Buyer", prefix: "p", fingerprint: "f", createdAt: 1 }
    const { agentKeys } = wholeStore(at.of(1))
    await agentKeys.create(key, { actor: "command", at: 1 })
    const ask = () => at.of(0).admissions.agent("f", { name: "w", limit: 1 }, 0)
    expect((await ask())?.admission.allowed).toBe(true)
    expect((await ask())?.admission.allowed).toBe(false)
    await agentKeys.revoke("k", { actor: "command", at: 2 })
    expect(await ask()).toBeNull()
  })

  test("a name that PostgreSQL cannot hold is counted, and harms nobody who comes at the same time", async () => {
    await using at = await givenReplicas(1)
    const { admissions, signInThrottle } = at.of(0)
    const names = ["a", "b\0c", "\0"]
    const callers = [...names, "b\u{fffd}c"]
    const answers = await Promise.all(callers.map(async (name) => admissions.caller({ name: "w", limit: 2 }, name, 0)))
    expect(answers.every(isAllowed)).toBe(true)
    for (let n = 0; n < 5; n++) expect((await signInThrottle.begin(names, 0)).waitSeconds).toBe(0)
    expect((await signInThrottle.begin(["\0"], 0)).waitSeconds).toBe(1)
  })

  test("a clock that is set back: nobody is locked out for more than a minute, and nobody gets more", async () => {
    const clock = movableClock("2026-11-15T12:00:00Z")
    await using at = await givenReplicas(1, clock)
    const ask = (limit: number) => at.of(0).admissions.caller({ name: "w", limit }, "a", clock())
    await ask(1)
    clock.set("2026-11-15T09:00:00Z")
    // Another limit, so that the database is asked.
    expect(await ask(2)).toEqual({ allowed: true, remaining: 0, resetSeconds: 60 })
    expect(await ask(1)).toEqual({ allowed: false, retryAfterSeconds: 60 })
    clock.advance({ seconds: 60 })
    expect(await ask(1)).toEqual({ allowed: true, remaining: 0, resetSeconds: 60 })
  })

  test("windows that are over are deleted, however many, and none that still counts", async () => {
    const clock = movableClock("2026-11-15T12:00:00Z")
    await using at = await givenReplicas(1, clock)
    const { admissions } = at.of(0)
    const flood = 11_000
    await Promise.all(
      Array.from({ length: flood }, async (_, n) => admissions.caller({ name: "w", limit: 1 }, `address ${n}`, 0)),
    )
    clock.advance({ seconds: 59 })
    await admissions.caller({ name: "w", limit: 1 }, "late", 0)
    expect(await sweepWindows(at, clock)).toBe(0)
    clock.advance({ seconds: 1 })
    expect(await sweepWindows(at, clock)).toBe(flood)
    expect(await at.read(({ rows }) => rows("SELECT caller FROM rate_window"))).toEqual([{ caller: "late" }])
  })

  test("while the database hangs, everybody is refused by the deadline, and then it goes on", async () => {
    await using database = await freshDatabase()
    const [server] = readAddress(database.url).hosts
    if (server === undefined) throw new Error("the test server has no host")
    using network = networkTo(server.name, server.port)
    const { store } = await postgresStore(database.url.replace(/@[^/]+\//, `@127.0.0.1:${network.port}/`))
    await using _ = store
    const ask = async (caller: string) => store.admissions.caller({ name: "w", limit: 9 }, caller, 0)
    await ask("a")
    network.fate = () => "hang"
    const waiting: Promise<Admission>[] = []
    for (const caller of ["a", "b", "c", "d"]) {
      waiting.push(ask(caller))
      await nextTurn()
    }
    const outcomes = await Promise.allSettled(waiting)
    expect(outcomes.map((one) => one.status === "rejected" && one.reason instanceof DeadlineError)).toEqual(
      waiting.map(() => true),
    )
    network.fate = () => "pass"
    expect(await ask("e")).toEqual({ allowed: true, remaining: 8, resetSeconds: 60 })
  })
})
