import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { DeliverySource } from "../../../src/domain/delivery/delivery.ts"
import type { HistoryCursor, ReportedTotal } from "../../../src/storage/port/store.ts"
import { permutations } from "../../doors/ingest/model.ts"
import { storageContract } from "./contract.ts"
import type { Engine } from "./engine.ts"
import {
  givenMarket,
  givenMarketOf,
  givenUser,
  HOUR,
  keep,
  NOTHING,
  need,
  newKey,
  newLine,
  SOURCE,
  wholeHistory,
} from "./given.ts"
import type { Store } from "./whole-store.ts"

async function givenLines(engine: Engine, count: number) {
  const at = await givenMarketOf(engine, count)
  return { ...at, lineId: at.line.lineId }
}

const total = (lineId: number, quantity: number, hour: number): ReportedTotal => ({
  lineId,
  quantity,
  asOf: hour * HOUR,
})

/** The current total of each line, as every buyer sees it. */
async function totalsOf(store: Store, sellerId: number, campaign: string): Promise<Map<number, unknown>> {
  const head = need(await store.campaigns.find(sellerId, campaign))
  const lines = await store.campaigns.lines(sellerId, head, {})
  return new Map(lines.map(({ lineId, total }) => [lineId, total && [total.quantity, total.asOf / HOUR]]))
}

async function historyOf(store: Store, lineId: number): Promise<number[][]> {
  return (await wholeHistory(store, lineId)).map(({ quantity, asOf }) => [quantity, asOf / HOUR])
}

