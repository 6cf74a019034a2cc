import { describe, expect, test } from "bun:test"
import { storageContract } from "./contract.ts"
import type { Engine } from "./engine.ts"
import { givenLine, givenMarket, HOUR, need, winners } from "./given.ts"
import { newToken } from "./given-sign-in.ts"

async function givenLinks(engine: Engine) {
  const at = await givenMarket(engine)
  const { id: campaignId } = need(await at.here.campaigns.find(at.acme.id, at.line.campaign))
  const share = async (label: string) => {
    const token = newToken(at)
    const link = { ...token, campaignId, organizationId: at.acme.id, label }
    await at.here.shareLinks.create(link, at.change())
    return token.tokenHash
  }
  return { ...at, campaignId, share }
}

storageContract("share-links", (engine) => {
  describe("share links", () => {
    test("open the campaign of whoever made them until they expire", async () => {
      await using at = await givenLinks(engine)
      const token = await at.share("A guest")
      const expiresAt = at.clock() + HOUR
      const opened = { organizationId: at.acme.id, campaign: at.line.campaign, expiresAt }
      expect(await at.there.shareLinks.findByToken(token, at.clock())).toEqual(opened)
      expect(await at.there.shareLinks.findByToken(token, expiresAt - 1)).toEqual(opened)
      expect(await at.there.shareLinks.findByToken(token, expiresAt)).toBeNull()
      expect(await at.there.shareLinks.findByToken("never", at.clock())).toBeNull()
    })

    test("are listed as long as they work, so that they can be revoked, also when a hundred were made after them", async () => {
      await using at = await givenLinks(engine)
      await at.share("First")
      for (let more = 1; more <= 100; more++) await at.share(`Guest ${more}`)
      const listed = await at.there.shareLinks.list(at.acme.id, at.campaignId)
      expect(listed.map(({ label }) => label)).toContain("First")
    })

    test("are listed newest first to their owner, by campaign, and to nobody else", async () => {
      await using at = await givenLinks(engine)
      await at.share("One")
      at.clock.advance({ seconds: 1 })
      await at.share("Two")
      const { campaign } = await givenLine(at, at.acme, at.brand, { campaign: "Another" })
      const { id: another } = need(await at.here.campaigns.find(at.acme.id, campaign))
      const listed = await at.there.shareLinks.list(at.acme.id, at.campaignId)
      expect(listed.map(({ label, revokedAt }) => [label, revokedAt])).toEqual([
        ["Two", null],
        ["One", null],
      ])
      const { id } = need(listed[0])
      expect(await at.there.shareLinks.find(at.acme.id, at.campaignId, id)).toEqual(need(listed[0]))
      for (const [owner, campaignId] of [
        [at.brand.id, at.campaignId],
        [at.acme.id, another],
      ] as const) {
        expect(await at.there.shareLinks.list(owner, campaignId)).toEqual([])
        expect(await at.there.shareLinks.find(owner, campaignId, id)).toBeNull()
        expect(await at.there.shareLinks.revoke(owner, campaignId, id, at.change())).toBe(false)
      }
    })

    test("are revoked once, and open nothing for any process from then on", async () => {
      await using at = await givenLinks(engine)
      const token = await at.share("A guest")
      const { id } = need((await at.here.shareLinks.list(at.acme.id, at.campaignId))[0])
      const outcomes = await Promise.all(
        at.stores.map(({ shareLinks }) => shareLinks.revoke(at.acme.id, at.campaignId, id, at.change())),
      )
      expect(winners(outcomes, Boolean)).toBe(1)
      for (const { shareLinks } of at.stores) expect(await shareLinks.findByToken(token, at.clock())).toBeNull()
      expect(await at.there.shareLinks.find(at.acme.id, at.campaignId, id)).toMatchObject({ revokedAt: at.clock() })
    })
  })
})
