import { describe, expect, test } from "bun:test"
import type { DeliverySource } from "../../../src/domain/delivery/delivery.ts"
import type { HistoryCursor, HistoryEntry } from "../../../src/storage/port/store.ts"
import { storageContract } from "./contract.ts"
import type { Engine } from "./engine.ts"
import {
  type Given,
  givenMarket,
  givenMarketOf,
  givenUser,
  HOUR,
  keep,
  need,
  newLine,
  wholeHistory,
  winners,
} from "./given.ts"
import type { Store } from "./whole-store.ts"

async function givenReports(engine: Engine, reports: readonly (readonly [quantity: number, hour: number])[]) {
  const at = await givenMarket(engine)
  for (const [i, [quantity, hour]] of reports.entries())
    await keep(at.here, [{ lineId: at.line.lineId, quantity, asOf: hour * HOUR }], { receivedAt: 100 * HOUR + i })
  return at
}

type Market = Given & Awaited<ReturnType<typeof givenReports>>

const historyOf = (store: Store, lineId: number) => wholeHistory(store, lineId)

/** Withdraws the report with this quantity that counts. */
async function withdraw(at: Market, quantity: number, store = at.here, reason = "Wrong") {
  const report = await reportOf(at, quantity, store)
  return store.deliveries.withdraw(at.acme.id, at.line.packageId, report, reason, at.change())
}

async function reportOf(at: Market, quantity: number, store = at.here): Promise<HistoryEntry> {
  const entries = await historyOf(store, at.line.lineId)
  return need(entries.find((entry) => entry.quantity === quantity && entry.withdrawn === null))
}

async function totalOf(store: Store, at: Market): Promise<unknown> {
  const [line] = await store.packageLines.findSold(at.acme.id, [at.line.packageId])
  const { total } = need(line)
  return total && [total.quantity, total.asOf / HOUR]
}

const states = (entries: readonly HistoryEntry[]) =>
  entries.map(({ quantity, withdrawn }) => (withdrawn === null ? quantity : `${quantity} withdrawn`))

