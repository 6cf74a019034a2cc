import { describe, expect, test } from "bun:test"
import { campaignFields } from "../../../src/actions/campaigns/campaigns.ts"
import { lineFields } from "../../../src/domain/campaign/line-fields.ts"
import { seenOf } from "../../../src/domain/edit-conflict.ts"
import { storageContract } from "./contract.ts"
import {
  type GivenLine,
  givenLine,
  givenLineIn,
  givenMarket,
  HOUR,
  keep,
  NOTHING,
  need,
  newLine,
  SOURCE,
} from "./given.ts"

const brand = { slug: "brand" }

storageContract("campaigns", (engine) => {
  describe("campaigns", () => {
    test("are found by whoever buys them or sells in them, and by nobody else", async () => {
      await using at = await givenMarket(engine)
      const { campaigns } = at.there
      const { campaign: slug } = at.line
      const { id, name } = at.brand
      const head = { slug, name: "A campaign", buyer: { id, slug: "brand", name }, lines: [] }
      expect(await campaigns.find(at.acme.id, slug)).toMatchObject({ ...head, sells: true, isSoleSeller: true })
      expect(await campaigns.find(at.brand.id, slug)).toMatchObject({ ...head, sells: false, isSoleSeller: false })
      expect(await campaigns.find(at.other.id, slug)).toBeNull()
      expect(await campaigns.find(at.acme.id, "unknown")).toBeNull()
      expect(await campaigns.list(at.other.id)).toEqual([])
    })

    test("each names those who sell in it, each once", async () => {
      await using at = await givenMarket(engine)
      const found = need(await at.there.campaigns.find(at.acme.id, at.line.campaign))
      await givenLineIn(at, at.line.campaign, at.acme)
      expect(await at.here.campaigns.sellersIn([found.id, 999])).toEqual(new Map([[found.id, [at.acme.name]]]))
      expect(await at.here.campaigns.sellersIn([])).toEqual(new Map())
    })

    test("are listed newest first, each once", async () => {
      await using at = await givenMarket(engine)
      const names = ["a-campaign"]
      for (const campaign of ["two", "three", "four", "five"]) {
        // Two of them are as old as each other.
        if (campaign !== "three") at.clock.advance({ seconds: 1 })
        names.unshift((await givenLine(at, at.acme, at.brand, { campaign })).campaign)
      }
      await givenLineIn(at, "five", at.acme)
      for (const { id } of [at.acme, at.brand]) {
        const all = await at.there.campaigns.list(id)
        expect(all.map(({ slug }) => slug)).toEqual(names)
        expect(all[0]).toMatchObject({ createdAt: at.clock(), buyer: { slug: "brand" } })
      }
    })

    test("each gets a slug of its own, also when several are made at once", async () => {
      await using at = await givenMarket(engine)
      const made = await Promise.all(
        [...at.stores, ...at.stores].map(({ campaigns }) =>
          campaigns.create(at.acme.id, { name: "Autumn", buyer: brand }, newLine(), at.change()),
        ),
      )
      expect(new Set(made).size).toBe(4)
      expect(made).not.toContain(null)
      expect(made).toContain("autumn")
    })

    test("a buyer that is not there makes none, and a new name makes both", async () => {
      await using at = await givenMarket(engine)
      const { campaigns, organizations } = at.here
      const before = await organizations.list()
      const wish = { name: "Autumn", buyer: { slug: "unknown" } }
      expect(await campaigns.create(at.acme.id, wish, newLine(), at.change())).toBeNull()
      expect(await campaigns.list(at.acme.id)).toHaveLength(1)
      expect(await organizations.list()).toEqual(before)
      const slug = need(
        await campaigns.create(at.acme.id, { name: "Autumn", buyer: { newName: "New Co" } }, newLine(), at.change()),
      )
      expect(await at.there.campaigns.find(at.acme.id, slug)).toMatchObject({ buyer: { name: "New Co" } })
      expect(await at.there.organizations.findBySlug("new-co")).toMatchObject({ name: "New Co", timeZone: "UTC" })
    })

    test("buyers of a seller are those it sells to, by name, never itself; and all organizations", async () => {
      await using at = await givenMarket(engine)
      await givenLine(at, at.acme, at.acme)
      await givenLine(at, at.other, at.acme)
      const company = ({ slug, name }: { slug: string; name: string }) => ({ slug, name })
      expect(await at.there.campaigns.buyers(at.acme.id)).toEqual([company(at.brand)])
      expect(await at.there.campaigns.buyers(at.other.id)).toEqual([company(at.acme)])
      expect(await at.there.campaigns.buyers(at.brand.id)).toEqual([])
      expect(await at.there.campaigns.buyers(null)).toEqual([at.acme, at.brand, at.other].map(company))
    })

    test("currencies are those that a seller uses, the most frequent first, never another's", async () => {
      await using at = await givenMarket(engine)
      expect(await at.there.campaigns.currencies(at.brand.id)).toEqual([])
      for (const currency of ["USD", null, "CHF", "USD"])
        await givenLine(at, at.other, at.acme, { rate: currency === null ? null : 1, currency })
      expect(await at.there.campaigns.currencies(at.other.id)).toEqual(["USD", "CHF"])
    })

    test("only whoever sells every line edits one; others find none", async () => {
      await using at = await givenMarket(engine)
      const { campaigns } = at.here
      const { campaign: slug } = at.line
      const edited = { name: "Renamed", buyer: { slug: "other" } }
      for (const { id } of [at.brand, at.other]) {
        expect(await campaigns.edit(id, slug, edited, at.change())).toBe("not found")
      }
      expect(await campaigns.edit(at.acme.id, "unknown", edited, at.change())).toBe("not found")
      expect(await campaigns.edit(at.acme.id, slug, { ...edited, buyer: { slug: "x" } }, at.change())).toBe("not found")
      expect(await campaigns.find(at.acme.id, slug)).toMatchObject({ name: "A campaign", buyer: { slug: "brand" } })
      expect(await campaigns.edit(at.acme.id, slug, edited, at.change())).toBe("done")
      expect(await at.there.campaigns.find(at.acme.id, slug)).toMatchObject({ slug, ...edited })
      expect(await at.there.campaigns.find(at.brand.id, slug)).toBeNull()
    })

    test("where two sell, neither edits the campaign, and each sees its own lines while the buyer sees all", async () => {
      await using at = await givenMarket(engine)
      const { campaign: slug } = at.line
      const [theirs, lateOne] = await shareCampaign(at)
      expect(await at.here.campaigns.edit(at.acme.id, slug, { name: "X", buyer: brand }, at.change())).toBe("not found")
      const choice = { offset: 0, limit: 10 }
      const seen = async (id: number, chosen: object = {}) =>
        need(await at.there.campaigns.find(id, slug, { ...choice, ...chosen })).lines.map((line) => line.packageId)
      expect(await seen(at.acme.id)).toEqual([at.line.packageId, lateOne])
      expect(await seen(at.other.id)).toEqual([theirs])
      expect(await seen(at.brand.id)).toEqual([at.line.packageId, theirs, lateOne])
      expect(await seen(at.brand.id, { sold: true })).toEqual([])
      expect(await seen(at.brand.id, { offset: 1, limit: 1 })).toEqual([theirs])
      expect(await at.there.campaigns.find(at.acme.id, slug)).toMatchObject({ sells: true, isSoleSeller: false })
      const one = async (id: number, packageId: string) =>
        need(await at.there.campaigns.find(id, slug, { packageId })).lines.map((line) => line.packageId)
      expect(await one(at.acme.id, theirs)).toEqual([])
      expect(await one(at.brand.id, theirs)).toEqual([theirs])
      const head = need(await at.there.campaigns.find(at.brand.id, slug))
      const linesOf = (id: number, scope: object) => at.there.campaigns.count(id, head, scope)
      const counts = [at.acme, at.other, at.brand].map(({ id }) => linesOf(id, {}))
      expect(await Promise.all(counts)).toEqual([2, 1, 3])
      expect(await linesOf(at.brand.id, { sold: true })).toBe(0)
    })

    test("of three who edit what they saw at the same time, exactly one succeeds", async () => {
      await using at = await givenMarket(engine)
      const { campaign: slug } = at.line
      const seen = seenOf(campaignFields("A campaign", "brand"))
      const outcomes = await Promise.all(
        [at.here, at.there, at.here].map(({ campaigns }, i) =>
          campaigns.edit(at.acme.id, slug, { name: `Racer ${i}`, buyer: brand }, at.change(seen)),
        ),
      )
      expect(outcomes.toSorted()).toEqual(["changed", "changed", "done"])
      const name = `Racer ${outcomes.indexOf("done")}`
      expect(await at.here.campaigns.find(at.acme.id, slug)).toMatchObject({ name })
    })
  })

  describe("lines of a campaign", () => {
    test("are added by whoever sells there already, and by nobody else", async () => {
      await using at = await givenMarket(engine)
      const { campaigns } = at.here
      expect(await campaigns.addLine(at.other.id, at.line.campaign, newLine(), at.change())).toBe(false)
      expect(await campaigns.addLine(at.brand.id, at.line.campaign, newLine(), at.change())).toBe(false)
      expect(await campaigns.addLine(at.acme.id, "unknown", newLine(), at.change())).toBe(false)
      expect(await campaigns.addLine(at.acme.id, at.line.campaign, newLine(), at.change())).toBe(true)
      expect(await at.there.packageLines.listWithTotals(null)).toHaveLength(2)
    })

    test("come by start of the flight, then by name", async () => {
      await using at = await givenMarket(engine)
      const { campaign } = at.line
      const starts = ["2026-11-03", "2026-11-01", "2026-11-02", "2026-11-02", "2026-11-02"]
      for (const [i, flightStart] of starts.entries())
        await givenLineIn(at, campaign, at.acme, { flightStart, name: i === 2 ? "Z" : "B" })
      await keep(at.here, [{ lineId: at.line.lineId, quantity: 7, asOf: HOUR }])
      const head = need(await at.there.campaigns.find(at.brand.id, campaign))
      const all = await at.there.campaigns.lines(at.brand.id, head, {})
      expect(all.map(({ flightStart, name }) => `${flightStart.slice(-2)} ${name}`)).toEqual([
        "01 A line",
        "01 B",
        "02 B",
        "02 B",
        "02 Z",
        "03 B",
      ])
      expect(all[0]?.total).toEqual({ quantity: 7, asOf: HOUR })
      expect(all[1]?.total).toBeNull()
      expect(await at.there.campaigns.lines(at.other.id, head, {})).toEqual([])
      expect(await at.there.campaigns.lines(at.brand.id, head, { sold: true })).toEqual([])
    })

    test("are named to whoever sells or buys them, and so are affiliate codes to their seller", async () => {
      await using at = await givenMarket(engine)
      const { campaign, packageId, lineId } = at.line
      const { id } = need(await at.there.campaigns.find(at.brand.id, campaign))
      const names = (asking: { readonly id: number }) => at.there.campaigns.lineNames(asking.id, [{ id }])
      const named = expect.objectContaining({ packageId, name: "A line", externalId: null })
      expect([await names(at.acme), await names(at.brand), await names(at.other)]).toEqual([[named], [named], []])
      expect(await at.there.campaigns.lineNames(at.acme.id, [])).toEqual([])
      const { revision } = await at.here.affiliates.codesSold(at.acme.id, [])
      const rows = ["B", "A", "C"].map((code) => ({ code, lineId, slug: undefined }))
      await at.here.affiliates.saveCodes(at.acme.id, rows, at.clock(), revision)
      const codes = await at.there.campaigns.codeNames(at.acme.id)
      expect(codes.map((row) => row.code)).toEqual(["A", "B", "C"])
      expect(await at.there.campaigns.codeNames(at.brand.id)).toEqual([])
    })

    test("show all that was typed, the seller, and the total", async () => {
      await using at = await givenMarket(engine)
      const fields = { flightEnd: "2026-12-31", booked: 1_000.5, rate: 12.345678, currency: "EUR", name: "Full" }
      const { packageId, lineId, campaign } = await givenLine(at, at.acme, at.brand, { campaign: "Full", ...fields })
      const { lines } = need(await at.there.campaigns.find(at.brand.id, campaign, { packageId }))
      const { id, slug, name, timeZone } = at.acme
      expect(lines).toEqual([
        {
          ...newLine(fields),
          packageId,
          lineId,
          archived: false,
          seller: { id, slug, name, timeZone },
          total: null,
        },
      ])
    })

    test("are edited by their seller only, and another process judges by the new terms from its next request on", async () => {
      await using at = await givenMarket(engine)
      const { packageId } = at.line
      const { packageId: _, ...edited } = newLine({ name: "Edited", flightStart: "2026-12-01", booked: 5 })
      expect((await at.there.deliveries.linesSold(at.acme.id, [packageId])).items).toMatchObject([
        { flightStart: "2026-11-01" },
      ])
      for (const { id } of [at.other, at.brand])
        expect(await at.here.campaigns.editLine(id, packageId, edited, at.change())).toBe("not found")
      expect(await at.here.campaigns.editLine(at.acme.id, crypto.randomUUID(), edited, at.change())).toBe("not found")
      expect(await at.here.campaigns.editLine(at.acme.id, packageId, edited, at.change())).toBe("done")
      expect((await at.there.deliveries.linesSold(at.acme.id, [packageId])).items).toMatchObject([
        { flightStart: "2026-12-01" },
      ])
      expect(await at.there.packageLines.findSold(at.acme.id, [packageId])).toMatchObject([
        { name: "Edited", booked: 5 },
      ])
    })

    test("keep their basis once figures refer to them, of delivery or of a code", async () => {
      await using at = await givenMarket(engine)
      const delivered = await givenLineIn(at, at.line.campaign, at.acme)
      const promoted = await givenLineIn(at, at.line.campaign, at.acme)
      await keep(at.here, [{ lineId: delivered.lineId, quantity: 1, asOf: 1 }])
      const { revision } = await at.here.deliveries.linesSold(at.acme.id, [])
      const code = { lineId: promoted.lineId, code: "A", slug: undefined }
      expect(await at.here.affiliates.saveCodes(at.acme.id, [code], 1, revision)).toBe(true)
      const { packageId: _, ...fields } = newLine({ name: "Edited", pricingBasis: "downloads" })
      const basisOf = async ({ packageId, lineId }: typeof delivered) => {
        expect(await at.there.campaigns.editLine(at.acme.id, packageId, fields, at.change())).toBe("done")
        const [line] = await at.here.packageLines.findSold(at.acme.id, [packageId])
        expect(line?.name).toBe("Edited")
        return [line?.pricingBasis, await at.here.campaigns.hasFigures(lineId)]
      }
      expect(await basisOf(delivered)).toEqual(["impressions", true])
      expect(await basisOf(promoted)).toEqual(["impressions", true])
      expect(await basisOf(at.line)).toEqual(["downloads", false])
    })

    test("keep the basis by which a report was judged, when both happen at the same time", async () => {
      await using at = await givenMarket(engine)
      const { packageId: _, ...fields } = newLine({ pricingBasis: "downloads" })
      const lines: GivenLine[] = []
      for (let i = 0; i < 8; i++) lines.push(await givenLineIn(at, at.line.campaign, at.acme))
      const report = async ({ packageId, lineId }: GivenLine) => {
        for (;;) {
          const { items: found, revision, timeZone } = await at.there.deliveries.linesSold(at.acme.id, [packageId])
          const receipt = { receivedAt: 100 * HOUR, source: SOURCE, timeZone }
          const effects = await at.there.deliveries.record([{ lineId, quantity: 1, asOf: HOUR }], receipt, revision)
          if (effects !== null) return need(found[0]).pricingBasis
        }
      }
      const both = await Promise.all(
        lines.map((line) =>
          Promise.all([report(line), at.here.campaigns.editLine(at.acme.id, line.packageId, fields, at.change())]),
        ),
      )
      const ids = lines.map(({ packageId }) => packageId)
      const kept = await at.here.packageLines.findSold(at.acme.id, ids)
      expect(kept.map((line) => line?.pricingBasis)).toEqual(both.map(([judgedBy]) => judgedBy))
    })

    test("of three who edit the line that they saw at the same time, exactly one succeeds", async () => {
      await using at = await givenMarket(engine)
      const { packageId } = at.line
      const { packageId: _, ...fields } = newLine()
      const seen = seenOf(lineFields(fields))
      const outcomes = await Promise.all(
        [at.there, at.here, at.there].map(({ campaigns }, i) =>
          campaigns.editLine(at.acme.id, packageId, { ...fields, name: `Racer ${i}` }, at.change(seen)),
        ),
      )
      expect(outcomes.toSorted()).toEqual(["changed", "changed", "done"])
      const [line] = await at.here.packageLines.findSold(at.acme.id, [packageId])
      expect(line?.name).toBe(`Racer ${outcomes.indexOf("done")}`)
    })
  })

  describe("package lines", () => {
    test("all are listed with their totals by campaign, then name, or those of one seller; an example is one's own", async () => {
      await using at = await givenMarket(engine)
      await givenLine(at, at.other, at.brand, { campaign: "0 first", name: "Theirs" })
      await givenLineIn(at, at.line.campaign, at.acme, { name: "0 before" })
      await keep(at.here, [{ lineId: at.line.lineId, quantity: 3.5, asOf: 9 }])
      const listed = async (id: number | null) =>
        (await at.there.packageLines.listWithTotals(id)).map(({ seller, name, total }) => [seller, name, total])
      const own = [
        ["acme", "0 before", null],
        ["acme", "A line", { quantity: 3.5, asOf: 9 }],
      ]
      expect(await listed(null)).toEqual([["other", "Theirs", null], ...own])
      expect(await listed(at.acme.id)).toEqual(own)
      expect(await listed(at.brand.id)).toEqual([])
      const { packageId, pricingBasis } = at.line
      expect(await at.there.packageLines.example(at.acme.id)).toEqual({ packageId, pricingBasis })
      expect(await at.there.packageLines.example(at.brand.id)).toBeNull()
    })

    test("are found in the order asked for; another's line and no line are both undefined", async () => {
      await using at = await givenMarket(engine)
      const theirs = await givenLine(at, at.other, at.brand)
      const asked = [crypto.randomUUID(), at.line.packageId, theirs.packageId, at.line.packageId]
      const found = await at.there.packageLines.findSold(at.acme.id, asked)
      expect(found.map((line) => line?.lineId)).toEqual([undefined, at.line.lineId, undefined, at.line.lineId])
      const terms = await at.there.deliveries.linesSold(at.acme.id, asked)
      expect(terms.items.map((line) => line?.lineId)).toEqual([undefined, at.line.lineId, undefined, at.line.lineId])
    })
  })

  /** A line of another seller in the campaign of the market, as only an import makes it, and one more of the first seller. */
  async function shareCampaign(at: Awaited<ReturnType<typeof givenMarket>>): Promise<[string, string]> {
    const { campaign } = at.line
    const theirs = { ...newLine({ flightStart: "2026-11-02" }), campaign, seller: "other" }
    const plan = { ...NOTHING, lines: [theirs] }
    expect(
      await at.here.importExport.apply(plan, new Map(), await at.here.catalogue.revision(), at.change()),
    ).toMatchObject({ lines: { created: 1, updated: 0 } })
    const { packageId } = await givenLineIn(at, campaign, at.acme, { flightStart: "2026-11-03" })
    return [theirs.packageId, packageId]
  }
})
