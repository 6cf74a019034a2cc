import { describe, expect, test } from "bun:test"
import type { FlyingLine, ListedLine } from "../../../src/storage/port/store.ts"
import type { Contract } from "./engine.ts"
import { givenLine, givenLineIn, givenMarket, HOUR, keep } from "./given.ts"

const TODAY = { from: "2026-11-15", to: "2026-11-15" }

export const linesInFlightContract: Contract = (engine) => {
  describe("lines in flight", () => {
    test("are those of the seller whose flight includes the day, by their end, the endless ones last", async () => {
      await using at = await givenMarket(engine)
      const campaign = at.line.campaign
      const add = (name: string, flightStart: string, flightEnd: string | null) =>
        givenLineIn(at, campaign, at.acme, { name, flightStart, flightEnd })
      const late = await add("late", "2026-11-15", "2026-12-31")
      await add("ended yesterday", "2026-11-01", "2026-11-14")
      await add("starts tomorrow", "2026-11-16", "2026-11-30")
      const last = await add("ends today", "2026-11-01", "2026-11-15")
      const twin = await add("ends today too", "2026-11-01", "2026-11-15")
      await givenLine(at, at.other, at.brand, { campaign: "Another seller's" })
      await keep(at.here, [{ lineId: twin.lineId, quantity: 70, asOf: 90 * HOUR }])

      const all = await at.there.campaigns.inFlight(at.acme.id, { ...TODAY, after: null, limit: 10 })
      expect(all.map(({ lineId }) => lineId)).toEqual([last.lineId, twin.lineId, late.lineId, at.line.lineId])
      expect(all[1]).toMatchObject({
        name: "ends today too",
        total: { quantity: 70, asOf: 90 * HOUR },
        seller: { id: at.acme.id, slug: "acme", timeZone: "UTC" },
        campaign: { slug: campaign, name: "A campaign", buyer: { slug: "brand", name: "The brand" } },
      })
      // In parts of any size, each line comes once.
      for (const limit of [1, 2, 3]) {
        const seen: FlyingLine[] = []
        let part: FlyingLine[]
        do {
          part = await at.there.campaigns.inFlight(at.acme.id, { ...TODAY, after: seen.at(-1) ?? null, limit })
          seen.push(...part)
        } while (part.length === limit)
        expect(seen).toEqual(all)
        const listed: ListedLine[] = []
        let few: ListedLine[]
        do {
          few = await at.there.campaigns.listedInFlight(at.acme.id, { ...TODAY, after: listed.at(-1) ?? null, limit })
          listed.push(...few)
        } while (few.length === limit)
        expect(listed.map(({ lineId }) => lineId)).toEqual(all.map(({ lineId }) => lineId))
      }
      const ids = [late.lineId, twin.lineId, 9_999]
      const some = await at.there.campaigns.flyingLines(at.acme.id, ids)
      expect(some.toSorted((one, other) => one.lineId - other.lineId)).toEqual(
        all.filter(({ lineId }) => ids.includes(lineId)).toSorted((one, other) => one.lineId - other.lineId),
      )
      expect(await at.there.campaigns.flyingLines(at.other.id, ids)).toEqual([])
      expect(await at.there.campaigns.flyingLines(at.acme.id, [])).toEqual([])
      const week = await at.there.campaigns.inFlight(at.acme.id, {
        from: "2026-11-08",
        to: "2026-11-15",
        after: null,
        limit: 1,
      })
      expect(week.map(({ name }) => name)).toEqual(["ended yesterday"])
    })

    test("leave out what is archived: a line, and every line of a campaign", async () => {
      await using at = await givenMarket(engine)
      const kept = await givenLine(at, at.acme, at.brand, { campaign: "Kept" })
      const line = await givenLineIn(at, kept.campaign, at.acme)
      await at.here.campaigns.archiveLine(at.acme.id, line.packageId, true, at.change())
      await at.here.campaigns.archive(at.acme.id, at.line.campaign, true, at.change())
      for (const method of ["inFlight", "listedInFlight"] as const) {
        const found = await at.there.campaigns[method](at.acme.id, { ...TODAY, after: null, limit: 10 })
        expect(found.map(({ lineId }) => lineId)).toEqual([kept.lineId])
      }
    })
  })

  describe("where a line belongs", () => {
    test("is found by its package id, and the sellers of a campaign by its slug", async () => {
      await using at = await givenMarket(engine)
      const { packageId, campaign } = at.line
      const bought = await givenLine(at, at.other, at.acme, { campaign: "Of another seller" })
      expect(await at.there.packageLines.locate(packageId)).toEqual({ seller: "acme", campaign })
      expect(await at.there.packageLines.locate(bought.packageId)).toMatchObject({ seller: at.other.slug })
      expect(await at.there.packageLines.locate("unknown")).toBeNull()
      expect(await at.there.packageLines.sellersOf(campaign)).toEqual(["acme"])
      expect(await at.there.packageLines.sellersOf("unknown")).toEqual([])
    })
  })

  describe("lines for lists", () => {
    test("are those that an organization may see: a buyer all of a campaign, a seller its own, nobody archived ones", async () => {
      await using at = await givenMarket(engine)
      const { campaign, lineId } = at.line
      const terms = { flightEnd: "2026-12-31", booked: 1_000.5, rate: 12.345678, currency: "EUR" }
      const priced = await givenLineIn(at, campaign, at.acme, terms)
      const archived = await givenLineIn(at, campaign, at.acme)
      await at.here.campaigns.archiveLine(at.acme.id, archived.packageId, true, at.change())
      const bought = await givenLine(at, at.other, at.acme, { campaign: "Bought by a seller" })
      await keep(at.here, [{ lineId: priced.lineId, quantity: 70, asOf: 90 * HOUR }])

      const seenBy = async (organizationId: number) => {
        const heads = await at.there.campaigns.list(organizationId, { offset: 0, limit: 10 })
        const lines = await at.there.campaigns.listedLines(organizationId, heads)
        return lines.toSorted((one, other) => one.lineId - other.lineId)
      }
      const first = { lineId, flightEnd: null, booked: null, rate: null, currency: null, total: null }
      const own = [
        { ...first, seller: { timeZone: "UTC" } },
        { lineId: priced.lineId, ...terms, total: { quantity: 70, asOf: 90 * HOUR } },
      ]
      expect(await seenBy(at.acme.id)).toMatchObject([...own, { lineId: bought.lineId }])
      expect(await seenBy(at.brand.id)).toMatchObject(own)
      expect(await seenBy(at.other.id)).toMatchObject([{ lineId: bought.lineId }])
      expect(await at.there.campaigns.listedLines(at.acme.id, [])).toEqual([])
      const sold = await at.there.campaigns.soldLines(at.acme.id, null, 10)
      expect(sold).toEqual((await seenBy(at.brand.id)).filter(({ lineId }) => lineId !== bought.lineId))
      expect(await at.there.campaigns.soldLines(at.acme.id, null, 1)).toEqual(sold.slice(0, 1))
      expect(await at.there.campaigns.soldLines(at.acme.id, lineId, 10)).toEqual(sold.slice(1))
      expect(await at.there.campaigns.soldLines(at.brand.id, null, 10)).toEqual([])
    })
  })
}
