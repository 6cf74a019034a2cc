import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { dayOf } from "../../../src/domain/time/time-zone.ts"
import { storageContract } from "./contract.ts"
import { type Given, givenLineIn, givenMarket, HOUR, keep, NOTHING, need, wholeHistory } from "./given.ts"
import type { Store } from "./whole-store.ts"

const ZONES = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"] as const
// Quarters of an hour: a day begins at one of them, whatever the time zone.
const QUARTER = HOUR / 4
const EIGHTS = Array.from({ length: 15 }, (_, eighth) => eighth * 32)
const START = Date.parse("2026-11-01T00:00:00Z") * 1_000

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ quarter: fc.nat(4 * 24 * 5), quantity: fc.nat(3), minus: fc.nat(1) }) },
  // Few moments, so that some are corrected.
  { weight: 4, arbitrary: fc.record({ quarter: fc.constantFrom(...EIGHTS), quantity: fc.nat(3), minus: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ withdrawn: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ zone: fc.constantFrom(...ZONES) }) },
  { weight: 1, arbitrary: fc.record({ imported: fc.constantFrom(...ZONES) }) },
  { weight: 2, arbitrary: fc.constant({ made: true }) },
)

/** Of each day the smallest total measured at its end or later, by looking through the whole history for each. */
async function expected(store: Store, lineId: number, zone: string) {
  const points = (await wholeHistory(store, lineId)).filter(({ withdrawn }) => withdrawn === null).reverse()
  const counting = points.filter(({ asOf }, i) => points[i + 1]?.asOf !== asOf)
  const last = counting.filter(({ asOf }, i) => {
    const next = counting[i + 1]
    return next === undefined || dayOf(next.asOf, zone) !== dayOf(asOf, zone)
  })
  return last.map(({ asOf }) => {
    const later = counting.filter((total) => total.asOf >= asOf).map(({ quantity }) => quantity)
    return [dayOf(asOf, zone), asOf, Math.min(...later)]
  })
}

async function shown(store: Store, lineId: number, zone: string, most?: number) {
  const days = need((await store.deliveryHistory.days([lineId], most)).get(lineId))
  return days.map(({ asOf, quantity }) => [dayOf(asOf, zone), asOf, quantity])
}

async function perform(
  at: Given & Awaited<ReturnType<typeof givenMarket>>,
  store: Store,
  one: object,
  arrived: number,
) {
  const { lineId, packageId } = at.line
  if ("quarter" in one) {
    const { quarter, quantity, minus } = one as { quarter: number; quantity: number; minus: number }
    await keep(store, [{ lineId, quantity, asOf: START + quarter * QUARTER - minus }], { receivedAt: arrived })
  } else if ("withdrawn" in one) {
    const { entries } = await store.deliveryHistory.page(lineId, "seller", null, 1_000)
    const kept = entries.filter(({ withdrawn }) => withdrawn === null)
    const report = kept[(one as { withdrawn: number }).withdrawn % Math.max(kept.length, 1)]
    if (report) await store.deliveries.withdraw(at.acme.id, packageId, report, "Wrong", at.change())
  } else if ("zone" in one) {
    const edited = { name: "Acme", timeZone: (one as { zone: string }).zone }
    await store.organizations.edit(at.acme.slug, edited, at.change())
  } else if ("imported" in one) {
    const organizations = [{ slug: at.acme.slug, name: "Acme", timeZone: (one as { imported: string }).imported }]
    const plan = { ...NOTHING, organizations }
    const { revision } = await store.catalogue.contents()
    await store.importExport.apply(plan, new Map(), revision, at.change())
  } else await store.deliveries.renewDays()
}

