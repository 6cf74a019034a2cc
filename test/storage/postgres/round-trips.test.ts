import { describe, expect, test } from "bun:test"
import { all, eq, exec } from "../../../src/storage/steps/step.ts"
import { call, givenBuyers, givenProduct } from "../../doors/agent/buyer.ts"
import { report } from "../../doors/ingest/feed.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { until } from "../../until.ts"
import { networkTo } from "./network.ts"
import { freshDatabase, noPostgres } from "./server.ts"

// Over a network each round trip costs more than all that is computed for a request: none may be added unnoticed.

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
  test("a report of one item: key and limit, terms, begin, current total, what else is read, all that is written, commit", async () => {
    await using at = await startCounted()
    const { packageId, seller } = await givenPackageLine(at.app)
    const key = await givenIngestKey(at.app, seller)
    let impressions = 0
    const send = () => {
      // Later than the one before: whether a late one is known already has to be looked up.
      at.app.clock.advance({ seconds: 1 })
      return report(at.app, key, [{ package_id: packageId, impressions: ++impressions }])
    }
    await at.expectTrips(7, send)
  })

  test("a report of 100 items: no more", async () => {
    await using at = await startCounted()
    const first = await givenPackageLine(at.app)
    const { seller } = first
    const lines = [first]
    while (lines.length < 100) lines.push(await givenPackageLine(at.app, { seller }))
    const key = await givenIngestKey(at.app, seller)
    let impressions = 0
    const send = () => {
      at.app.clock.advance({ seconds: 1 })
      impressions += 1
      return report(
        at.app,
        key,
        lines.map(({ packageId }) => ({ package_id: packageId, impressions })),
      )
    }
    await at.expectTrips(7, send)
  })

  test("a step: one to begin, one for each query, one to commit", async () => {
    await using at = await startCounted()
    const write = () =>
      at.app.store.transact(function* ({ db, setting }) {
        yield* all(db.select().from(setting))
        yield* exec(db.delete(setting).where(eq(setting.name, "a")))
        yield* exec(db.insert(setting).values({ name: "a", value: "x" }))
      })
    await at.expectTrips(5, write)
  })

  test("get_products of an agent that sees what it saw before: key and limit, revision", async () => {
    await using at = await startCounted()
    const { buyer } = await givenBuyers(at.app, [givenProduct("a")], { buyer: { a: ["DE"] } })
    await at.expectTrips(2, () => call(at.app, "get_products", { brief: "a" }, { key: buyer }))
  })
})
