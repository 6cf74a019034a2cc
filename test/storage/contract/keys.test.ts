import { describe, expect, test } from "bun:test"
import { seenOf } from "../../../src/domain/edit-conflict.ts"
import { storageContract } from "./contract.ts"
import { findKey, given, givenMarket, need, newKey, newLine, SECOND, saveProduct, winners } from "./given.ts"

storageContract("keys", (engine) => {
  describe("ingest keys", () => {
    test("are found by fingerprint while they are active; a revoked one is not found by any process", async () => {
      await using at = await givenMarket(engine)
      const key = newKey("Nightly")
      const find = () => Promise.all(at.stores.map((store) => findKey(store, "ingest", key.fingerprint)))
      expect(await find()).toEqual([null, null])
      await at.here.ingestKeys.create(key, at.acme.id, at.change())
      const found = { id: key.id, organizationId: at.acme.id }
      expect(await find()).toEqual([found, found])
      expect(await findKey(at.there, "ingest", key.prefix)).toBeNull()
      const done = { outcome: "done", id: key.id, label: "Nightly" } as const
      expect(await at.there.ingestKeys.revoke(key.id, null, at.change())).toEqual(done)
      expect(await find()).toEqual([null, null])
    })

    test("are revoked by id or prefix, once, and with an owner only by that one", async () => {
      await using at = await givenMarket(engine)
      const [first, second] = [newKey("One"), newKey("Two")]
      for (const key of [first, second]) await at.here.ingestKeys.create(key, at.acme.id, at.change())
      const revoke = (name: string, owner: number | null) => at.here.ingestKeys.revoke(name, owner, at.change())
      expect(await revoke(first.id, at.other.id)).toEqual({ outcome: "not found" })
      expect(await revoke("unknown", null)).toEqual({ outcome: "not found" })
      expect(await findKey(at.there, "ingest", first.fingerprint)).not.toBeNull()
      expect(await revoke(first.prefix, at.acme.id)).toMatchObject({ outcome: "done", id: first.id })
      expect(await revoke(first.id, at.acme.id)).toEqual({ outcome: "not found" })
      const outcomes = await Promise.all(
        at.stores.map((store) => store.ingestKeys.revoke(second.id, null, at.change())),
      )
      expect(winners(outcomes, ({ outcome }) => outcome === "done")).toBe(1)
    })

    test("are listed newest first, with their use and revocation, for one organization or for all", async () => {
      await using at = await givenMarket(engine)
      const keys = [newKey("One", 1), newKey("Two", 2), newKey("Three", 3)]
      const owners = [at.acme, at.other, at.acme]
      for (const [i, key] of keys.entries()) await at.here.ingestKeys.create(key, need(owners[i]).id, at.change())
      const listed = async (id: number | null) => (await at.there.ingestKeys.list(id)).map(({ label }) => label)
      expect(await listed(null)).toEqual(["Three", "Two", "One"])
      expect(await listed(at.acme.id)).toEqual(["Three", "One"])
      expect(await listed(at.brand.id)).toEqual([])
      const { fingerprint: _, ...shown } = need(keys[1])
      const [only] = await at.there.ingestKeys.list(at.other.id)
      expect(only).toEqual({ ...shown, organization: "other", lastUsedAt: null, revokedAt: null })
    })
  })

  describe("agent keys", () => {
    test("a label belongs to one active key, also when two are made at once, and is free again after revocation", async () => {
      await using at = await given(engine)
      const keys = [newKey("Buyer"), newKey("Buyer"), newKey("Buyer"), newKey("Buyer")]
      const made = await Promise.all(keys.map((key, i) => need(at.stores[i % 2]).agentKeys.create(key, at.change())))
      expect(winners(made, Boolean)).toBe(1)
      const winner = need(keys[made.indexOf(true)])
      const found = await Promise.all(keys.map(({ fingerprint }) => findKey(at.there, "agent", fingerprint)))
      expect(found.filter((one) => one !== null)).toEqual([{ id: winner.id }])
      expect(await at.here.agentKeys.revoke(winner.prefix, at.change())).toMatchObject({ outcome: "done" })
      expect(await findKey(at.there, "agent", winner.fingerprint)).toBeNull()
      expect(await at.here.agentKeys.revoke(winner.id, at.change())).toEqual({ outcome: "not found" })
      expect(await at.here.agentKeys.create(newKey("Buyer"), at.change())).toBe(true)
    })

    test("a product is opened and closed, and the key of another process sees it at its next request", async () => {
      await using at = await given(engine)
      const key = newKey("Buyer")
      await at.here.agentKeys.create(key, at.change())
      await saveProduct(at, "p")
      const { agentKeys } = at.here
      const opening = { productId: "p", territories: ["DE"] }
      expect(await agentKeys.open("unknown", opening, at.change())).toEqual({ outcome: "not found" })
      expect(await agentKeys.open(key.id, { ...opening, productId: "x" }, at.change())).toEqual({
        outcome: "no product",
      })
      const before = await at.there.catalogue.revision()
      expect(await agentKeys.open(key.id, opening, at.change())).toMatchObject({ outcome: "done", id: key.id })
      expect(await at.there.catalogue.revision()).toBeGreaterThan(before)
      expect(await at.there.catalogue.openings(key.id)).toEqual([opening])
      const everywhere = { productId: "p", territories: ["*"] }
      expect(await agentKeys.open(key.prefix, everywhere, at.change())).toMatchObject({ outcome: "done" })
      expect(await at.there.catalogue.openings(key.id)).toEqual([everywhere])
      expect(await at.there.agentKeys.list()).toMatchObject([{ label: "Buyer", openings: [everywhere] }])
      expect(await agentKeys.close(key.id, "x", at.change())).toEqual({ outcome: "not open" })
      expect(await agentKeys.close("unknown", "p", at.change())).toEqual({ outcome: "not found" })
      const opened = await at.there.catalogue.revision()
      expect(await agentKeys.close(key.id, "p", at.change())).toMatchObject({ outcome: "done" })
      expect(await at.there.catalogue.revision()).toBeGreaterThan(opened)
      expect(await at.there.catalogue.openings(key.id)).toEqual([])
      const outcomes = await Promise.all(at.stores.map((store) => store.agentKeys.close(key.id, "p", at.change())))
      expect(outcomes).toEqual([{ outcome: "not open" }, { outcome: "not open" }])
    })

    test("a key reads what its buyer bought, and nothing else, until it acts for somebody else or is revoked", async () => {
      await using at = await givenMarket(engine)
      const key = newKey("Buyer")
      await at.here.agentKeys.create(key, at.change())
      const made = []
      for (const buyer of ["brand", "other"]) {
        const wish = { name: `Of ${buyer}`, buyer: { slug: buyer } }
        made.push(String(await at.here.campaigns.create(at.acme.id, wish, newLine(), at.change())))
      }
      const [mine = "", theirs = ""] = made
      const bought = async (slugs: readonly string[] | null) => {
        const found = await at.there.campaigns.boughtThrough(key.id, slugs)
        return found && [found.buyer.slug, ...found.campaigns.map(({ slug }) => slug)]
      }
      const act = (buyer: typeof at.brand | null) => at.here.agentKeys.setBuyer(key.prefix, buyer, at.change())
      expect(await bought(null)).toBeNull()
      expect(await act(at.brand)).toMatchObject({ outcome: "done", id: key.id })
      expect(await bought(null)).toEqual(["brand", mine, at.line.campaign])
      expect(await bought([theirs, mine, "unknown", "a\0b", mine.toUpperCase()])).toEqual(["brand", mine])
      expect(await at.there.agentKeys.list()).toMatchObject([{ buyer: "brand" }])
      await at.here.campaigns.archive(at.acme.id, mine, true, at.change())
      expect(await bought(null)).toEqual(["brand", at.line.campaign])
      expect(await bought([mine])).toEqual(["brand", mine])
      await act(at.other)
      expect(await bought([theirs, mine])).toEqual(["other", theirs])
      expect(await at.here.organizations.remove(at.other.slug, at.change())).toBe("in use")
      await act(null)
      expect(await bought(null)).toBeNull()
      await act(at.brand)
      await at.here.agentKeys.revoke(key.id, at.change())
      expect(await bought(null)).toBeNull()
      expect(await act(at.brand)).toEqual({ outcome: "not found" })
    })

    test("a revoked key is opened nothing", async () => {
      await using at = await given(engine)
      const key = newKey("Buyer")
      await at.here.agentKeys.create(key, at.change())
      await saveProduct(at, "p")
      await at.there.agentKeys.revoke(key.id, at.change())
      const opening = { productId: "p", territories: ["DE"] }
      expect(await at.here.agentKeys.open(key.id, opening, at.change())).toEqual({ outcome: "not found" })
      expect(await at.here.agentKeys.close(key.id, "p", at.change())).toEqual({ outcome: "not found" })
    })

    test("an opening is changed or closed, unless it has changed since it was seen: of two, exactly one wins", async () => {
      await using at = await given(engine)
      const key = newKey("One")
      await at.here.agentKeys.create(key, at.change())
      await saveProduct(at, "p")
      const seenAs = (...territories: string[]) => ({ ...at.change(), seen: seenOf({ territories }) })
      const to = (...territories: string[]) => ({ productId: "p", territories })
      const outcomes = await Promise.all(
        at.stores.map(({ agentKeys }) => agentKeys.changeOpening(key.id, to("FR"), seenAs())),
      )
      expect(winners(outcomes, ({ outcome }) => outcome === "done")).toBe(1)
      expect(await at.there.catalogue.openings(key.id)).toEqual([to("FR")])
      expect(await at.here.agentKeys.changeOpening(key.id, to(), seenAs())).toEqual({ outcome: "changed" })
      expect(await at.here.agentKeys.changeOpening(key.id, to(), seenAs("FR"))).toMatchObject({ outcome: "done" })
      expect(await at.there.catalogue.openings(key.id)).toEqual([])
      const now = await at.here.catalogue.revision()
      expect(await at.here.agentKeys.changeOpening(key.id, to(), seenAs())).toEqual({ outcome: "not open" })
      expect(await at.here.catalogue.revision()).toBe(now)
    })

    test("are listed newest first", async () => {
      await using at = await given(engine)
      for (const key of [newKey("Old", 1), newKey("New", 2)]) await at.here.agentKeys.create(key, at.change())
      expect((await at.there.agentKeys.list()).map(({ label }) => label)).toEqual(["New", "Old"])
    })
  })

  test.each(["ingestKeys", "agentKeys"] as const)(
    "when a key of %s was last used is known after the next flush, and never goes back",
    async (kind) => {
      await using at = await givenMarket(engine)
      const key = newKey("Key")
      await (kind === "ingestKeys"
        ? at.here.ingestKeys.create(key, at.acme.id, at.change())
        : at.here.agentKeys.create(key, at.change()))
      const lastUsed = async () => {
        const keys = kind === "ingestKeys" ? await at.there.ingestKeys.list(null) : await at.there.agentKeys.list()
        return keys.map(({ lastUsedAt }) => lastUsedAt)
      }
      const minute = 60 * SECOND
      at.here[kind].noteUse("unknown", 5 * minute)
      at.here[kind].noteUse(key.id, 5 * minute)
      await at.here.flushWriteBuffer()
      expect(await lastUsed()).toEqual([5 * minute])
      at.there[kind].noteUse(key.id, 3 * minute)
      await at.there.flushWriteBuffer()
      expect(await lastUsed()).toEqual([5 * minute])
      at.there[kind].noteUse(key.id, 9 * minute)
      await at.there.flushWriteBuffer()
      expect(await lastUsed()).toEqual([9 * minute])
    },
  )
})
