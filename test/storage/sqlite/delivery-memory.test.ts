import { describe, expect, test } from "bun:test"
import type { DeliverySource } from "../../src/domain/delivery/delivery.ts"
import { openDatabase } from "../../src/storage/sqlite/engine/open.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { givenPackageLine, keepTotals } from "../given.ts"
import { startApp } from "../harness.ts"

const HOUR = 3_600_000_000
const SOURCE: DeliverySource = { kind: "key", reference: "k", detail: "" }

/** A server's store, the store of another process on the same file, and ways to report one line of it through either. */
async function given() {
  const app = await startApp()
  const other = sqliteStore(app.config.data, "test").store
  const { packageId, seller } = await givenPackageLine(app)
  const [line] = (await app.store.deliveries.linesSold(seller.id, [packageId])).found
  const lineId = line?.lineId ?? 0
  const through =
    (store: typeof other) =>
    async (quantity: number, hour: number, source = SOURCE) => {
      const total = { lineId, quantity, asOf: hour * HOUR }
      const [effect] = await keepTotals(store, [total], { receivedAt: hour * HOUR, source })
      return effect
    }
  const history = async () => (await app.store.deliveryHistory.page(lineId, "seller", null, 100)).entries
  return {
    app,
    lineId,
    here: through(app.store),
    there: through(other),
    history,
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}

describe("what a server remembers of totals", () => {
  test("never outlives a report that another process took: the newest total stands, whoever took it", async () => {
    await using g = await given()
    expect(await g.here(10, 1)).toBe("applied")
    expect(await g.there(30, 3)).toBe("applied")
    expect(await g.here(20, 2)).toBe("older_than_current")
    expect(await g.there(30, 3)).toBe("unchanged")
    expect(await g.here(40, 4)).toBe("applied")
    expect(await g.there(40, 4)).toBe("unchanged")
    expect((await g.history()).map(({ quantity }) => quantity)).toEqual([40, 20, 30, 10])
  })

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

describe("totals that come together", () => {
  test("do what they would do one after the other, whatever order they have", async () => {
    await using g = await given()
    const lines = [g.lineId]
    for (let i = 0; i < 99; i++) {
      const { packageId, seller } = await givenPackageLine(g.app)
      const [line] = (await g.app.store.deliveries.linesSold(seller.id, [packageId])).found
      lines.push(line?.lineId ?? 0)
    }
    const keep = (totals: readonly [line: number, quantity: number, hour: number][]) =>
      keepTotals(
        g.app.store,
        totals.map(([line, quantity, hour]) => ({ lineId: lines[line] ?? 0, quantity, asOf: hour * HOUR })),
        { receivedAt: 100 * HOUR, source: SOURCE },
      )
    expect(new Set(await keep(lines.map((_, line) => [line, line, 5])))).toEqual(new Set(["applied"]))

    // Later, the same, as late with another total, and earlier, in turn.
    const kinds = ["applied", "unchanged", "applied", "older_than_current"] as const
    const mixed = lines.map((_, line): [number, number, number] => {
      const quantity = line % 4 === 1 ? line : line + 1_000
      return [line, quantity, [6, 5, 5, 4][line % 4] ?? 0]
    })
    expect(await keep(mixed)).toEqual(lines.map((_, line) => kinds[line % 4] ?? "applied"))

    for (const [line, lineId] of lines.entries()) {
      const { entries } = await g.app.store.deliveryHistory.page(lineId, "seller", null, 10)
      const figures = entries.map(({ quantity, asOf }) => [quantity, asOf / HOUR])
      const later = mixed[line] ?? [0, 0, 0]
      expect(figures).toEqual(line % 4 === 1 ? [[line, 5]] : [later.slice(1), [line, 5]])
    }
  })

  test("may even name a line twice", async () => {
    await using g = await given()
    const totals = [
      { lineId: g.lineId, quantity: 1, asOf: HOUR },
      { lineId: g.lineId, quantity: 2, asOf: 2 * HOUR },
      { lineId: g.lineId, quantity: 3, asOf: 2 * HOUR },
      { lineId: g.lineId, quantity: 4, asOf: HOUR },
    ]
    const effects = await keepTotals(g.app.store, totals, { receivedAt: 9 * HOUR, source: SOURCE })
    expect(effects).toEqual(["applied", "applied", "applied", "older_than_current"])
    expect((await g.history()).map(({ quantity }) => quantity)).toEqual([4, 3, 2, 1])
    expect(await g.there(3, 2)).toBe("unchanged")
  })
})