storageContract("deliveries", (engine) => {
  describe("the newest as_of is the current total", () => {
    test("in every order of arrival, whichever store each report comes to", async () => {
      const reports = [1, 2, 3, 4].map((hour) => [hour * 10, hour] as const)
      const orders = permutations(reports)
      await using at = await givenLines(engine, orders.length)
      for (const place of reports.keys()) {
        const batch = (parity: number) =>
          orders.flatMap((order, i) => {
            const [quantity, hour] = need(order[place])
            return (i + place) % 2 === parity ? [total(need(at.lines[i]), quantity, hour)] : []
          })
        await Promise.all([keep(at.here, batch(0)), keep(at.there, batch(1))])
      }
      for (const store of at.stores) {
        const totals = await totalsOf(store, at.acme.id, at.line.campaign)
        expect(new Set(totals.values().map(String))).toEqual(new Set(["40,4"]))
      }
      for (const i of orders.keys())
        expect(await historyOf(at.there, need(at.lines[i]))).toEqual(reports.toReversed().map((one) => [...one]))
    })

    test("and each report says what it did, whichever store took the one before", async () => {
      await using at = await givenLines(engine, 1)
      const report = async (store: Store, quantity: number, hour: number) =>
        (await keep(store, [total(at.lineId, quantity, hour)]))[0]
      expect(await report(at.here, 10, 1)).toBe("applied")
      expect(await report(at.there, 30, 3)).toBe("applied")
      expect(await report(at.here, 20, 2)).toBe("older_than_current")
      expect(await report(at.there, 30, 3)).toBe("unchanged")
      expect(await report(at.here, 5, 4)).toBe("applied")
      expect(await report(at.there, 5, 4)).toBe("unchanged")
      expect(await historyOf(at.here, at.lineId)).toEqual([
        [5, 4],
        [30, 3],
        [20, 2],
        [10, 1],
      ])
    })

    test("at equal as_of the later arrival wins, also over the other store, and back again", async () => {
      await using at = await givenLines(engine, 1)
      for (const [i, quantity] of [1, 2, 1].entries()) {
        expect(await keep(i % 2 === 0 ? at.here : at.there, [total(at.lineId, quantity, 5)])).toEqual(["applied"])
        const totals = await totalsOf(at.there, at.acme.id, at.line.campaign)
        expect(totals.get(at.lineId)).toEqual([quantity, 5])
      }
      expect(await historyOf(at.there, at.lineId)).toEqual([
        [1, 5],
        [2, 5],
        [1, 5],
      ])
    })

    test("the same total with a newer as_of moves it forward, so that a third one between the two does not win", async () => {
      await using at = await givenLines(engine, 1)
      expect(await keep(at.here, [total(at.lineId, 10, 1)])).toEqual(["applied"])
      expect(await keep(at.there, [total(at.lineId, 10, 5)])).toEqual(["unchanged"])
      expect(await keep(at.here, [total(at.lineId, 7, 3)])).toEqual(["older_than_current"])
      expect((await totalsOf(at.there, at.acme.id, at.line.campaign)).get(at.lineId)).toEqual([10, 5])
      expect(await historyOf(at.there, at.lineId)).toHaveLength(3)
    })

    test("the current total counts again behind one that replaces it in the same request, and is then not added again", async () => {
      await using at = await givenLines(engine, 1)
      await keep(at.here, [total(at.lineId, 1, 1)])
      expect(await keep(at.there, [total(at.lineId, 2, 1), total(at.lineId, 1, 1)])).toEqual(["applied", "applied"])
      const overtaken = [total(at.lineId, 3, 2), total(at.lineId, 1, 1)]
      expect(await keep(at.here, overtaken)).toEqual(["applied", "older_than_current"])
      expect(await historyOf(at.there, at.lineId)).toEqual([
        [3, 2],
        [1, 1],
        [2, 1],
        [1, 1],
      ])
    })

    test("at equal as_of the later arrival wins, also when it is late and over a server whose clock is behind", async () => {
      await using at = await givenLines(engine, 1)
      await keep(at.here, [total(at.lineId, 5, 1)])
      await keep(at.there, [total(at.lineId, 9, 2)])
      for (const [i, quantity] of [6, 5, 6].entries()) {
        const receivedAt = (99 - i) * HOUR
        const effects = await keep(at.there, [total(at.lineId, quantity, 1)], { receivedAt })
        expect(effects).toEqual(["older_than_current"])
        const days = (await at.here.deliveryHistory.ofDays(at.lineId, [total(at.lineId, 9, 2)], "UTC")).slice(0, 1)
        expect(days).toMatchObject([{ quantity, asOf: HOUR }])
      }
      expect(await historyOf(at.there, at.lineId)).toEqual([
        [9, 2],
        [6, 1],
        [5, 1],
        [6, 1],
        [5, 1],
      ])
      expect(await at.here.health.unexplainedDays()).toEqual({ count: 0, first: [] })
    })

    test("repeating what is known adds nothing, however often and wherever it is sent", async () => {
      await using at = await givenLines(engine, 1)
      const reports = [total(at.lineId, 1, 1), total(at.lineId, 2, 2), total(at.lineId, 3, 3)]
      for (const store of [at.here, at.there, at.here]) await keep(store, reports)
      await Promise.all([...at.stores, ...at.stores].map((store) => keep(store, reports.toReversed())))
      expect(await historyOf(at.there, at.lineId)).toEqual([
        [3, 3],
        [2, 2],
        [1, 1],
      ])
      expect((await totalsOf(at.here, at.acme.id, at.line.campaign)).get(at.lineId)).toEqual([3, 3])
      expect(await at.here.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
    })

    test("whatever batches come to two stores at once", async () => {
      await using at = await givenLines(engine, 4)
      const item = fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: 1, max: 4 }))
      const batches = fc.array(fc.array(item, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 4 })
      let round = 0
      await fc.assert(
        fc.asyncProperty(batches, async (sent) => {
          const hours = ++round * 10
          const asTotals = (batch: readonly [number, number, number][]) =>
            batch.map(([line, quantity, hour]) => total(need(at.lines[line]), quantity, hours + hour))
          const known = await Promise.all(at.lines.map((line) => historyOf(at.here, line)))
          await Promise.all(sent.map((batch, i) => keep(need(at.stores[i % 2]), asTotals(batch))))
          const all = sent.flatMap(asTotals)
          const totals = await totalsOf(at.there, at.acme.id, at.line.campaign)
          for (const [i, lineId] of at.lines.entries()) {
            const own = all.filter((one) => one.lineId === lineId)
            const expected = new Set(own.map(({ quantity, asOf }) => String([quantity, asOf / HOUR])))
            const added = (await historyOf(at.there, lineId)).slice(0, -need(known[i]).length || undefined)
            // A figure is there again if another counted meanwhile.
            expect([...new Set(added.map(String))].sort()).toEqual([...expected].sort())
            if (own.length === 0) continue
            const newest = Math.max(...own.map(({ asOf }) => asOf / HOUR))
            const candidates = own.filter(({ asOf }) => asOf / HOUR === newest)
            const [quantity, asOf] = totals.get(lineId) as [number, number]
            expect(asOf).toBe(newest)
            expect(candidates.map((one) => one.quantity)).toContain(quantity)
          }
        }),
        { numRuns: 25 },
      )
      expect(await at.here.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
    })
  })

  describe("totals that come together", () => {
    test("do what they would do one after the other, whatever order they have", async () => {
      await using at = await givenLines(engine, 100)
      const { lines } = at
      const batch = (totals: readonly [line: number, quantity: number, hour: number][]) =>
        keep(
          at.here,
          totals.map(([line, quantity, hour]) => total(need(lines[line]), quantity, hour)),
        )
      expect(new Set(await batch(lines.map((_, line) => [line, line, 5])))).toEqual(new Set(["applied"]))
      // Later, the same, as late with another total, and earlier, in turn.
      const kinds = ["applied", "unchanged", "applied", "older_than_current"] as const
      const mixed = lines.map((_, line): [number, number, number] => {
        const quantity = line % 4 === 1 ? line : line + 1_000
        return [line, quantity, need([6, 5, 5, 4][line % 4])]
      })
      expect(await batch(mixed)).toEqual(lines.map((_, line) => need(kinds[line % 4])))
      for (const [line, lineId] of lines.entries()) {
        const later = need(mixed[line]).slice(1)
        expect(await historyOf(at.there, lineId)).toEqual(
          line % 4 === 1 ? [[line, 5]] : line % 4 === 3 ? [[line, 5], later] : [later, [line, 5]],
        )
      }
    })

    test("may even name a line twice", async () => {
      await using at = await givenLines(engine, 1)
      const batch = [
        [1, 1],
        [2, 2],
        [3, 2],
        [4, 1],
      ].map(([quantity = 0, hour = 0]) => total(at.lineId, quantity, hour))
      expect(await keep(at.here, batch)).toEqual(["applied", "applied", "applied", "older_than_current"])
      expect((await historyOf(at.there, at.lineId)).map(([quantity]) => quantity)).toEqual([3, 2, 4, 1])
    })

    test("are kept all or not at all", async () => {
      await using at = await givenLines(engine, 2)
      const [first = 0, second = 0] = at.lines
      await keep(at.here, [total(first, 1, 1)])
      const { revision } = await at.here.deliveries.linesSold(at.acme.id, [])
      const batch = [total(first, 2, 2), total(second, 2, 2), total(1_000_000, 2, 2)]
      const receipt = { receivedAt: 1, source: SOURCE, timeZone: "UTC" }
      await expect(at.here.deliveries.record(batch, receipt, revision)).rejects.toThrow()
      expect(await historyOf(at.there, first)).toEqual([[1, 1]])
      expect(await historyOf(at.there, second)).toEqual([])
      expect(await keep(at.here, batch.slice(0, 2))).toEqual(["applied", "applied"])
    })

    test("of two stores at once, in opposite order of the lines, are all kept", async () => {
      await using at = await givenLines(engine, 40)
      const batch = (quantity: number, hour: number) => at.lines.map((lineId) => total(lineId, quantity, hour))
      await Promise.all([
        keep(at.here, batch(1, 1)),
        keep(at.there, batch(2, 2).toReversed()),
        keep(at.here, batch(3, 3).toReversed()),
        keep(at.there, batch(4, 4)),
      ])
      const totals = await totalsOf(at.here, at.acme.id, at.line.campaign)
      expect(new Set(totals.values().map(String))).toEqual(new Set(["4,4"]))
      for (const lineId of at.lines) expect(await historyOf(at.there, lineId)).toHaveLength(4)
    })

    test("no total at all is kept as nothing", async () => {
      await using at = await givenLines(engine, 1)
      expect(await keep(at.here, [])).toEqual([])
    })

    test("numbers are kept exactly: the largest whole one, fractions, and zero", async () => {
      const quantities = [0, Number.MAX_SAFE_INTEGER, 0.1 + 0.2, 3_400.5, 1e-9]
      await using at = await givenLines(engine, quantities.length)
      await keep(
        at.here,
        quantities.map((quantity, i) => total(need(at.lines[i]), quantity, i)),
      )
      const totals = await totalsOf(at.there, at.acme.id, at.line.campaign)
      expect(at.lines.map((lineId) => totals.get(lineId))).toEqual(quantities.map((quantity, i) => [quantity, i]))
    })
  })

  describe("terms", () => {
    test("carry the seller's time zone and what is sold, and a line that changed hands is its new seller's only", async () => {
      await using at = await givenMarket(engine)
      const { packageId, lineId } = at.line
      const sold = async (id: number) => (await at.there.deliveries.linesSold(id, [packageId])).items[0]
      expect(await sold(at.acme.id)).toEqual({ lineId, pricingBasis: "impressions", flightStart: "2026-11-01" })
      expect(await sold(at.other.id)).toBeUndefined()
      const lines = [{ ...newLine(), packageId, campaign: at.line.campaign, seller: "other" }]
      await at.here.importExport.apply(
        { ...NOTHING, lines },
        new Map(),
        await at.here.catalogue.revision(),
        at.change(),
      )
      expect(await sold(at.acme.id)).toBeUndefined()
      expect(await sold(at.other.id)).toMatchObject({ lineId })
      expect((await at.there.deliveries.linesSold(at.acme.id, [])).timeZone).toBe("UTC")
      await at.here.organizations.edit("acme", { name: "A", timeZone: "Asia/Tokyo" }, at.change())
      expect((await at.there.deliveries.linesSold(at.acme.id, [])).timeZone).toBe("Asia/Tokyo")
    })

    test("what is not there is looked for again, so that it is found as soon as it is", async () => {
      await using at = await givenMarket(engine)
      const line = newLine()
      const found = async () => (await at.there.deliveries.linesSold(at.acme.id, [line.packageId])).items
      expect(await found()).toEqual([undefined])
      await at.here.campaigns.addLine(at.acme.id, at.line.campaign, line, at.change())
      expect(await found()).toMatchObject([{ flightStart: "2026-11-01" }])
    })

    test.each(["here", "there"] as const)(
      "that were changed %s since refuse what was judged by them",
      async (where) => {
        await using at = await givenLines(engine, 1)
        const { packageId } = at.line
        const { packageId: _, ...fields } = newLine({ flightStart: "2026-12-01" })
        const totals = [total(at.lineId, 1, 1)]
        const { revision } = await at.here.deliveries.linesSold(at.acme.id, [packageId])
        expect(await at[where].campaigns.editLine(at.acme.id, packageId, fields, at.change())).toBe("done")
        const receipt = { receivedAt: 1, source: SOURCE, timeZone: "UTC" }
        expect(await at.here.deliveries.record(totals, receipt, revision)).toBeNull()
        const previewed = totals.map((one) => ({ ...one, before: null }))
        expect(await at.here.deliveries.recordUnlessOutdated(previewed, receipt, revision)).toBeNull()
        expect(await historyOf(at.there, at.lineId)).toEqual([])
        const again = await at.here.deliveries.linesSold(at.acme.id, [packageId])
        expect(again.items).toMatchObject([{ flightStart: "2026-12-01" }])
        expect(await at.here.deliveries.record(totals, receipt, again.revision)).toEqual(["applied"])
      },
    )
  })

  describe("totals that a person looked at first", () => {
    /** Judged and kept, as often as something else was written meanwhile. */
    async function keepSeen(store: Store, totals: Parameters<Store["deliveries"]["recordUnlessOutdated"]>[0]) {
      for (;;) {
        const { revision } = await store.deliveries.linesSold(0, [])
        const receipt = { receivedAt: 9 * HOUR, source: SOURCE, timeZone: "UTC" }
        const outcome = await store.deliveries.recordUnlessOutdated(totals, receipt, revision)
        if (outcome !== null) return outcome
      }
    }

    test("of one line come one after the other, each to what the one before has left", async () => {
      await using at = await givenLines(engine, 2)
      const [line = 0, other = 0] = at.lines
      const first = { quantity: 1, asOf: HOUR }
      const second = { quantity: 3, asOf: 3 * HOUR }
      const outcome = await keepSeen(at.here, [
        { ...total(line, 1, 1), before: null },
        { ...total(other, 7, 1), before: null },
        { ...total(line, 3, 3), before: first },
        { ...total(line, 9, 9), before: first },
        { ...total(line, 2, 2), before: second },
        { ...total(line, 3, 4), before: second },
        { ...total(line, 1, 1), before: { quantity: 3, asOf: 4 * HOUR } },
      ])
      expect(outcome).toEqual([
        "applied",
        "applied",
        "applied",
        "outdated",
        "older_than_current",
        "unchanged",
        "older_than_current",
      ])
      expect(await historyOf(at.there, line)).toEqual([
        [3, 4],
        [3, 3],
        [2, 2],
        [1, 1],
      ])
    })

    test("are kept for the lines whose total still stands, and for no other", async () => {
      await using at = await givenLines(engine, 3)
      const [unmoved = 0, moved = 0, fresh = 0] = at.lines
      await keep(at.here, [total(unmoved, 1, 1), total(moved, 1, 1)])
      const before = { quantity: 1, asOf: HOUR }
      await keep(at.there, [total(moved, 5, 5)])
      const outcome = await keepSeen(at.here, [
        { ...total(unmoved, 2, 2), before },
        { ...total(moved, 2, 2), before },
        { ...total(fresh, 2, 2), before: null },
      ])
      expect(outcome).toEqual(["applied", "outdated", "applied"])
      expect(await historyOf(at.there, moved)).toEqual([
        [5, 5],
        [1, 1],
      ])
      expect(await keepSeen(at.there, [{ ...total(fresh, 3, 3), before: null }])).toEqual(["outdated"])
      // The same quantity, measured at another time, is another total.
      const sooner = { quantity: 2, asOf: HOUR }
      expect(await keepSeen(at.there, [{ ...total(fresh, 3, 3), before: sooner }])).toEqual(["outdated"])
      expect(await keepSeen(at.there, [{ ...total(unmoved, 9, 1), before: { quantity: 2, asOf: 2 * HOUR } }])).toEqual([
        "older_than_current",
      ])
    })

    test("of racers who saw the same, exactly one is kept", async () => {
      await using at = await givenLines(engine, 1)
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map((store, i) =>
          keepSeen(store, [{ ...total(at.lineId, i + 1, i + 1), before: null }]),
        ),
      )
      expect(outcomes.flat().toSorted()).toEqual(["applied", "outdated", "outdated", "outdated"])
      expect(await historyOf(at.there, at.lineId)).toHaveLength(1)
    })

    test("a preview says what keeping would do now, and writes nothing", async () => {
      await using at = await givenLines(engine, 2)
      const [known = 0, fresh = 0] = at.lines
      await keep(at.here, [total(known, 5, 5)])
      const asked = [total(known, 5, 5), total(known, 4, 4), total(known, 6, 6), total(known, 5, 5), total(fresh, 1, 1)]
      const effects = ["unchanged", "older_than_current", "applied", "older_than_current", "applied"] as const
      expect(await at.there.deliveries.preview(asked)).toEqual([...effects])
      expect(await at.there.deliveries.preview(asked)).toEqual([...effects])
      expect(await historyOf(at.here, known)).toHaveLength(1)
      expect(await historyOf(at.here, fresh)).toEqual([])
      expect(await keep(at.here, asked)).toEqual([...effects])
    })
  })

  describe("the history of a line", () => {
    test("is read from the last measured on, part by part, to the first ever", async () => {
      await using at = await givenLines(engine, 2)
      const hours = [5, 2, 9, 1, 7, 3]
      for (const [i, hour] of hours.entries())
        await keep(need(at.stores[i % 2]), [total(at.lineId, hour * 10, hour), total(need(at.lines[1]), 1, i + 1)])
      const walked: number[] = []
      for (let from: HistoryCursor | null = null; ; ) {
        const page: Awaited<ReturnType<Store["deliveryHistory"]["page"]>> = await at.there.deliveryHistory.page(
          at.lineId,
          "seller",
          from,
          4,
        )
        walked.push(...page.entries.map(({ asOf }) => asOf / HOUR))
        from = page.next
        if (from === null) break
      }
      expect(walked).toEqual(hours.toSorted((a, b) => b - a))
      expect(await at.there.deliveryHistory.page(1_000_000, "seller", null, 4)).toEqual({ entries: [], next: null })
      const nowhere = { quantity: 77, asOf: 1.5, receivedAt: 7, id: 0 }
      expect(await at.there.deliveryHistory.page(at.lineId, "seller", nowhere, 4)).toEqual({ entries: [], next: null })
    })

    test("tells the seller who sent what, and the buyer only how", async () => {
      await using at = await givenLines(engine, 1)
      const key = newKey("Nightly")
      await at.here.ingestKeys.create(key, at.acme.id, at.change())
      const { id } = await givenUser(at, "a@example.com", { name: "Ann" })
      const sources: DeliverySource[] = [
        { kind: "key", reference: key.id, detail: "" },
        { kind: "file", reference: String(id), detail: "november.csv" },
        { kind: "form", reference: "777", detail: "" },
        { kind: "command", reference: "r", detail: "d" },
      ]
      for (const [hour, source] of sources.entries())
        await keep(at.here, [total(at.lineId, 1, hour)], { receivedAt: 50 * HOUR + hour, source })
      const seen = async (viewer: "seller" | "buyer") =>
        (await at.there.deliveryHistory.page(at.lineId, viewer, null, 10)).entries.toReversed()
      const senders = ["Nightly", "Ann", null, null]
      expect((await seen("seller")).map(({ source }) => source)).toEqual(
        sources.map((source, i) => ({ ...source, sender: senders[i] ?? null })),
      )
      expect((await seen("buyer")).map(({ source }) => source)).toEqual(sources.map(({ kind }) => ({ kind })))
      expect((await seen("buyer")).map(({ receivedAt }) => receivedAt - 50 * HOUR)).toEqual([0, 1, 2, 3])
    })

    test("names the key that reported a line last, until something else does", async () => {
      await using at = await givenLines(engine, 2)
      const [fed = 0, typed = 0] = at.lines
      const key = newKey("Ad server")
      await at.here.ingestKeys.create(key, at.acme.id, at.change())
      const source = { kind: "key", reference: key.id, detail: "" } as const
      await keep(at.here, [total(fed, 1, 1)], { receivedAt: 2 * HOUR, source })
      await keep(at.there, [total(typed, 1, 1)])
      const feeds = async () => [...(await at.there.deliveryHistory.feeds(at.lines))]
      expect(await feeds()).toEqual([[fed, { keyId: key.id, label: "Ad server", at: 2 * HOUR }]])
      await keep(at.here, [total(fed, 2, 3)])
      expect(await feeds()).toEqual([])
    })

    test("has every report of some days, in the order in which they were measured", async () => {
      await using at = await givenLines(engine, 2)
      const [line = 0, other = 0] = at.lines
      for (const hour of [30, 3, 26, 1, 2]) await keep(at.here, [total(line, hour * 10, hour), total(other, 1, hour)])
      const hours = async (days: readonly number[]) => {
        const asked = days.map((day) => ({ asOf: day * 24 * HOUR, quantity: 0 }))
        const reports = await at.there.deliveryHistory.ofDays(line, asked, "UTC")
        return reports.map(({ asOf }) => asOf / HOUR)
      }
      expect(await hours([0, 1])).toEqual([1, 2, 3, 26, 30])
      expect(await hours([1])).toEqual([26, 30])
      expect(await hours([7])).toEqual([])
    })

    test.each([1, 7, 1_203])("is read part by part to its end, however many days it has: %p", async (count) => {
      await using at = await givenLines(engine, 2)
      const [line = 0, other = 0] = at.lines
      const made = Array.from({ length: count }, (_, i) => ({ quantity: i, asOf: (i * 7 + (i % 3)) * HOUR }))
      for (let from = 0; from < count; from += 500)
        await keep(at.here, [
          ...made.slice(from, from + 500).map((one) => ({ ...one, lineId: line })),
          total(other, from, from),
        ])
      const found: number[] = []
      for (let from: HistoryCursor | null | undefined; from !== null; ) {
        const page: Page = await at.there.deliveryHistory.page(line, "seller", from ?? null, 100)
        found.push(...page.entries.map(({ quantity }) => quantity))
        from = page.next
      }
      expect(found).toEqual(made.map(({ quantity }) => quantity).reverse())
    })

    test("says how far it has looked, and goes on there, while the days of its line are worked out anew", async () => {
      await using at = await givenLines(engine, 2)
      const [line = 0, other = 0] = at.lines
      for (let day = 0; day < 70; day++)
        await keep(at.here, [...(day % 60 === 0 ? [total(line, day, 24 * day)] : []), total(other, day, 24 * day)])
      await at.here.organizations.edit(at.acme.slug, { name: "Acme", timeZone: "Asia/Kathmandu" }, at.change())
      const found: number[] = []
      let pages = 0
      for (let from: HistoryCursor | null | undefined; from !== null; pages++) {
        const page: Page = await at.there.deliveryHistory.page(line, "seller", from ?? null, 10)
        found.push(...page.entries.map(({ quantity }) => quantity))
        from = page.next
      }
      expect([found, pages]).toEqual([[60, 0], 3])
    })

    test("of several of one moment, the one that was received last comes first", async () => {
      await using at = await givenLines(engine, 1)
      const [line = 0] = at.lines
      for (const [i, quantity] of [30, 10, 20].entries())
        await keep(at.here, [total(line, quantity, 1)], { receivedAt: i })
      expect((await historyOf(at.there, line)).map(([quantity]) => quantity)).toEqual([20, 10, 30])
    })

    test("tells what a line was at when a form came: a later total that was there, or the last that was measured before", async () => {
      await using at = await givenLines(engine, 5)
      const [none = 0, yesterday = 0, today = 0, later = 0, afterwards = 0] = at.lines
      await keep(at.here, [total(yesterday, 1, 20), total(yesterday, 2, 23)], { receivedAt: HOUR })
      await keep(at.here, [total(today, 3, 20), total(today, 4, 25), total(later, 9, 40)], { receivedAt: HOUR })
      await keep(
        at.here,
        at.lines.map((line) => total(line, 100, 30)),
        { receivedAt: 2 * HOUR },
      )
      await keep(at.here, [total(afterwards, 200, 50)], { receivedAt: 3 * HOUR })
      const form = { asOf: 30 * HOUR, receivedAt: 2 * HOUR }
      const before = await at.there.deliveryHistory.lastBefore(at.lines, form, "UTC")
      expect(at.lines.map((line) => before.get(line)?.quantity)).toEqual([undefined, 2, 4, 9, undefined])
      expect(before.has(none)).toBe(false)
    })

    test("tells what a line was at when a form corrected a total of the same moment", async () => {
      await using at = await givenLines(engine, 1)
      const [line = 0] = at.lines
      for (const [i, quantity] of [70, 80, 75].entries())
        await keep(at.here, [total(line, quantity, 30)], { receivedAt: (i + 1) * HOUR })
      for (const [i, quantity] of [undefined, 70, 80].entries()) {
        const form = { asOf: 30 * HOUR, receivedAt: (i + 1) * HOUR }
        const before = await at.there.deliveryHistory.lastBefore(at.lines, form, "UTC")
        expect([i, before.get(line)?.quantity]).toEqual([i, quantity])
      }
    })
  })
})

type Page = Awaited<ReturnType<Store["deliveryHistory"]["page"]>>