storageContract("withdrawals", (engine) => {
  test("a total of a time when the clock was ahead is named, and can be withdrawn after others came", async () => {
    await using at = await givenReports(engine, [[10, 1]])
    const { lineId, packageId } = at.line
    const keepAt = (quantity: number, hour: number) =>
      keep(at.here, [{ lineId, quantity, asOf: hour * HOUR }], { receivedAt: hour * HOUR })
    await keepAt(20, 9_000)
    for (let i = 0; i < 5; i++) await keepAt(30 + i, 200 + 48 * i)
    const ahead = { lineId, packageId, asOf: 9_000 * HOUR, quantity: 20, receivedAt: 9_000 * HOUR }
    expect(await at.there.deliveryHistory.ahead(500 * HOUR, [lineId])).toMatchObject([ahead])
    expect(await at.there.deliveryHistory.ahead(500 * HOUR)).toMatchObject([ahead])
    expect(await at.there.deliveryHistory.ahead(9_000 * HOUR)).toEqual([])
    expect(await at.there.deliveryHistory.ahead(500 * HOUR, [lineId + 1])).toEqual([])
    expect(await withdraw(at, 20)).toMatchObject({ outcome: "done", total: { quantity: 34 } })
    expect(await totalOf(at.there, at)).toEqual([34, 200 + 48 * 4])
  })

  describe("what came in together", () => {
    const FORM: DeliverySource = { kind: "form", reference: "1", detail: "" }
    const THE_FORM = { asOf: 2 * HOUR, receivedAt: 101 * HOUR, userId: 1 }
    const FEED: DeliverySource = { kind: "key", reference: "k", detail: "" }

    /** As many lines, each with a total of its own by a feed, and one of a form that came at the same moment as a feed's. */
    async function givenForm(count: number) {
      const at = await givenMarketOf(engine, count)
      const report = (source: DeliverySource, receivedAt: number, quantity: number, hour: number) =>
        keep(
          at.here,
          at.lines.map((lineId) => ({ lineId, quantity, asOf: hour * HOUR })),
          { receivedAt, source },
        )
      await report(FEED, 100 * HOUR, 10, 1)
      await report(FORM, 101 * HOUR, 20, 2)
      await report(FEED, 101 * HOUR, 15, 1.5)
      return { ...at, report }
    }

    test.each([1, 3, 501])("is found by its form, and withdrawn as one: %p lines", async (count) => {
      await using at = await givenForm(count)
      const found = await at.there.deliveryHistory.received(at.acme.id, THE_FORM)
      expect(found.map(({ lineId }) => lineId).toSorted((a, b) => a - b)).toEqual(at.lines)
      expect(found[0]).toMatchObject({ quantity: 20, source: FORM })
      expect(await at.here.deliveryHistory.received(at.other.id, THE_FORM)).toEqual([])
      const together = { receivedAt: 101 * HOUR, source: FORM, lineIds: at.lines, moments: [2 * HOUR], subject: "form" }
      expect(await at.there.deliveries.withdrawTogether(at.other.id, together, "Wrong", at.change())).toEqual({
        lines: 0,
        reports: 0,
      })
      expect(await at.there.deliveries.withdrawTogether(at.acme.id, together, "Wrong", at.change())).toEqual({
        lines: count,
        reports: count,
      })
      for (const lineId of [at.lines[0] ?? 0, at.lines.at(-1) ?? 0]) {
        expect(states(await historyOf(at.here, lineId))).toEqual(["20 withdrawn", 15, 10])
        expect(await at.here.deliveryHistory.days([lineId])).toEqual(
          new Map([[lineId, [{ quantity: 15, asOf: 1.5 * HOUR }]]]),
        )
      }
      expect(await at.there.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
      expect(await at.here.deliveryHistory.received(at.acme.id, THE_FORM)).toEqual([])
    })

    test.each([2, 700])("has every one of its reports withdrawn, however many a line has: %p", async (count) => {
      await using at = await givenForm(1)
      const [lineId = 0] = at.lines
      const source: DeliverySource = { kind: "file", reference: "1", detail: "history.csv" }
      for (let i = 0; i < count; i++)
        await keep(at.here, [{ lineId, quantity: 30 + i, asOf: (3 + i) * HOUR }], { receivedAt: 102 * HOUR, source })
      const moments = Array.from({ length: count }, (_, i) => (3 + i) * HOUR)
      await at.report(FEED, 103 * HOUR, 25, 2.5)
      const together = { receivedAt: 102 * HOUR, source, lineIds: [lineId], moments, subject: "7" }
      const withdrawn = await at.there.deliveries.withdrawTogether(at.acme.id, together, "Wrong", at.change())
      expect(withdrawn).toEqual({ lines: 1, reports: count })
      const left = (await historyOf(at.here, lineId)).filter(({ withdrawn }) => withdrawn === null)
      expect(left.map(({ quantity }) => quantity)).toEqual([25, 20, 15, 10])
      const [line] = await at.here.packageLines.findSold(at.acme.id, [at.line.packageId])
      expect(line?.total).toEqual({ quantity: 25, asOf: 2.5 * HOUR })
      expect(await at.there.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
    })
  })

  describe("a withdrawn report", () => {
    test("no longer counts: the total is what the remaining reports say, in every store", async () => {
      await using at = await givenReports(engine, [
        [10, 1],
        [30, 3],
        [20, 2],
        [40, 4],
      ])
      const expected = [
        [40, 30, 3],
        [10, 30, 3],
        [30, 20, 2],
      ] as const
      for (const [quantity, left, hour] of expected) {
        expect(await withdraw(at, quantity)).toEqual({ outcome: "done", total: { quantity: left, asOf: hour * HOUR } })
        for (const store of at.stores) expect(await totalOf(store, at)).toEqual([left, hour])
        expect(await at.there.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
      }
      expect(await withdraw(at, 20, at.there)).toEqual({ outcome: "done", total: null })
      for (const store of at.stores) expect(await totalOf(store, at)).toBeNull()
      expect(states(await historyOf(at.there, at.line.lineId))).toEqual([
        "40 withdrawn",
        "30 withdrawn",
        "20 withdrawn",
        "10 withdrawn",
      ])
      expect(await keep(at.there, [{ lineId: at.line.lineId, quantity: 5, asOf: HOUR / 2 }])).toEqual(["applied"])
      expect(await totalOf(at.here, at)).toEqual([5, 0.5])
    })

    test("at equal as_of gives way to the later arrival that is left", async () => {
      await using at = await givenReports(engine, [
        [1, 5],
        [2, 5],
        [3, 5],
        [9, 4],
      ])
      expect(await withdraw(at, 3)).toMatchObject({ total: { quantity: 2 } })
      expect(await withdraw(at, 2)).toMatchObject({ total: { quantity: 1 } })
      expect(await withdraw(at, 1)).toMatchObject({ total: { quantity: 9 } })
    })

    test("that is not current changes no total, also where a correction went back to an earlier figure", async () => {
      await using at = await givenReports(engine, [
        [1, 5],
        [2, 5],
        [1, 5],
        [7, 3],
      ])
      expect(await totalOf(at.there, at)).toEqual([1, 5])
      expect(await withdraw(at, 7)).toMatchObject({ total: { quantity: 1 } })
      expect(await withdraw(at, 2)).toMatchObject({ total: { quantity: 1 } })
    })

    test("can be reported again: it is a new report, and applies", async () => {
      await using at = await givenReports(engine, [
        [10, 1],
        [20, 2],
      ])
      const again = [{ lineId: at.line.lineId, quantity: 20, asOf: 2 * HOUR }]
      const [first] = await historyOf(at.here, at.line.lineId)
      await withdraw(at, 20)
      expect(await at.there.deliveries.preview(again)).toEqual(["applied"])
      expect(await keep(at.there, again, { receivedAt: 200 * HOUR })).toEqual(["applied"])
      expect(await totalOf(at.here, at)).toEqual([20, 2])
      expect(states(await historyOf(at.here, at.line.lineId))).toEqual([20, "20 withdrawn", 10])
      // Whoever still looks at the first one does not withdraw the new one.
      const old = at.here.deliveries.withdraw(at.acme.id, at.line.packageId, need(first), "Again", at.change())
      expect(await old).toEqual({ outcome: "already withdrawn" })
      expect(await totalOf(at.there, at)).toEqual([20, 2])
      expect(await withdraw(at, 20, at.there)).toMatchObject({ outcome: "done", total: { quantity: 10 } })
      expect(states(await historyOf(at.here, at.line.lineId))).toEqual(["20 withdrawn", "20 withdrawn", 10])
    })

    test("is left out of charts and counts as a figure of its line", async () => {
      await using at = await givenReports(engine, [[10, 1]])
      await withdraw(at, 10)
      expect((await at.there.deliveryHistory.days([at.line.lineId])).get(at.line.lineId)).toEqual([])
      expect(await at.there.campaigns.hasFigures(at.line.lineId)).toBe(true)
      const { packageId } = at.line
      const { packageId: _, ...edited } = newLine({ pricingBasis: "downloads" })
      await at.here.campaigns.editLine(at.acme.id, packageId, edited, at.change())
      expect(await at.there.packageLines.findSold(at.acme.id, [packageId])).toMatchObject([
        { pricingBasis: "impressions" },
      ])
      expect((await at.there.importExport.known()).lines.get(packageId)?.hasFigures).toBe(true)
    })

    test("is found by the seller of its line only", async () => {
      await using at = await givenReports(engine, [[10, 1]])
      const [report] = await historyOf(at.here, at.line.lineId)
      const attempt = (sellerId: number, packageId: string, changed: object = {}) =>
        at.here.deliveries.withdraw(sellerId, packageId, { ...need(report), ...changed }, "Wrong", at.change())
      const notFound = { outcome: "not found" } as const
      for (const { id } of [at.other, at.brand]) expect(await attempt(id, at.line.packageId)).toEqual(notFound)
      expect(await attempt(at.acme.id, crypto.randomUUID())).toEqual(notFound)
      for (const changed of [{ quantity: 11 }, { asOf: 1 }, { receivedAt: 1 }, { asOf: 1.5 }, { receivedAt: 1e300 }])
        expect(await attempt(at.acme.id, at.line.packageId, changed)).toEqual(notFound)
      expect(await totalOf(at.there, at)).toEqual([10, 1])
      expect(await at.there.deliveryHistory.find(at.line.lineId, { ...need(report), quantity: 11 })).toBeNull()
      expect(await at.there.deliveryHistory.find(at.line.lineId + 1, need(report))).toBeNull()
    })

    test("tells the seller who, when and why, and the buyer only when", async () => {
      await using at = await givenReports(engine, [])
      const { id } = await givenUser(at, "a@example.com", { name: "Ann" })
      const source: DeliverySource = { kind: "form", reference: String(id), detail: "" }
      await keep(at.here, [{ lineId: at.line.lineId, quantity: 1, asOf: 1 }], { source })
      const [report] = await historyOf(at.here, at.line.lineId)
      const { before: _, ...found } = need(report)
      expect(await at.there.deliveryHistory.find(at.line.lineId, found)).toEqual(found)
      const by = { actor: `user:${id}`, at: at.clock() }
      await at.here.deliveries.withdraw(at.acme.id, at.line.packageId, need(report), "Typed twice", by)
      const withdrawn = { at: at.clock(), actor: `user:${id}`, name: "Ann", reason: "Typed twice" }
      const seen = async (viewer: "seller" | "buyer") =>
        (await at.there.deliveryHistory.page(at.line.lineId, viewer, null, 9)).entries
      expect(await seen("seller")).toEqual([{ ...need(report), withdrawn }])
      expect(await seen("buyer")).toEqual([
        { ...need(report), source: { kind: "form" }, withdrawn: { at: at.clock() } },
      ])
      expect(await at.there.deliveryHistory.find(at.line.lineId, found)).toEqual({ ...found, withdrawn })
    })

    test("stays in its place of a history that is read part by part", async () => {
      await using at = await givenReports(
        engine,
        Array.from({ length: 12 }, (_, i) => [i + 1, ((i * 7) % 12) + 1] as const),
      )
      for (const quantity of [12, 11, 7, 6, 5, 1]) await withdraw(at, quantity)
      const all = states(await historyOf(at.there, at.line.lineId))
      const hourOf = (quantity: number) => (((quantity - 1) * 7) % 12) + 1
      const places = Array.from({ length: 12 }, (_, i) => i + 1).sort((a, b) => hourOf(b) - hourOf(a))
      expect(all).toEqual(places.map((n) => ([12, 11, 7, 6, 5, 1].includes(n) ? `${n} withdrawn` : n)))
      for (const limit of [1, 2, 3, 5, 12]) {
        const walked: unknown[] = []
        let from: HistoryCursor | null = null
        do {
          const page: Awaited<ReturnType<Store["deliveryHistory"]["page"]>> = await at.there.deliveryHistory.page(
            at.line.lineId,
            "seller",
            from,
            limit,
          )
          expect(page.entries.length).toBeGreaterThan(0)
          walked.push(...states(page.entries))
          from = page.next
        } while (from !== null)
        expect(walked).toEqual(all)
      }
    })
  })

  describe("withdrawals at the same time", () => {
    test("of the same report: exactly one succeeds, and the others are told so", async () => {
      await using at = await givenReports(engine, [
        [10, 1],
        [20, 2],
      ])
      const report = await reportOf(at, 20)
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map((store) =>
          store.deliveries.withdraw(at.acme.id, at.line.packageId, report, "Wrong", at.change()),
        ),
      )
      expect(winners(outcomes, ({ outcome }) => outcome === "done")).toBe(1)
      expect(winners(outcomes, ({ outcome }) => outcome === "already withdrawn")).toBe(3)
      expect(await totalOf(at.there, at)).toEqual([10, 1])
    })

    test("of neighbours in the history: none is lost, and none is left", async () => {
      await using at = await givenReports(
        engine,
        Array.from({ length: 8 }, (_, i) => [i + 1, i + 1] as const),
      )
      const outcomes = await Promise.all(
        [8, 7, 6, 5, 3, 2].map((quantity, i) => withdraw(at, quantity, need(at.stores[i % 2]))),
      )
      expect(winners(outcomes, ({ outcome }) => outcome === "done")).toBe(6)
      for (const store of at.stores) expect(await totalOf(store, at)).toEqual([4, 4])
      const kept = (await historyOf(at.there, at.line.lineId)).filter(({ withdrawn }) => withdrawn === null)
      expect(states(kept)).toEqual([4, 1])
      expect(await at.here.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
    })

    test("and newer reports: the newest that was not withdrawn is current", async () => {
      await using at = await givenReports(engine, [
        [10, 1],
        [20, 2],
      ])
      const report = (store: Store, quantity: number) =>
        keep(store, [{ lineId: at.line.lineId, quantity, asOf: quantity * HOUR }], { receivedAt: 200 * HOUR })
      await Promise.all([withdraw(at, 20), report(at.there, 3), report(at.here, 4), withdraw(at, 10, at.there)])
      for (const store of at.stores) expect(await totalOf(store, at)).toEqual([4, 4])
      expect(new Set(states(await historyOf(at.here, at.line.lineId)))).toEqual(
        new Set([3, 4, "20 withdrawn", "10 withdrawn"]),
      )
      expect(await at.here.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
    })
  })
})
