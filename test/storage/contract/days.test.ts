import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { dayOf } from "../../../src/domain/time/time-zone.ts"
import { storageContract } from "./contract.ts"
import { type Given, givenLineIn, givenMarket, HOUR, keep, NOTHING, need } from "./given.ts"
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
  const points = need((await store.deliveryHistory.points([lineId], 10_000)).get(lineId))
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
  } else await store.deliveries.makeDays()
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
          while (await at.here.deliveries.makeDays()) {}
          await check()
        }),
        { numRuns: 25 },
      )
    }, 600_000)

    test("are made once, also of a line that is reported meanwhile", async () => {
      await using at = await givenMarket(engine)
      const { lineId } = at.line
      const DAYS = 600
      const report = (day: number) => ({ lineId, quantity: day, asOf: START + day * 24 * HOUR })
      await keep(
        at.here,
        Array.from({ length: DAYS }, (_, day) => report(day)),
        { receivedAt: at.clock() },
      )
      const edited = { name: "Acme", timeZone: "Asia/Kathmandu" }
      await at.here.organizations.edit(at.acme.slug, edited, at.change())
      const late = { lineId, quantity: 7, asOf: START + 3 * HOUR }
      const making = at.here.deliveries.makeDays()
      await keep(at.there, [report(DAYS), late, report(DAYS + 1)], { receivedAt: at.clock() })
      expect(await making).toBe(true)
      expect(await at.here.deliveries.makeDays()).toBe(false)
      const all = await expected(at.there, lineId, edited.timeZone)
      expect(await shown(at.there, lineId, edited.timeZone)).toEqual(all)
      expect(all).toHaveLength(DAYS + 2)
    }, 600_000)

    test.each([
      { lines: 40, days: 3, rounds: [1, 1] },
      { lines: 5, days: 400, rounds: [2, 5] },
      { lines: 2, days: 1_200, rounds: [2, 2] },
    ])(
      "are made of $lines lines with $days days in few rounds, but not of all at once",
      async ({ lines, days, rounds }) => {
        await using at = await givenMarket(engine)
        const lineIds = [at.line.lineId]
        while (lineIds.length < lines) lineIds.push((await givenLineIn(at, at.line.campaign, at.acme)).lineId)
        let arrived = at.clock()
        for (const lineId of lineIds) {
          const totals = Array.from({ length: days }, (_, day) => ({
            lineId,
            quantity: day,
            asOf: START - day * 24 * HOUR,
          }))
          await keep(at.here, totals, { receivedAt: arrived++ })
        }
        for (const timeZone of ["Pacific/Kiritimati", "America/St_Johns"]) {
          await at.here.organizations.edit(at.acme.slug, { name: "Acme", timeZone }, at.change())
          let made = 0
          while (await at.there.deliveries.makeDays()) made++
          expect(made).toBeWithin(need(rounds[0]), need(rounds[1]) + 1)
          for (const lineId of [need(lineIds[0]), need(lineIds.at(-1))])
            expect(await shown(at.here, lineId, timeZone)).toEqual(await expected(at.there, lineId, timeZone))
        }
      },
      600_000,
    )

    test("are found without those that are made, of many lines and of histories of any length", async () => {
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
    }, 600_000)

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
      const { days, unmade } = await at.there.deliveryHistory.daysMade(lineIds, FEW + MANY)
      expect(unmade).toEqual([])
      for (const lineId of lineIds) {
        const [from, to] = lineId === first ? [MANY, MANY + FEW] : [0, MANY]
        const quantities = need(days.get(lineId)).map(({ quantity }) => quantity - lineId)
        expect(quantities).toEqual(Array.from({ length: to - from }, (_, i) => from + i))
      }
    }, 600_000)

    test("end with the current total, and there are none without one", async () => {
      await using at = await givenMarket(engine)
      const { lineId } = at.line
      expect(await at.there.deliveryHistory.days([lineId])).toEqual(new Map([[lineId, []]]))
      for (const quantity of [1, 2, 1])
        await keep(at.here, [{ lineId, quantity, asOf: START }], { receivedAt: at.clock() })
      const days = new Map([[lineId, [{ asOf: START, quantity: 1 }]]])
      expect(await at.there.deliveryHistory.days([lineId])).toEqual(days)
      // The moment was corrected upwards: what the lower total had corrected was found again.
      expect(await at.there.deliveries.makeDays()).toBe(true)
      expect(await at.there.deliveryHistory.daysMade([lineId], 5)).toEqual({ days, unmade: [] })
      await at.here.organizations.edit(at.acme.slug, { name: "Acme", timeZone: "Asia/Kathmandu" }, at.change())
      const none = new Map([[lineId, []]])
      expect(await at.there.deliveryHistory.daysMade([lineId], 5)).toEqual({ days: none, unmade: [lineId] })
      expect(await at.there.deliveries.makeDays()).toBe(true)
      expect(await at.there.deliveries.makeDays()).toBe(false)
    })

    test("are made anew after an upgrade that asks for it, and shown as they were until then", async () => {
      await using at = await givenMarket(engine)
      const { lineId } = at.line
      for (const [day, quantity] of [5, 7, 9].entries())
        await keep(at.here, [{ lineId, quantity, asOf: START + day * 24 * HOUR }], { receivedAt: at.clock() + day })
      const before = await at.there.deliveryHistory.daysMade([lineId], 5)
      expect(before.unmade).toEqual([])
      expect(await at.here.deliveries.makeDays()).toBe(false)
      await at.here.settings.set("days_renewed_through", "0")
      expect(await at.there.deliveryHistory.daysMade([lineId], 5)).toEqual(before)
      expect(await at.here.deliveries.makeDays()).toBe(true)
      expect((await at.there.deliveryHistory.daysMade([lineId], 5)).unmade).toEqual([lineId])
      expect(await at.there.deliveryHistory.days([lineId], 5)).toEqual(before.days)
      expect(await at.here.deliveries.makeDays()).toBe(true)
      expect(await at.there.deliveryHistory.daysMade([lineId], 5)).toEqual(before)
      expect(await at.here.deliveries.makeDays()).toBe(false)
      expect(await at.there.settings.get("days_renewed_through")).toBeNull()
    })
  })
})
