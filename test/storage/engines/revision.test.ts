import { expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { catalogueRevision } from "../../../src/storage/catalogue/catalogue.ts"
import type { Tx } from "../../../src/storage/database.ts"
import { saveSetting } from "../../../src/storage/operations/settings.ts"
import { eachEngine, openStore } from "../../harness/store.ts"

/** Changes of what an answer of the sales agent shows, in an order in which they are possible. */
const CHANGES: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  "a new organization": (tx) => tx.db.insert(tx.organization).values({ id: 1, slug: "a", name: "A", timeZone: "UTC" }),
  "its new name": (tx) => tx.db.update(tx.organization).set({ name: "B" }).where(eq(tx.organization.id, 1)),
  "a new product": (tx) => tx.db.insert(tx.product).values({ productId: "p", body: "{}" }),
  "an edited product": (tx) => tx.db.update(tx.product).set({ body: "[]" }),
  "a new format": (tx) => tx.db.insert(tx.creativeFormat).values({ formatId: "f" }),
  "a new buyer key": (tx) =>
    tx.db.insert(tx.buyerKey).values({ id: "k", label: "K", prefix: "p", fingerprint: "f", createdAt: 1 }),
  "a product that is shown": (tx) =>
    tx.db.insert(tx.opening).values({ buyerKeyId: "k", productId: "p", territories: ["*"] }),
  "a revoked key": (tx) => tx.db.update(tx.buyerKey).set({ revokedAt: 2 }),
  "a product that is hidden": (tx) => tx.db.delete(tx.opening),
  "a setting": (tx) => saveSetting(tx, "contact", "ada@example.com"),
  "a setting that is removed": (tx) => saveSetting(tx, "contact", null),
  "a deleted product": (tx) => tx.db.delete(tx.product),
}

eachEngine((engine) => {
  test("every server notices a change of what buyers see, and nothing else", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    const read = () => catalogueRevision(other.database.read)
    for (const [change, work] of Object.entries(CHANGES)) {
      const before = await read()
      await store.database.transact(work)
      expect([change, (await read()) > before]).toEqual([change, true])
    }
    const before = await read()
    await store.database.transact((tx) => tx.db.update(tx.organization).set({ stamp: "new" }))
    store.database.later.usedBuyerKey("k", 60_000_000)
    await store.database.later.flush()
    expect(await read()).toBe(before)
  })
})
