import { describe, expect, test } from "bun:test"
import { seenOf } from "../../../src/domain/edit-conflict.ts"
import { organizationFields } from "../../../src/domain/people/organization.ts"
import { storageContract } from "./contract.ts"
import { given, givenMarket, givenMember, givenOrganization, need, newKey, winners } from "./given.ts"

storageContract("organizations", (engine) => {
  describe("organizations", () => {
    test("a slug means one organization: a second one of the same slug is not made, and changes nothing", async () => {
      await using at = await given(engine)
      const { organizations } = at.store
      expect(await organizations.findBySlug("acme")).toBeNull()
      const made = await organizations.create({ slug: "acme", name: "Acme", timeZone: "Europe/Berlin" }, at.change())
      expect(made).toEqual({ id: need(made).id, slug: "acme", name: "Acme", timeZone: "Europe/Berlin" })
      expect(await organizations.create({ slug: "acme", name: "Other", timeZone: "UTC" }, at.change())).toBeNull()
      expect(await organizations.findBySlug("acme")).toEqual(made)
      expect(await at.there.organizations.find(need(made).id)).toEqual(made)
      expect(await at.there.organizations.find(need(made).id + 1)).toBeNull()
    })

    test("of racers for one slug, exactly one gets it", async () => {
      await using at = await given(engine)
      const made = await Promise.all(
        [...at.stores, ...at.stores].map(({ organizations }, i) =>
          organizations.create({ slug: "acme", name: `Racer ${i}`, timeZone: "UTC" }, at.change()),
        ),
      )
      expect(winners(made, (one) => one !== null)).toBe(1)
      expect(await at.there.organizations.list()).toEqual(made.filter((one) => one !== null))
    })

    test("a logo is kept as it is, replaced and removed, and goes with its organization", async () => {
      await using at = await given(engine)
      const acme = await givenOrganization(at, "acme")
      const [first, second] = [
        { mediaType: "image/png", base64: "iVBORw0KGgo=" } as const,
        { mediaType: "image/webp", base64: "UklGRg==".repeat(40_000) } as const,
      ]
      expect(await at.here.organizations.logo(acme.id)).toBeNull()
      expect(await at.here.organizations.setLogo(acme, null, at.change())).toBe(false)
      expect(await at.here.organizations.setLogo(acme, first, at.change())).toBe(true)
      expect(await at.there.organizations.logo(acme.id)).toEqual(first)
      await Promise.all(at.stores.map(({ organizations }) => organizations.setLogo(acme, second, at.change())))
      expect(await at.here.organizations.logo(acme.id)).toEqual(second)
      expect(await at.here.organizations.remove("acme", at.change())).toBe("done")
      expect(await at.there.organizations.logo(acme.id)).toBeNull()
    })

    test("all are listed by slug", async () => {
      await using at = await given(engine)
      for (const slug of ["b", "a-b", "c", "a"]) await givenOrganization(at, slug)
      expect((await at.there.organizations.list()).map(({ slug }) => slug)).toEqual(["a", "a-b", "b", "c"])
    })

    test("name and time zone can be edited, and the slug stays; there is nothing to edit under an unknown slug", async () => {
      await using at = await given(engine)
      const { id } = await givenOrganization(at, "acme")
      const { organizations } = at.store
      const edited = { id, slug: "acme", name: "Acme Audio", timeZone: "Europe/Berlin" }
      const fields = { name: "Acme Audio", timeZone: "Europe/Berlin" }
      expect(await organizations.edit("acme", fields, at.change())).toEqual(edited)
      expect(await at.there.organizations.findBySlug("acme")).toEqual(edited)
      expect(await organizations.edit("nobody", fields, at.change())).toBeNull()
    })

    test("of three who edit what they saw at the same time, exactly one succeeds", async () => {
      await using at = await given(engine)
      const seen = seenOf(organizationFields(await givenOrganization(at, "acme")))
      const outcomes = await Promise.all(
        [at.here, at.there, at.here].map(({ organizations }, i) =>
          organizations.edit("acme", { name: `Racer ${i}`, timeZone: "UTC" }, at.change(seen)),
        ),
      )
      expect(winners(outcomes, (one) => one === "changed")).toBe(2)
      const [won] = outcomes.filter((one) => one !== "changed")
      expect(await at.there.organizations.findBySlug("acme")).toEqual(need(won))
    })

    test("whoever bought a campaign and has neither lines nor an active key only buys, and only who has them sells", async () => {
      await using at = await givenMarket(engine)
      const { organizations } = at.there
      const sellers = async () => (await organizations.sellers(9)).map(({ slug }) => slug)
      const buyers = async () => (await organizations.buyersWithPeople(9)).map(({ slug }) => slug)
      const onlyBuys = async () => {
        const all = await Promise.all([at.acme, at.brand, at.other].map(({ id }) => organizations.traits(id)))
        return all.map((standing) => standing.onlyBuys)
      }
      expect([await onlyBuys(), await sellers()]).toEqual([[false, true, false], ["acme"]])
      const key = newKey("Feed")
      await at.store.ingestKeys.create(key, at.brand.id, at.change())
      expect([await onlyBuys(), await sellers()]).toEqual([
        [false, false, false],
        ["acme", "brand"],
      ])
      await at.store.ingestKeys.revoke(key.id, null, at.change())
      expect([await onlyBuys(), await sellers()]).toEqual([[false, true, false], ["acme"]])
      expect(await organizations.sellers(1)).toEqual([at.acme])
      const invited = await givenMember(at, "b@example.com", at.brand, "member")
      expect(await buyers()).toEqual([])
      await at.store.users.setPassword(invited.id, "a hash", { ...at.change(), keepTokenHash: null })
      expect(await buyers()).toEqual(["brand"])
    })

    test("while nobody sells, whoever does not buy might", async () => {
      await using at = await given(engine)
      const first = await givenOrganization(at, "first")
      expect(await at.there.organizations.sellers(9)).toEqual([first])
    })

    test("whether there are affiliate codes is told to whoever sells their lines, and to whoever buys them", async () => {
      await using at = await givenMarket(engine)
      const hasCodes = async () => {
        const all = [at.acme, at.brand, at.other].map(({ id }) => at.there.organizations.traits(id))
        return (await Promise.all(all)).map((standing) => standing.hasCodes)
      }
      expect(await hasCodes()).toEqual([false, false, false])
      const { revision } = await at.here.affiliates.codesSold(at.acme.id, [])
      const code = { code: "A", lineId: at.line.lineId, slug: undefined }
      await at.here.affiliates.saveCodes(at.acme.id, [code], at.clock(), revision)
      expect(await hasCodes()).toEqual([true, true, false])
    })

    test("the overview counts what belongs to each: people, active keys, lines sold, campaigns bought", async () => {
      await using at = await givenMarket(engine)
      await givenMember(at, "a@example.com", at.acme, "admin")
      const keys = [newKey("One"), newKey("Two")]
      for (const key of keys) await at.store.ingestKeys.create(key, at.acme.id, at.change())
      await at.store.ingestKeys.revoke(need(keys[0]).id, null, at.change())
      const nothing = { members: 0, activeKeys: 0, linesSold: 0, campaignsBought: 0 }
      const all = [at.other, at.brand, at.acme].map(({ id }) => id)
      expect(await at.there.organizations.overview(all)).toEqual([
        { ...at.acme, ...nothing, members: 1, activeKeys: 1, linesSold: 1 },
        { ...at.brand, ...nothing, campaignsBought: 1 },
        { ...at.other, ...nothing },
      ])
      expect(await at.there.organizations.overview([at.other.id, 9_999])).toEqual([{ ...at.other, ...nothing }])
      expect(await at.there.organizations.overview([])).toEqual([])
    })
  })
})
