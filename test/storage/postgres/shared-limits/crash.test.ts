import { expect, test } from "bun:test"
import { SQL } from "bun"
import type { Store } from "../../../../src/storage/port/store.ts"
import { StoreUnavailable } from "../../../../src/storage/port/unavailable.ts"
import { postgresStore } from "../../../../src/storage/postgres/index.ts"
import { type CrashingServer, crashingServer } from "../crashing-server.ts"
import { noPostgres } from "../server.ts"

const LIMIT = 60
const WINDOW = { name: "shared", limit: LIMIT }

async function givenReplicas(count: number) {
  const opened = new AsyncDisposableStack()
  const server = opened.use(await crashingServer())
  const stores: Store[] = []
  for (let n = 0; n < count; n++) stores.push(opened.use((await postgresStore(`${server.url}&pool_size=3`)).store))
  return { server, stores, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** How many of so many requests of one caller, in turn at each of the stores, are let in; what failed is sent again. */
async function admitted(stores: readonly Store[], count: number, caller: string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => untilAnswered(async () => admit(stores[n % stores.length], caller))),
  )
  return answers.filter(({ allowed }) => allowed).length
}

function admit(store: Store | undefined, caller: string) {
  if (store === undefined) throw new Error("there is no store")
  return store.admissions.caller(WINDOW, caller, 0)
}

async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let left = 100; ; left--) {
    try {
      return await ask()
    } catch (cause) {
      if (left === 0) throw cause
      await Bun.sleep(50)
    }
  }
}

async function crashAndStart(server: CrashingServer): Promise<void> {
  await server.crash()
  await server.start()
}

test.skipIf(noPostgres !== null)(
  "after crashes of PostgreSQL all replicas together admit what was left of the limit, also those that nobody asks",
  async () => {
    await using at = await givenReplicas(3)
    const [first, second, third] = at.stores as [Store, Store, Store]
    expect(await admitted([first], 20, "a")).toBe(20)
    expect(await admitted([second], 30, "a")).toBe(30)
    expect(await admitted([third], 75, "b")).toBe(LIMIT)
    await crashAndStart(at.server)
    // The second one remembers 30 and is asked nothing.
    expect(await admitted([first, third], 75, "a")).toBe(10)
    await crashAndStart(at.server)
    expect(await admitted(at.stores, 75, "a")).toBe(0)
    expect(await admitted([first, second], 75, "b")).toBe(0)
    // What was under way is asked again, and counts once.
    const underWay = admitted(at.stores, 40, "c")
    await crashAndStart(at.server)
    expect((await underWay) + (await admitted(at.stores, 75, "c"))).toBe(LIMIT)
  },
)

test.skipIf(noPostgres !== null)(
  "when a replica dies in the same minute as PostgreSQL, nobody is admitted until what it admitted is a minute old",
  async () => {
    await using at = await givenReplicas(2)
    const [first, second] = at.stores as [Store, Store]
    await using client = new SQL(at.server.url, { max: 1 })
    expect(await admitted([first], 50, "a")).toBe(50)
    expect(await admitted([second], 1, "b")).toBe(1)
    // Its memory is gone, as after SIGKILL.
    await first[Symbol.asyncDispose]()
    await crashAndStart(at.server)
    await expect(admit(second, "a")).rejects.toThrow(StoreUnavailable)
    const [gate] = await untilAnswered(() => client`SELECT opens_at - epoch AS closed FROM rate_epoch`)
    expect(Number(gate.closed)).toBe(60_000_000)
    // As if the time were over.
    await client`UPDATE lease SET expires_at = 0 WHERE holder <> (SELECT epoch::text FROM rate_epoch)`
    expect(await admitted([second], 75, "b")).toBe(LIMIT - 1)
  },
)
