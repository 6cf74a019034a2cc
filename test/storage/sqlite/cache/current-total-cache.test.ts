import { describe, expect, test } from "bun:test"
import type { DeliverySource } from "../../../../src/domain/delivery/delivery.ts"
import { openDatabase } from "../../../../src/storage/sqlite/engine/open.ts"
import { givenPackageLine, keepTotals } from "../../../given.ts"
import { startApp } from "../../../harness.ts"

const HOUR = 3_600_000_000
const SOURCE: DeliverySource = { kind: "key", reference: "k", detail: "" }

/** A server, and a way to report one line of it. */
async function given() {
  const app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const [line] = (await app.store.deliveries.linesSold(seller.id, [packageId])).items
  const lineId = line?.lineId ?? 0
  return {
    app,
    async here(quantity: number, hour: number, source = SOURCE) {
      const total = { lineId, quantity, asOf: hour * HOUR }
      const [effect] = await keepTotals(app.store, [total], { receivedAt: hour * HOUR, source })
      return effect
    },
    history: async () => (await app.store.deliveryHistory.page(lineId, "seller", null, 100)).entries,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

describe("what a server remembers of totals", () => {
  test("is forgotten with a transaction that failed", async () => {
    await using g = await given()
    expect(await g.here(10, 1)).toBe("applied")
    using database = openDatabase(g.app.config.data)
    database.run("CREATE TRIGGER no_more BEFORE INSERT ON delivery_total BEGIN SELECT RAISE(FAIL, 'no more'); END")
    await expect(g.here(20, 2)).rejects.toThrow("no more")
    database.run("DROP TRIGGER no_more")
    expect(await g.here(20, 2)).toBe("applied")
    expect((await g.history()).map(({ quantity }) => quantity)).toEqual([20, 10])
  })

  test("a source that was added by a transaction that failed is added again", async () => {
    await using g = await given()
    const fromFile: DeliverySource = { kind: "file", reference: "1", detail: "november.csv" }
    using database = openDatabase(g.app.config.data)
    database.run("CREATE TRIGGER no_more BEFORE INSERT ON delivery_total BEGIN SELECT RAISE(FAIL, 'no more'); END")
    await expect(g.here(20, 2, fromFile)).rejects.toThrow("no more")
    database.run("DROP TRIGGER no_more")
    expect(await g.here(20, 2, fromFile)).toBe("applied")
    expect((await g.history()).map(({ source }) => source)).toEqual([{ ...fromFile, sender: null }])
  })
})
