import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { pingDatabase } from "../../../src/actions/operations/readiness.ts"
import { StoreUnavailable } from "../../../src/storage/port/unavailable.ts"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { type Store, wholeStore } from "../contract/whole-store.ts"
import { type CrashingServer, crashingServer } from "./crashing-server.ts"
import { noPostgres } from "./server.ts"
import { follow, promote } from "./standby.ts"

const POOL_SIZE = 4
const BY = { actor: "command", at: 1 } as const

/** A primary, and a standby that its commits wait for. */
async function givenCluster() {
  await using opening = new AsyncDisposableStack()
  const primary = opening.use(await crashingServer())
  const standby = opening.use(await crashingServer())
  await standby.crash()
  await (await postgresStore(primary.url)).store[Symbol.asyncDispose]()
  await follow(standby, primary)
  const both = primary.url.replace(/@[^/]+/, `@127.0.0.1:${primary.port},127.0.0.1:${standby.port}`)
  const stores = opening.use(new AsyncDisposableStack())
  const open = async () => wholeStore(stores.use((await postgresStore(`${both}&pool_size=${POOL_SIZE}`)).store))
  const opened = opening.move()
  return { primary, standby, open, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function run(server: CrashingServer, statement: string): Promise<unknown[]> {
  await using client = new SQL(server.url, { max: 1 })
  return Array.from(await client.unsafe<unknown[]>(statement))
}

const namesIn = (server: CrashingServer) => run(server, "SELECT value FROM setting WHERE name = 'address'")
const admitted = async ({ admissions }: Store) =>
  (await admissions.caller({ name: "w", limit: 60 }, "somebody", 0)).allowed

const USED = "SELECT count(*)::integer AS used FROM pg_stat_activity WHERE backend_type = 'client backend'"

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause
    }
  }
}

describe.skipIf(noPostgres !== null)("a primary and its standby", () => {
  test("an old primary that returns is not used: neither beside the new one nor alone", async () => {
    await using at = await givenCluster()
    const store = await at.open()
    const key = { id: "k", label: "Buyer", prefix: "p", fingerprint: "f", createdAt: 1 }
    await store.agentKeys.create(key, BY)
    // So that the old one would answer.
    await run(at.primary, "ALTER SYSTEM RESET synchronous_standby_names")
    await at.primary.crash()
    await promote(at.standby)
    await untilDone(() => store.agentKeys.revoke("k", BY))
    await at.primary.start()
    const isKnown = async (asked: Store) => (await asked.admissions.agent("f", { name: "w", limit: 60 }, 0)) !== null
    // Whoever starts now finds both, and the old one first in the URL.
    const another = await at.open()
    for (const one of [store, another]) expect(await isKnown(one)).toBe(false)
    await another.settings.set("address", "http://new.example")
    await at.standby.crash()
    for (const one of [store, another]) {
      await expect(isKnown(one)).rejects.toThrow(StoreUnavailable)
      await expect(one.settings.set("address", "http://old.example")).rejects.toThrow(/old primary/)
    }
    expect(await namesIn(at.primary)).toEqual([])
    await at.standby.start()
    await untilDone(() => store.settings.set("address", "http://newer.example"))
    expect(await namesIn(at.standby)).toMatchObject([{ value: "http://newer.example" }])
  })

  test("while the only standby is away nothing is acknowledged, everything is read, and connections do not run out", async () => {
    await using at = await givenCluster()
    const store = await at.open()
    await store.settings.set("address", "http://before.example")
    await at.standby.crash()
    const writes = () =>
      Promise.allSettled(Array.from({ length: 8 }, (_, n) => store.settings.set("address", `http://${n}.example`)))
    for (let round = 0; round < 2; round++) {
      const outcomes = await writes()
      for (const one of outcomes) expect(one.status === "rejected" && one.reason).toBeInstanceOf(StoreUnavailable)
      expect(await admitted(store)).toBe(true)
      expect(await store.settings.get("address")).toStartWith("http://")
      const [{ used }] = (await run(at.primary, USED)) as [{ used: number }]
      // Those of a pool that was given up, of the one in its place, and the one that asks.
      expect(used).toBeWithin(1, 2 * POOL_SIZE + 2)
      expect(await store.leases.take("alerts", 60)).toBe(true)
    }
    await expect(pingDatabase({ store })).rejects.toThrow(StoreUnavailable)
    await at.standby.start()
    await untilDone(() => store.settings.set("address", "http://after.example"))
    await pingDatabase({ store })
  })
})
