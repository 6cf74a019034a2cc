import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Admission } from "../../../src/domain/callers/rate-limit.ts"
import { storageContract } from "./contract.ts"
import { type Given, given, givenMarket, newKey } from "./given.ts"

// What holds for every engine, seen through one store. What replicas of an engine share is in between-replicas.test.ts.

const WINDOW = { name: "window", limit: 3 }
const MINUTE_MS = 60_000

function isAllowed(admission: Admission | undefined): boolean {
  return admission?.allowed === true
}

/** A sliding window as anybody would write it down: the times of what was admitted in the last minute. */
function windowModel(limit: number) {
  let admitted: number[] = []
  return (nowMs: number): Admission => {
    admitted = admitted.filter((at) => nowMs - at < MINUTE_MS)
    const secondsToNext = () => Math.max(1, Math.ceil((MINUTE_MS - (nowMs - (admitted[0] ?? nowMs))) / 1_000))
    if (admitted.length >= limit) return { allowed: false, retryAfterSeconds: secondsToNext() }
    admitted.push(nowMs)
    return { allowed: true, remaining: limit - admitted.length, resetSeconds: secondsToNext() }
  }
}

async function givenKeys(at: Given & { readonly acme: { readonly id: number } }) {
  const [ingest, agent] = [newKey("Nightly"), newKey("Buyer")]
  await at.here.ingestKeys.create(ingest, at.acme.id, at.change())
  await at.here.agentKeys.create(agent, at.change())
  return { ingest, agent }
}

