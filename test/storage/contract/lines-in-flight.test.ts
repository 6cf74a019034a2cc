import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { ListedLine, NewLine, ShownLine } from "../../../src/storage/port/store.ts"
import { storageContract } from "./contract.ts"
import { type GivenLine, givenLine, givenLineIn, givenMarket, HOUR, keep, need, newLine } from "./given.ts"
import type { Store } from "./whole-store.ts"

const TODAY = { from: "2026-11-15", to: "2026-11-15" }

const byId = (one: ListedLine, other: ListedLine) => one.lineId - other.lineId

/** What a list should say of a line. */
const listed = ({ seller, ...line }: ShownLine, campaignId: number): ListedLine => {
  const { lineId, name, pricingBasis, flightStart, flightEnd, booked, rate, currency, total } = line
  const terms = { pricingBasis, flightStart, flightEnd, booked, rate, currency }
  return { lineId, campaignId, name, seller: { timeZone: seller.timeZone }, ...terms, total }
}

const isInFlight = ({ flightStart, flightEnd }: ListedLine) =>
  flightStart <= TODAY.to && (flightEnd === null || flightEnd >= TODAY.from)

const edits = fc.record({
  pricingBasis: fc.constantFrom("impressions", "downloads", "flat_rate"),
  flightStart: fc.constantFrom("2026-11-01", "2026-11-15", "2026-11-16"),
  flightEnd: fc.constantFrom(null, "2026-11-16", "2026-11-30"),
  booked: fc.constantFrom(null, 1_000, 0.5),
  rate: fc.constantFrom(null, 12.345),
  currency: fc.constantFrom(null, "EUR", "USD"),
})

type Write =
  | { readonly quantity: number; readonly hour: number }
  | { readonly edit: Partial<NewLine> }
  | { readonly archives: boolean }

const step = fc.record({
  store: fc.nat(1),
  line: fc.nat(5),
  does: fc.oneof<fc.Arbitrary<Write>[]>(
    fc.record({ quantity: fc.nat(2_000), hour: fc.nat(20) }),
    fc.record({ edit: edits }),
    fc.record({ archives: fc.boolean() }),
  ),
})

storageContract("lines-in-flight", (engine) => {
  describe("lines in flight", () => {
    test("and lists of what is sold say what the lines say, after whatever was written by whichever store", async () => {
      await using at = await givenMarket(engine)
      const { campaign } = at.line
      const lines = [at.line]
      for (const name of ["b", "c", "d", "e", "f"]) lines.push(await givenLineIn(at, campaign, at.acme, { name }))
      const head = need(await at.store.campaigns.find(at.acme.id, campaign))
      const write = async (store: Store, { packageId, lineId }: GivenLine, does: Write) => {
        if ("archives" in does) await store.campaigns.archiveLine(at.acme.id, packageId, does.archives, at.change())
        else if ("edit" in does)
          await store.campaigns.editLine(at.acme.id, packageId, newLine({ name: "x", ...does.edit }), at.change())
        else await keep(store, [{ lineId, quantity: does.quantity, asOf: does.hour * HOUR }])
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
          for (const { store, line, does } of steps) {
            await write(need(at.stores[store]), need(lines[line]), does)
            for (const { campaigns } of at.stores) {
              const shown = await campaigns.lines(at.acme.id, head, {})
              const expected = shown.map((one) => listed(one, head.id)).sort(byId)
              const flying = await campaigns.listedInFlight(at.acme.id, TODAY)
              expect(flying.toSorted(byId)).toEqual(expected.filter(isInFlight))
              expect((await campaigns.listedLines(at.acme.id)).sort(byId)).toEqual(expected)
            }
          }
        }),
        { numRuns: 15 },
      )
    })

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

      const all = await at.there.campaigns.inFlight(at.acme.id, TODAY)
      expect(all.map(({ lineId }) => lineId)).toEqual([last.lineId, twin.lineId, late.lineId, at.line.lineId])
      expect(all[1]).toMatchObject({
        name: "ends today too",
        total: { quantity: 70, asOf: 90 * HOUR },
        seller: { id: at.acme.id, slug: "acme", timeZone: "UTC" },
        campaign: { slug: campaign, name: "A campaign", buyer: { slug: "brand", name: "The brand" } },
      })
      for (const limit of [1, 2, 3, 10]) {
        expect(await at.there.campaigns.inFlight(at.acme.id, { ...TODAY, limit })).toEqual(all.slice(0, limit))
        expect(await at.there.campaigns.listedInFlight(at.acme.id, { ...TODAY, limit })).toHaveLength(
          Math.min(limit, 4),
        )
      }
      const listed = await at.there.campaigns.listedInFlight(at.acme.id, TODAY)
      expect(listed.map(({ lineId }) => lineId).sort()).toEqual(all.map(({ lineId }) => lineId).sort())
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
        const found = await at.there.campaigns[method](at.acme.id, TODAY)
        expect(found.map(({ lineId }) => lineId)).toEqual([kept.lineId])
      }
    })
  })

  describe("where a line belongs", () => {
    test("is found by its package id", async () => {
      await using at = await givenMarket(engine)
      const { packageId, campaign } = at.line
      const bought = await givenLine(at, at.other, at.acme, { campaign: "Of another seller" })
      expect(await at.there.packageLines.locate(packageId)).toEqual({ seller: "acme", campaign })
      expect(await at.there.packageLines.locate(bought.packageId)).toMatchObject({ seller: at.other.slug })
      expect(await at.there.packageLines.locate("unknown")).toBeNull()
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
        const lines = await at.there.campaigns.listedLines(organizationId)
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
      await at.here.campaigns.archive(at.acme.id, campaign, true, at.change())
      expect(await seenBy(at.brand.id)).toEqual([])
      expect(await at.there.campaigns.listedLines(at.brand.id, true)).toHaveLength(own.length)
    })
  })
})