storageContract("days", (engine) => {
  describe("the last totals of days", () => {
    test("are those of the history, whatever arrived late, was corrected or withdrawn, in whichever time zone", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), operation), { minLength: 1, maxLength: 40 }), async (done) => {
          await using at = await givenMarket(engine)
          const { lineId } = at.line
          const check = async () => {
            for (const store of at.stores) {
              const { timeZone } = need(await store.organizations.findBySlug(at.acme.slug))
              const all = await expected(store, lineId, timeZone)
              expect((await shown(store, lineId, timeZone)).slice(0, -1)).toEqual(all.slice(0, -1))
              expect((await shown(store, lineId, timeZone, 3)).slice(0, -1)).toEqual(all.slice(-3, -1))
            }
          }
          let arrived = at.clock()
          for (const [where, one] of done) await perform(at, need(at.stores[where]), one, arrived++)
          await check()
          // Before and after, nothing is for the doctor to find.
          expect(await at.there.health.unexplainedDays()).toEqual({ count: 0, first: [] })
          while (await at.here.deliveries.renewDays()) {}
          await check()
          expect(await at.there.health.unexplainedDays()).toEqual({ count: 0, first: [] })
        }),
        { numRuns: 25 },
      )
    })

    test("are worked out anew once, a day at a time, also of a line that is reported meanwhile", async () => {
      await using at = await givenMarket(engine)
      const { lineId } = at.line
      const DAYS = 40
      const report = (day: number) => ({ lineId, quantity: day, asOf: START + day * 24 * HOUR })
      await keep(
        at.here,
        Array.from({ length: DAYS }, (_, day) => report(day)),
        { receivedAt: at.clock() },
      )
      const edited = { name: "Acme", timeZone: "Asia/Kathmandu" }
      await at.here.organizations.edit(at.acme.slug, edited, at.change())
      const late = { lineId, quantity: 7, asOf: START + 3 * HOUR }
      for (let step = 0; step < 5; step++) expect(await at.here.deliveries.renewDays()).toBe(true)
      await keep(at.there, [report(DAYS), late, report(DAYS + 1)], { receivedAt: at.clock() })
      const all = await expected(at.there, lineId, edited.timeZone)
      expect(await shown(at.there, lineId, edited.timeZone)).toEqual(all)
      let steps = 5
      while (await at.there.deliveries.renewDays()) steps++
      // One for each day that had a report then, and one to see that there are no more.
      expect(steps).toBe(DAYS + 1)
      expect(await shown(at.there, lineId, edited.timeZone)).toEqual(all)
      expect(all).toHaveLength(DAYS + 2)
    })

    test("are found in the history while they are outdated, of many lines and of histories of any length", async () => {
      await using at = await givenMarket(engine)
      const hours = [0, 1, 2, 30, 499, 500, 501, 1_300, 3, 700, 0, 25]
      const lineIds = [at.line.lineId]
      while (lineIds.length < hours.length) lineIds.push((await givenLineIn(at, at.line.campaign, at.acme)).lineId)
      for (let day = 0; day < 55; day++) {
        const receivedAt = START + (day + 1) * 24 * HOUR
        const totals = lineIds.flatMap((lineId, i) =>
          Array.from({ length: Math.min(Math.max(need(hours[i]) - day * 24, 0), 24) }, (_, hour) => ({
            lineId,
            quantity: day * 24 + hour,
            // Now and then one comes four days late.
            asOf: START + (day * 24 + hour - (day % 5 === 4 && hour === 20 ? 96 : 0)) * HOUR,
          })),
        )
        await keep(at.here, totals, { receivedAt })
      }
      const timeZone = "America/St_Johns"
      await at.here.organizations.edit(at.acme.slug, { name: "Acme", timeZone }, at.change())
      for (const most of [1, 2, 9, 15, Number.POSITIVE_INFINITY]) {
        const days = await at.there.deliveryHistory.days(lineIds, most)
        for (const lineId of lineIds) {
          const all = await expected(at.there, lineId, timeZone)
          const latest = need(days.get(lineId)).map(({ asOf, quantity }) => [dayOf(asOf, timeZone), asOf, quantity])
          expect(latest).toEqual(all.slice(-most))
        }
      }
    })

    test("are found of many lines that lie far behind the days of a few", async () => {
      await using at = await givenMarket(engine)
      const lineIds = [at.line.lineId]
      while (lineIds.length < 202) lineIds.push((await givenLineIn(at, at.line.campaign, at.acme)).lineId)
      const [first, ...others] = lineIds
      // So many that no statement reads all of them, after days that were passed over ever more quickly.
      const [FEW, MANY] = [151, 103]
      for (let day = 0; day < FEW + MANY; day++) {
        const reported = day < MANY ? others : [need(first)]
        const totals = reported.map((lineId) => ({ lineId, quantity: lineId + day, asOf: START + day * 24 * HOUR }))
        await keep(at.here, totals, { receivedAt: at.clock() + day })
      }
      const days = await at.there.deliveryHistory.days(lineIds, FEW + MANY)
      for (const lineId of lineIds) {
        const [from, to] = lineId === first ? [MANY, MANY + FEW] : [0, MANY]
        const quantities = need(days.get(lineId)).map(({ quantity }) => quantity - lineId)
        expect(quantities).toEqual(Array.from({ length: to - from }, (_, i) => from + i))
      }
    })

    test("end with the current total, and there are none without one", async () => {
      await using at = await givenMarket(engine)
      const { lineId } = at.line
      expect(await at.there.deliveryHistory.days([lineId])).toEqual(new Map([[lineId, []]]))
      for (const quantity of [1, 2, 1])
        await keep(at.here, [{ lineId, quantity, asOf: START }], { receivedAt: at.clock() })
      const days = new Map([[lineId, [{ asOf: START, quantity: 1 }]]])
      expect(await at.there.deliveryHistory.days([lineId])).toEqual(days)
      expect(await at.there.deliveries.renewDays()).toBe(false)
      await at.here.organizations.edit(at.acme.slug, { name: "Acme", timeZone: "Asia/Kathmandu" }, at.change())
      expect(await at.there.deliveryHistory.days([lineId])).toEqual(days)
      while (await at.there.deliveries.renewDays()) {}
      expect(await at.there.deliveryHistory.days([lineId])).toEqual(days)
    })

    test.each([
      ["upwards", [5, 9], [9]],
      ["downwards", [9, 5], [5]],
      ["and back", [5, 9, 5], [5]],
    ] as const)("follow a total that is corrected %s, and so do the days before it", async (_, corrections, last) => {
      await using at = await givenMarket(engine)
      const { lineId } = at.line
      const report = (quantity: number, day: number, receivedAt: number) =>
        keep(at.here, [{ lineId, quantity, asOf: START + day * 24 * HOUR }], { receivedAt })
      await report(7, 0, 1)
      for (const [i, quantity] of corrections.entries()) await report(quantity, 1, 2 + i)
      const quantities = async () =>
        need((await at.there.deliveryHistory.days([lineId])).get(lineId)).map((day) => day.quantity)
      expect(await quantities()).toEqual([Math.min(7, last[0]), last[0]])
      // The same where it was not current when it was corrected.
      await report(20, 3, 10)
      for (const [i, quantity] of corrections.slice(0, 2).entries()) await report(quantity, 2, 11 + i)
      const later = need(corrections[1])
      expect(await quantities()).toEqual([Math.min(7, last[0], later), Math.min(last[0], later), later, 20])
    })
  })
})
