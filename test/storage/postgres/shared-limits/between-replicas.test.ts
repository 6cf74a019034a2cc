import { describe, expect, test } from "bun:test"
import { type Given, given, givenMarket, newKey } from "../../contract/given.ts"
import type { Store } from "../../contract/whole-store.ts"
import { postgres } from "../../engines.ts"
import { noPostgres } from "../server.ts"

// What an engine promises beside the contract when several servers run on the same data at once: together they let in as many as one
// of them would. A data directory has one server, so that SQLite is not asked for this.

const LIMIT = 60
const SPREAD = 75

async function replicas(at: Given): Promise<readonly [Store, Store, Store]> {
  return [at.store, await at.again(), await at.again()]
}

/** What each answers, in turn: the first, the second, the third, the first... */
function spread<Answer>(stores: readonly Store[], count: number, ask: (store: Store) => Answer | Promise<Answer>) {
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const store = stores[n % stores.length]
      if (store === undefined) throw new Error("there is no store")
      return await ask(store)
    }),
  )
}

describe.skipIf(noPostgres !== null)("limits that replicas share with PostgreSQL", () => {
  test.each(["ingest", "agent"] as const)(
    "75 requests of one %s key, spread over three, give exactly 60",
    async (kind) => {
      await using at = await givenMarket(postgres)
      const stores = await replicas(at)
      const key = newKey("Nightly")
      if (kind === "ingest") await at.store.ingestKeys.create(key, at.acme.id, at.change())
      else await at.store.agentKeys.create(key, at.change())
      const window = { name: "shared", limit: LIMIT }
      const admit = (store: Store) => store.admissions[kind](key.fingerprint, window, at.clock())
      const admitted = await spread(stores, SPREAD, admit)
      expect(admitted.filter((one) => one?.admission.allowed).length).toBe(LIMIT)
      at.clock.advance({ seconds: 60 })
      const later = await spread(stores, SPREAD, admit)
      expect(later.filter((one) => one?.admission.allowed).length).toBe(LIMIT)
    },
  )

  test("a window slides over all of them, and a refused request does not count", async () => {
    await using at = await given(postgres)
    const stores = await replicas(at)
    const window = { name: "shared", limit: LIMIT }
    const admit = async (count: number) => {
      const answers = await spread(stores, count, ({ admissions }) =>
        admissions.caller(window, "192.0.2.1", at.clock()),
      )
      return answers.filter(({ allowed }) => allowed).length
    }
    expect(await admit(20)).toBe(20)
    at.clock.advance({ seconds: 30 })
    expect(await admit(SPREAD)).toBe(40)
    at.clock.advance({ seconds: 29 })
    expect(await admit(SPREAD)).toBe(0)
    at.clock.advance({ seconds: 1 })
    expect(await admit(SPREAD)).toBe(20)
    at.clock.advance({ seconds: 30 })
    expect(await admit(SPREAD)).toBe(40)
  })

  test("a key that one of them revokes is unknown to all of them, and nothing is counted for it", async () => {
    await using at = await givenMarket(postgres)
    const stores = await replicas(at)
    const key = newKey("Nightly")
    await at.store.ingestKeys.create(key, at.acme.id, at.change())
    await stores[1].ingestKeys.revoke(key.id, null, at.change())
    const window = { name: "shared", limit: LIMIT }
    const admit = (store: Store) => store.admissions.ingest(key.fingerprint, window, at.clock())
    expect(await spread(stores, 9, admit)).toEqual(Array.from({ length: 9 }, () => null))
  })

  test("failures to sign in are counted together, and forgotten together", async () => {
    await using at = await given(postgres)
    const stores = await replicas(at)
    const begin = ({ signInThrottle }: Store) => signInThrottle.begin(["account a"], at.clock())
    const waits = (await spread(stores, 12, begin)).map(({ waitSeconds }) => waitSeconds)
    expect(waits.filter((seconds) => seconds === 0).length).toBe(5)
    await stores[2].signInThrottle.succeeded(["account a"])
    const first = await begin(stores[0])
    expect(first.waitSeconds).toBe(0)
    await stores[1].signInThrottle.takeBack(first.counted)
    const again = (await spread(stores, 12, begin)).map(({ waitSeconds }) => waitSeconds)
    expect(again.filter((seconds) => seconds === 0).length).toBe(5)
  })

  test("one of them holds a lease for as long as it asks again, and another one takes it after it has ended", async () => {
    await using at = await given(postgres)
    const stores = await replicas(at)
    const take = ({ leases }: Store) => leases.take("scheduled backups", 60)
    const taken = await Promise.all(stores.map(take))
    expect(taken.filter(Boolean).length).toBe(1)
    const holder = taken.indexOf(true)
    at.clock.advance({ seconds: 59 })
    expect(await Promise.all(stores.map(take))).toEqual(taken)
    at.clock.advance({ seconds: 59 })
    expect(await Promise.all(stores.map(take))).toEqual(taken)
    // The holder is gone, and says nothing any more.
    const others = stores.filter((_, n) => n !== holder)
    at.clock.advance({ seconds: 60 })
    expect((await Promise.all(others.map(take))).filter(Boolean).length).toBe(1)
    expect(await spread(stores.slice(holder, holder + 1), 1, take)).toEqual([false])
  })
})
