import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { all, eq, exec } from "../../../src/storage/steps/step.ts"
import { call, givenBuyers, givenProduct } from "../../doors/agent/buyer.ts"
import { report } from "../../doors/ingest/feed.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { until } from "../../until.ts"
import { networkTo } from "./network.ts"
import { freshDatabase, noPostgres } from "./server.ts"

// Over a network each round trip costs more than all that is computed for a request: none may be added unnoticed.

setDefaultTimeout(600_000)
const TRIES_MAX = 60
const QUIET_MS = 200

/** The application, with a network in between that counts what it asks of PostgreSQL. */
async function startCounted() {
  const opened = new AsyncDisposableStack()
  const { url } = opened.use(await freshDatabase())
  const { hostname, port } = new URL(url)
  const network = opened.use(networkTo(hostname, Number(port)))
  const through = new URL(url)
  through.host = `127.0.0.1:${network.port}`
  // Few connections, so that every statement is soon prepared on each.
  through.searchParams.set("pool_size", "2")
  const app = opened.use(await startApp({ options: { databaseUrl: through.href } }))

  /**
   * Expects that the work takes so many, and no fewer, where nothing else goes on: statements are prepared, when a key was used is written,
   * calls are logged, uploads are looked for. On a busy machine one of these falls into nearly every try, so it is tried until none does.
   */
  async function expectTrips(promised: number, work: () => Promise<unknown>): Promise<void> {
    let fewest = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < TRIES_MAX && fewest > promised; tries++) {
      const before = network.trips()
      await work()
      fewest = Math.min(fewest, network.trips() - before)
    }
    expect(fewest).toBe(promised)
  }

  // What a server does when it starts lasts longer than a dozen tries.
  await until(async () => {
    const before = network.trips()
    await Bun.sleep(QUIET_MS)
    return network.trips() === before
  })
  return { app, expectTrips, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

describe.skipIf(noPostgres !== null)("round trips to PostgreSQL", () => {
  test("a report: one to be admitted, one to begin, one to read, one to write, one to commit", async () => {
    await using at = await startCounted()
    const { packageId, seller } = await givenPackageLine(at.app)
    const key = await givenIngestKey(at.app, seller)
    let impressions = 0
    const send = () => {
      // Later than the one before: whether a late one is known already has to be looked up.
      at.app.clock.advance({ seconds: 1 })
      return report(at.app, key, [{ package_id: packageId, impressions: ++impressions }])
    }
    await at.expectTrips(5, send)
  })

  test("a step: one to begin, one for each answer it needs, one for all that it writes, one to commit", async () => {
    await using at = await startCounted()
    const write = () =>
      at.app.store.transact(function* ({ db, setting }) {
        yield* all(db.select().from(setting))
        for (const name of ["a", "b", "c", "d"]) yield* exec(db.delete(setting).where(eq(setting.name, name)))
        for (const name of ["a", "b"]) yield* exec(db.insert(setting).values({ name, value: "x" }))
      })
    await at.expectTrips(4, write)
  })

  test("a call of an agent that sees what it saw before: one, for key, limit and revisions", async () => {
    await using at = await startCounted()
    const { buyer } = await givenBuyers(at.app, [givenProduct("a")], { buyer: { a: ["DE"] } })
    await at.expectTrips(1, () => call(at.app, "get_products", { brief: "a" }, { key: buyer }))
  })

  test("what many ask for at once: one to be admitted; one to begin, one to read, one to write, one to commit", async () => {
    await using at = await startCounted()
    const { store } = at.app
    const callers = Array.from({ length: 50 }, (_, n) => `198.51.100.${n}`)
    const window = { name: "counted", limit: 1_000 }
    const admitAll = () => Promise.all(callers.map((caller) => store.admissions.caller(window, caller, at.app.clock())))
    await at.expectTrips(1, admitAll)
    const first = await givenPackageLine(at.app)
    const { seller } = first
    const lines = [first]
    while (lines.length < 10) lines.push(await givenPackageLine(at.app, { seller }))
    const ids = lines.map(({ packageId }) => packageId)
    const { items: found, revision } = await store.deliveries.linesSold(seller.id, ids)
    let asOf = 0
    const receipt = { receivedAt: at.app.clock(), source: { kind: "key", reference: "k", detail: "" } } as const
    const record = ({ lineId }: { readonly lineId: number }) =>
      store.deliveries.record([{ lineId, quantity: 1, asOf: ++asOf }], receipt, revision)
    await at.expectTrips(4, () => Promise.all(found.map((line) => record(line ?? { lineId: 0 }))))
  })
})
