import { describe, expect, test } from "bun:test"
import { currencyOf } from "../../../src/actions/people/organizations.ts"
import { seenOf } from "../../../src/domain/edit-conflict.ts"
import { storageContract } from "./contract.ts"
import { givenLine, givenLineIn, givenMarket, givenMember, keep, need, newKey } from "./given.ts"

storageContract("removals", (engine) => {
  describe("archived", () => {
    test("campaigns are left out of lists unless asked for, and are found by name", async () => {
      await using at = await givenMarket(engine)
      const { campaign } = await givenLine(at, at.acme, at.brand, { campaign: "Second" })
      const { campaigns } = at.here
      for (const { id } of [at.other, at.brand])
        expect(await campaigns.archive(id, campaign, true, at.change())).toBe(false)
      expect(await campaigns.archive(at.acme.id, "unknown", true, at.change())).toBe(false)
      expect(await campaigns.archive(at.acme.id, campaign, true, at.change())).toBe(true)
      expect(await campaigns.archive(at.acme.id, campaign, true, at.change())).toBe(false)
      for (const { id } of [at.acme, at.brand]) {
        const listed = async (archived?: boolean) =>
          (await at.there.campaigns.list(id, archived)).map(({ slug }) => slug)
        expect(await listed()).toEqual([at.line.campaign])
        expect(await listed(true)).toEqual([campaign])
        expect(await at.there.campaigns.find(id, campaign)).toMatchObject({ archived: true })
      }
      expect(await campaigns.archive(at.acme.id, campaign, false, at.change())).toBe(true)
      expect(await at.there.campaigns.list(at.acme.id)).toHaveLength(2)
    })

    test("lines are left out of a campaign unless asked for, and still take reports", async () => {
      await using at = await givenMarket(engine)
      const { packageId, lineId } = await givenLineIn(at, at.line.campaign, at.acme, { name: "Old" })
      const { campaigns } = at.here
      expect(await campaigns.archiveLine(at.other.id, packageId, true, at.change())).toBe(false)
      expect(await campaigns.archiveLine(at.acme.id, packageId, true, at.change())).toBe(true)
      expect(await campaigns.archiveLine(at.acme.id, packageId, true, at.change())).toBe(false)
      const head = need(await at.there.campaigns.find(at.brand.id, at.line.campaign))
      for (const archived of [false, true]) {
        const expected = [archived ? lineId : at.line.lineId]
        for (const { id } of [at.acme, at.brand]) {
          const choice = { offset: 0, limit: 9, archived }
          const { lines } = need(await at.there.campaigns.find(id, at.line.campaign, choice))
          expect(lines.map((line) => line.lineId)).toEqual(expected)
          expect((await at.there.campaigns.lines(id, head, { archived })).map((line) => line.lineId)).toEqual(expected)
          expect(await at.there.campaigns.count(id, head, { archived })).toBe(1)
        }
      }
      const { lines } = need(await at.there.campaigns.find(at.acme.id, at.line.campaign, { packageId }))
      expect(lines).toMatchObject([{ archived: true }])
      expect((await at.there.deliveries.linesSold(at.acme.id, [packageId])).items).toMatchObject([{ lineId }])
      expect(await keep(at.there, [{ lineId, quantity: 1, asOf: 1 }])).toEqual(["applied"])
    })
  })

  describe("deleted", () => {
    test("lines without figures are gone for every process; others stay, and so does the last one", async () => {
      await using at = await givenMarket(engine)
      const { campaign } = at.line
      const empty = await givenLineIn(at, campaign, at.acme)
      const delivered = await givenLineIn(at, campaign, at.acme)
      await keep(at.here, [{ lineId: delivered.lineId, quantity: 1, asOf: 1 }], { receivedAt: 2 })
      const { campaigns } = at.here
      expect(await campaigns.removeLine(at.other.id, empty.packageId, at.change())).toBe("not found")
      expect(await campaigns.removeLine(at.acme.id, delivered.packageId, at.change())).toBe("has figures")
      expect(await campaigns.remove(at.acme.id, campaign, at.change())).toBe("has figures")
      const report = { quantity: 1, asOf: 1, receivedAt: 2 }
      await at.here.deliveries.withdraw(at.acme.id, delivered.packageId, report, "Wrong", at.change())
      expect(await campaigns.removeLine(at.acme.id, delivered.packageId, at.change())).toBe("has figures")
      expect(await campaigns.removeLine(at.acme.id, empty.packageId, at.change())).toBe("done")
      expect((await at.there.deliveries.linesSold(at.acme.id, [empty.packageId])).items).toEqual([undefined])
      const alone = await givenLine(at, at.acme, at.brand, { campaign: "Alone" })
      expect(await campaigns.removeLine(at.acme.id, alone.packageId, at.change())).toBe("last line")
    })

    test("campaigns go with their lines and share links, by whoever sells every line", async () => {
      await using at = await givenMarket(engine)
      const { campaign } = at.line
      const { id: campaignId } = need(await at.here.campaigns.find(at.acme.id, campaign))
      const times = { createdAt: at.clock(), expiresAt: at.clock() + 1_000 }
      const link = { tokenHash: seenOf({}), campaignId, organizationId: at.acme.id, label: "Guest", ...times }
      await at.here.shareLinks.create(link, at.change())
      for (const { id } of [at.other, at.brand])
        expect(await at.here.campaigns.remove(id, campaign, at.change())).toBe("not found")
      expect(await at.here.campaigns.remove(at.acme.id, campaign, at.change())).toBe("done")
      expect(await at.there.campaigns.find(at.brand.id, campaign)).toBeNull()
      expect(await at.there.packageLines.listWithTotals(null)).toEqual([])
      expect(await at.here.campaigns.remove(at.acme.id, campaign, at.change())).toBe("not found")
      expect(await at.there.health.integrity()).toEqual([])
    })

    test("organizations go when nothing depends on them, and the audit trail keeps their names", async () => {
      await using at = await givenMarket(engine)
      const { organizations } = at.here
      for (const slug of ["acme", "brand"]) expect(await organizations.remove(slug, at.change())).toBe("in use")
      for (const { id } of [at.acme, at.brand]) expect(await organizations.isInUse(id)).toBe(true)
      await organizations.edit("other", { ...at.other, currency: "SEK" }, at.change())
      expect(await currencyOf(at.there, at.other)).toBe("SEK")
      await givenMember(at, "m@example.com", at.other, "member")
      expect(await organizations.remove("other", at.change())).toBe("in use")
      const [member] = await at.there.members.list(at.other.id)
      await at.here.users.remove(need(member).userId, at.change())
      expect(await organizations.isInUse(at.other.id)).toBe(false)
      expect(await organizations.remove("other", at.change())).toBe("done")
      expect(await at.there.organizations.findBySlug("other")).toBeNull()
      expect(await currencyOf(at.there, at.other)).toBe("")
      expect(await organizations.remove("other", at.change())).toBe("not found")
      const { entries } = await at.there.audit.list({ text: "other" }, { before: null, limit: 10 })
      expect(entries.map(({ action }) => action)).toContain("create organization")
      const keyed = need(await organizations.create({ slug: "keyed", name: "Keyed", timeZone: "UTC" }, at.change()))
      await at.here.ingestKeys.create(newKey("Nightly"), keyed.id, at.change())
      expect(await organizations.remove("keyed", at.change())).toBe("in use")
    })
  })
})
