import { describe, expect, test } from "bun:test"
import type { AuditFilter, ListedAuditEntry, PageRequest } from "../../../src/storage/port/store.ts"
import { audit as auditStep } from "../../../src/storage/steps/audit.ts"
import { CHANGES, givenWorld, later, NEWEST } from "./changes.ts"
import { storageContract } from "./contract.ts"
import { given, givenMarket, givenUser, need } from "./given.ts"
import { givenLink } from "./given-sign-in.ts"
import type { Store } from "./whole-store.ts"

/** All entries that fit, newest first, page by page, whatever ids they have. */
async function entries(store: Store, filter: AuditFilter = {}, limit = 50): Promise<ListedAuditEntry[]> {
  const found: ListedAuditEntry[] = []
  for (let before: PageRequest["before"] = null; ; ) {
    const page = await store.audit.list(filter, { before, limit })
    found.push(...page.entries)
    before = page.before
    if (before === null) return found
  }
}

storageContract("audit", (engine) => {
  describe("every change leaves its entry in the same step, and what was refused leaves none", () => {
    test.each(Object.entries(CHANGES))("%s", async (_, { make, leaves, actor, refused }) => {
      await using world = await givenWorld(engine)
      const by = later(world)
      const before = await entries(world.there)
      await refused?.(world, by)
      expect(await entries(world.there)).toEqual(before)
      await make(world, by)
      const after = await entries(world.there)
      const left = after.slice(0, after.length - before.length).toReversed()
      expect(left.map(({ action }) => action)).toEqual([...leaves])
      const named = actor?.(world)
      const newest = Math.max(...(await world.there.users.list()).map(({ id }) => id))
      const expected = named === undefined ? by.actor : `user:${named === NEWEST ? newest : named}`
      // Whoever notes it: the time of an order ends it.
      for (const { action, actor, at } of left)
        expect([actor, at]).toEqual([action === "end order" ? "time" : expected, by.at])
      expect(after.slice(left.length)).toEqual(before)
    })

    test("also the claim of the set-up link", async () => {
      await using at = await given(engine)
      const link = await givenLink(at, "setup", null)
      const operator = { email: "o@example.com", name: "O", passwordHash: "x" }
      await at.here.linkClaims.claimSetup("never", operator, { actor: "setup", at: 7 })
      expect(await entries(at.there, { actor: "setup" })).toEqual([])
      await at.here.linkClaims.claimSetup(link, operator, { actor: "setup", at: 7 })
      expect(await entries(at.there, { actor: "setup" })).toMatchObject([
        { action: "create operator", subject: "o@example.com", at: 7, email: null },
      ])
    })

    test("of racers for one thing, only the one that got it leaves an entry", async () => {
      await using at = await given(engine)
      await Promise.all(
        [...at.stores, ...at.stores].map(({ organizations }) =>
          organizations.create({ slug: "acme", name: "A", timeZone: "UTC" }, at.change()),
        ),
      )
      expect(await entries(at.there)).toHaveLength(1)
    })
  })

  describe("the audit trail", () => {
    test("is read newest first, by pages and by filters", async () => {
      await using at = await given(engine)
      for (const [place, slug] of ["a", "b", "c"].entries()) {
        const actor = slug === "b" ? "user:2" : "command"
        const { organizations } = need(at.stores[place % 2])
        await organizations.create({ slug, name: `100% ${slug}`, timeZone: "UTC" }, { actor, at: place })
      }
      const subjects = async (filter: AuditFilter) => (await entries(at.there, filter, 2)).map((one) => one.subject)
      expect(await subjects({})).toEqual(["c", "b", "a"])
      expect(await subjects({ actor: "user:2" })).toEqual(["b"])
      expect(await subjects({ action: "create organization" })).toEqual(["c", "b", "a"])
      expect(await subjects({ action: "edit organization" })).toEqual([])
      expect(await subjects({ from: 1 })).toEqual(["c", "b"])
      expect(await subjects({ until: 1 })).toEqual(["a"])
      expect(await subjects({ from: 1, until: 2 })).toEqual(["b"])
      expect(await subjects({ text: "100% a" })).toEqual(["a"])
      expect(await subjects({ text: "100_ a" })).toEqual([])
      const { id } = need(await at.there.organizations.findBySlug("b"))
      expect(await subjects({ organizationId: id })).toEqual(["b"])
      const { entries: page } = await at.there.audit.list({}, { before: null, limit: 2 })
      expect(page).toHaveLength(2)
    })

    test("names the person and the organization, as long as they are there", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenUser(at, "a@example.com")
      const by = { actor: `user:${id}`, at: 5 }
      await at.here.organizations.edit("acme", { name: "New", timeZone: "UTC" }, by)
      const [entry] = await entries(at.there, { actor: by.actor })
      expect(entry).toEqual({
        id: need(entry).id,
        ...by,
        action: "edit organization",
        subject: "acme",
        email: "a@example.com",
        organization: "acme",
        organizationId: at.acme.id,
        details: { name: "New", timeZone: "UTC" },
      })
      await at.here.users.remove(id, at.change())
      expect(await entries(at.there, { actor: by.actor })).toMatchObject([{ email: null, organization: "acme" }])
    })

    test("is looked through to its end, however rare what is looked for is", async () => {
      await using at = await given(engine)
      const { audit } = at.here
      await audit.note("rare_thing", "needle_1", at.change())
      await at.here.transact(function* (tx) {
        for (let i = 0; i < 500; i++)
          yield* auditStep(tx, at.change(), { action: "common_thing", subject: `straw ${i}` })
      })
      const found = async (filter: AuditFilter) => (await entries(at.there, filter)).map(({ subject }) => subject)
      expect(await found({ text: "needle_" })).toEqual(["needle_1"])
      expect(await found({ text: "needleX" })).toEqual([])
      expect(await found({ action: "common_thing" })).toHaveLength(500)
    })

    test("a search by time finds entries that were written in another order than they were dated", async () => {
      await using at = await given(engine)
      await at.here.audit.note("a", "second", { actor: "command", at: 11 })
      await at.there.audit.note("a", "first", { actor: "command", at: 10 })
      const found = async (filter: AuditFilter) => (await entries(at.there, filter)).map(({ subject }) => subject)
      expect((await found({ from: 10 })).sort()).toEqual(["first", "second"])
      expect((await found({ until: 12 })).sort()).toEqual(["first", "second"])
      expect(await found({ from: 11 })).toEqual(["second"])
    })
  })
})
