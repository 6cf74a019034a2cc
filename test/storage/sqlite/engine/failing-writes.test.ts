import { describe, expect, test } from "bun:test"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { tableCaches } from "../../../../src/storage/sqlite/cache/caches.ts"
import { tickSnapshot } from "../../../../src/storage/sqlite/engine/connection.ts"
import { openDatabase } from "../../../../src/storage/sqlite/engine/open.ts"
import { writeQueue } from "../../../../src/storage/sqlite/engine/write-queue.ts"
import { deliveries } from "../../../../src/storage/sqlite/tables/delivery/deliveries.ts"
import { givenPackageLine } from "../../../given.ts"
import { nextTurn, startApp } from "../../../harness.ts"

const source = { kind: "key", reference: "a key", detail: "" } as const
const receipt = { receivedAt: 1, source, timeZone: "UTC" }

describe("totals that cannot be written are not kept, not even in part, and later ones are", () => {
  test.each([
    ["read-only", "PRAGMA query_only = ON", "PRAGMA query_only = OFF"],
    ["full", "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1073741823"],
  ])("while the database is %s", async (_, breakIt, repairIt) => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const database = openDatabase(app.config.data)
    const caches = tableCaches(database)
    const reading = tickSnapshot(database, caches)
    const write = writeQueue(database, { caches, endReads: reading.end })
    const memory = deliveries({ database, drizzle: drizzle(database), caches, reading, write })
    const { items: found, revision } = await memory.linesSold(seller.id, [packageId])
    const lineId = found[0]?.lineId ?? 0
    // More than fits on pages that are already there, so that a full disk is noticed.
    const totals = Array.from({ length: 2_000 }, (_, i) => ({ lineId, quantity: i, asOf: i }))

    reading.end()
    database.run(breakIt)
    await expect(memory.record(totals, receipt, revision)).rejects.toThrow()
    expect((await app.store.deliveryHistory.page(lineId, "seller", null, 10)).entries).toEqual([])
    expect(await memory.preview([{ lineId, quantity: 5, asOf: 5 }])).toEqual(["applied"])

    reading.end()
    database.run(repairIt)
    expect(await memory.record(totals.slice(0, 2), receipt, revision)).toEqual(["applied", "applied"])
    await nextTurn()
    expect((await app.store.deliveryHistory.page(lineId, "seller", null, 10)).entries).toHaveLength(2)
    database.close()
  })
})