storageContract("admissions", (engine) => {
  describe("admissions", () => {
    test("give the active key and take one request out of its window", async () => {
      await using at = await givenMarket(engine)
      const { ingest, agent } = await givenKeys(at)
      const { admissions } = at.here
      const admission = { allowed: true, remaining: 2, resetSeconds: 60 } as const
      expect(await admissions.ingest(ingest.fingerprint, WINDOW, at.clock())).toEqual({
        key: { id: ingest.id, organizationId: at.acme.id },
        admission,
      })
      expect(await admissions.agent(agent.fingerprint, WINDOW, at.clock())).toEqual({
        key: { id: agent.id },
        admission,
      })
      expect(await admissions.caller(WINDOW, "192.0.2.1", at.clock())).toEqual(admission)
    })

    test("of an unknown or revoked key are null, for every process at once, and a key of the other kind is unknown", async () => {
      await using at = await givenMarket(engine)
      const { ingest, agent } = await givenKeys(at)
      const admit = () =>
        Promise.all(
          at.stores.flatMap(({ admissions }) => [
            admissions.ingest(ingest.fingerprint, WINDOW, at.clock()),
            admissions.agent(agent.fingerprint, WINDOW, at.clock()),
          ]),
        )
      expect((await admit()).every((admitted) => admitted !== null)).toBe(true)
      expect(await at.here.admissions.agent(ingest.fingerprint, WINDOW, at.clock())).toBeNull()
      expect(await at.here.admissions.ingest(agent.fingerprint, WINDOW, at.clock())).toBeNull()
      expect(await at.here.admissions.ingest(ingest.prefix, WINDOW, at.clock())).toBeNull()
      await at.there.ingestKeys.revoke(ingest.id, null, at.change())
      await at.there.agentKeys.revoke(agent.id, at.change())
      expect(await admit()).toEqual([null, null, null, null])
    })

    test("are counted apart by method, by window and by caller", async () => {
      await using at = await givenMarket(engine)
      const { ingest, agent } = await givenKeys(at)
      const another = newKey("Another")
      await at.here.ingestKeys.create(another, at.acme.id, at.change())
      const { admissions } = at.here
      const one = { name: "one", limit: 1 }
      const two = { name: "two", limit: 1 }
      const admit = async () => [
        (await admissions.ingest(ingest.fingerprint, one, at.clock()))?.admission,
        (await admissions.ingest(ingest.fingerprint, two, at.clock()))?.admission,
        (await admissions.ingest(another.fingerprint, one, at.clock()))?.admission,
        (await admissions.agent(agent.fingerprint, one, at.clock()))?.admission,
        await admissions.caller(one, "192.0.2.1", at.clock()),
        await admissions.caller(one, "192.0.2.2", at.clock()),
        await admissions.caller(one, ingest.id, at.clock()),
        await admissions.caller(one, agent.id, at.clock()),
      ]
      expect((await admit()).map(isAllowed)).toEqual(Array.from({ length: 8 }, () => true))
      expect((await admit()).map(isAllowed)).toEqual(Array.from({ length: 8 }, () => false))
    })

    test("that come at once are never more than the limit", async () => {
      await using at = await givenMarket(engine)
      const { ingest } = await givenKeys(at)
      const { admissions } = at.store
      const admitted = await Promise.all(
        Array.from({ length: 10 }, () => admissions.ingest(ingest.fingerprint, WINDOW, at.clock())),
      )
      expect(admitted.filter((one) => one?.admission.allowed).length).toBe(WINDOW.limit)
      const callers = await Promise.all(
        Array.from({ length: 10 }, () => admissions.caller(WINDOW, "192.0.2.1", at.clock())),
      )
      expect(callers.filter(isAllowed).length).toBe(WINDOW.limit)
    })

    test("slide exactly, and a refused one does not count, however they come", async () => {
      await using at = await given(engine)
      const { admissions } = at.store
      let caller = 0
      const gaps = fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 70_000 }),
        fc.constantFrom(59_999, 60_000, 60_001),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 5 }),
          fc.array(gaps, { minLength: 1, maxLength: 25 }),
          async (limit, gapsMs) => {
            const name = `caller ${caller++}`
            const model = windowModel(limit)
            for (const ms of gapsMs) {
              at.clock.advance({ ms })
              const admission = await admissions.caller({ name: `of ${limit}`, limit }, name, at.clock())
              expect(admission).toEqual(model(at.clock() / 1_000))
            }
          },
        ),
        { numRuns: 30 },
      )
    })
  })

  describe("the throttle of sign-ins", () => {
    test("lets five failures pass, also when they come at once, and then doubles the wait", async () => {
      await using at = await given(engine)
      const { signInThrottle } = at.store
      const begin = () => signInThrottle.begin(["account a"], at.clock())
      const waits = (await Promise.all(Array.from({ length: 9 }, begin))).map(({ waitSeconds }) => waitSeconds)
      expect(waits.toSorted()).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1])
      at.clock.advance({ seconds: 1 })
      expect((await begin()).waitSeconds).toBe(0)
      expect(await begin()).toEqual({ waitSeconds: 2, counted: [] })
      expect((await signInThrottle.begin(["account b"], at.clock())).waitSeconds).toBe(0)
      at.clock.advance({ hours: 2 })
      expect((await begin()).waitSeconds).toBe(0)
      expect((await begin()).waitSeconds).toBe(0)
    })

    test("a clock that is set back adds nothing to the wait, which ends in its time", async () => {
      await using at = await given(engine)
      const { signInThrottle } = at.here
      const begin = () => signInThrottle.begin(["account a"], at.clock())
      for (let n = 0; n < 7; n++) {
        await begin()
        at.clock.advance({ seconds: n === 5 ? 1 : 0 })
      }
      expect((await begin()).waitSeconds).toBe(2)
      at.clock.advance({ days: -365 })
      expect((await begin()).waitSeconds).toBe(2)
      at.clock.advance({ seconds: 2 })
      expect((await begin()).waitSeconds).toBe(0)
    })

    test("counts for none of the subjects while one of them has to wait", async () => {
      await using at = await given(engine)
      const { signInThrottle } = at.here
      const begin = (...subjects: string[]) => signInThrottle.begin(subjects, at.clock())
      for (let n = 0; n < 5; n++) await begin("account a")
      for (let n = 0; n < 9; n++) expect((await begin("account a", "address b")).waitSeconds).toBe(1)
      for (let n = 0; n < 5; n++) expect((await begin("address b")).waitSeconds).toBe(0)
      expect((await begin("address b")).waitSeconds).toBe(1)
    })

    test("takes a failure back as if it had not been, but for those that came meanwhile", async () => {
      await using at = await given(engine)
      const { signInThrottle } = at.here
      const begin = () => signInThrottle.begin(["account a"], at.clock())
      for (let n = 0; n < 5; n++) await begin()
      at.clock.advance({ seconds: 1 })
      await signInThrottle.takeBack((await begin()).counted)
      expect((await begin()).waitSeconds).toBe(0)
      expect((await begin()).waitSeconds).toBe(2)
      at.clock.advance({ seconds: 2 })
      const { counted } = await begin()
      at.clock.advance({ seconds: 4 })
      expect((await begin()).waitSeconds).toBe(0)
      await signInThrottle.takeBack(counted)
      expect((await begin()).waitSeconds).toBe(4)
    })

    test("forgets the failures of whoever succeeds", async () => {
      await using at = await given(engine)
      const { signInThrottle } = at.here
      for (let n = 0; n < 5; n++) await signInThrottle.begin(["account a", "address b"], at.clock())
      expect((await signInThrottle.begin(["address b"], at.clock())).waitSeconds).toBe(1)
      await signInThrottle.succeeded(["account a", "address b", "never seen"])
      expect((await signInThrottle.begin(["account a", "address b"], at.clock())).waitSeconds).toBe(0)
    })
  })

  test("a lease goes to whoever asks first, and again to the one that holds it", async () => {
    await using at = await given(engine)
    expect(await at.here.leases.take("scheduled backups", 60)).toBe(true)
    expect(await at.here.leases.take("scheduled backups", 60)).toBe(true)
    expect(await at.here.leases.take("upkeep", 60)).toBe(true)
  })
})
