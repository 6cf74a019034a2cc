import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { databasePath } from "../../../../src/storage/sqlite/engine/open.ts"
import { givenPackageLine } from "../../../given.ts"
import { startApp, type TestApp } from "../../../harness.ts"

const PAGE_BYTES = 4_096
const TOTALS_AT_ONCE = 2_000
// More than the log may take before it is begun anew.
const LONG_LOG_PAGES = 3_000

/** An app with one line, another program on its database, and what fills the log. */
async function given() {
  const app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const other = new Database(databasePath(app.config.data))
  let asOf = 0
  return {
    app,
    other,
    logPages: () => other.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)").get()?.log ?? 0,
    /** Reads and writes in the same tick, as requests do. */
    async report() {
      const { items: found, revision } = await app.store.deliveries.linesSold(seller.id, [packageId])
      const lineId = found[0]?.lineId ?? 0
      const totals = Array.from({ length: TOTALS_AT_ONCE }, () => ({ lineId, quantity: ++asOf, asOf }))
      const recorded = app.store.deliveries.record(totals, receiptOf(app), revision)
      // Begins the read transaction of this tick.
      await app.store.organizations.findBySlug(seller.slug)
      return await recorded
    },
    async [Symbol.asyncDispose]() {
      other.close()
      await app[Symbol.asyncDispose]()
    },
  }
}

const receiptOf = (app: TestApp) => ({
  receivedAt: app.clock(),
  source: { kind: "key", reference: "k", detail: "feed" } as const,
  timeZone: "UTC",
})

describe("the write-ahead log", () => {
  test("is copied and begun anew while reports and reads go on", async () => {
    await using at = await given()
    let [longest, begunAnew] = [0, 0]
    for (let before = 0; begunAnew < 2; ) {
      expect(await at.report()).toHaveLength(TOTALS_AT_ONCE)
      const pages = at.logPages()
      if (pages < before) begunAnew++
      before = pages
      longest = Math.max(longest, pages)
    }
    expect(longest * PAGE_BYTES).toBeLessThan(64 * 1_048_576)
    expect(await at.app.store.health.integrity()).toEqual([])
  })

  test("grows while another program reads what is old, holds nobody up, and is begun anew afterwards", async () => {
    await using at = await given()
    at.other.run("BEGIN")
    at.other.query("SELECT count(*) FROM delivery_report").get()
    using measuring = new Database(databasePath(at.app.config.data))
    const pages = () => measuring.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)").get()?.log ?? 0
    while (pages() < LONG_LOG_PAGES) await at.report()
    at.other.run("COMMIT")
    const grown = pages()
    while (pages() >= grown) await at.report()
    expect(await at.app.store.health.integrity()).toEqual([])
  })
})
