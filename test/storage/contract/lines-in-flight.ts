import { describe, expect, test } from "bun:test"
import type { FlyingLine } from "../../../src/storage/port/store.ts"
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
      }
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
      const found = await at.there.campaigns.inFlight(at.acme.id, { ...TODAY, after: null, limit: 10 })
      expect(found.map(({ lineId }) => lineId)).toEqual([kept.lineId])
    })
  })
}
