import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { storageContract } from "./contract.ts"
import {
  givenLine,
  givenLineIn,
  givenMarket,
  givenMember,
  givenOrganization,
  givenUser,
  need,
  newLine,
} from "./given.ts"
import { givenSession, newToken } from "./given-sign-in.ts"

// Where databases differ by nature: the order of texts, upper and lower case, characters that one of them cannot hold, ties, and the
// largest numbers. Every engine gives the same answers.

/** In the order of their bytes in UTF-8, which is neither that of a language nor that of UTF-16. */
const BYTEWISE = ["0", "A", "A ", "B", "Z", "_", "a", "a-", "a\\", "b", "Ä", "ß", "ä", "Ω", "例", "～", "😀"]
const NUL = "a\0b"

/** The same texts in another order, so that the order of writing is not that of reading. */
const shuffled = BYTEWISE.toSorted((a, b) => (Bun.hash(a) < Bun.hash(b) ? -1 : 1))

storageContract("texts-and-numbers", (engine) => {
  describe("texts", () => {
    test("are in the order of their bytes, and equal only when they are the same", async () => {
      await using at = await givenMarket(engine)
      const { acme, brand } = at
      for (const name of shuffled) {
        await givenUser(at, `${name}@example.com`, { name, membership: { organizationId: acme.id, role: "member" } })
        const invited = { email: `${name}@example.org`, name, role: "member" } as const
        await at.here.invitations.issue(acme.id, { ...invited, ...newToken(at) }, at.change())
        await givenLineIn(at, at.line.campaign, acme, { name })
      }
      const addresses = BYTEWISE.map((name) => `${name}@example.com`).toSorted(byBytes)
      expect((await at.there.users.list()).map(({ email }) => email)).toEqual(addresses)
      expect((await at.there.members.list(acme.id)).map(({ name }) => name)).toEqual(BYTEWISE)
      expect((await at.there.invitations.list(acme.id)).map(({ email }) => email)).toEqual(
        BYTEWISE.map((name) => `${name}@example.org`).toSorted(byBytes),
      )
      const head = need(await at.there.campaigns.find(brand.id, at.line.campaign))
      const names = [...BYTEWISE, "A line"].toSorted(byBytes)
      const all = await at.there.campaigns.lines(brand.id, head, {})
      expect(all.map(({ name }) => name)).toEqual(names)
      expect((await at.there.packageLines.listWithTotals(null)).map(({ name }) => name)).toEqual(names)
      for (const name of BYTEWISE)
        expect(await at.there.users.findByEmail(`${name}@example.com`)).toMatchObject({ name })
      expect(await at.there.users.findByEmail("A@EXAMPLE.COM")).toBeNull()
    })

    test("with a NUL character are found nowhere", async () => {
      await using at = await givenMarket(engine)
      const { acme, line } = at
      expect(await at.here.organizations.findBySlug(NUL)).toBeNull()
      expect(await at.here.users.findByEmail(NUL)).toBeNull()
      expect(await at.here.credentials.findByEmail(NUL)).toBeNull()
      expect(await at.here.campaigns.find(acme.id, NUL)).toBeNull()
      expect(await at.here.campaigns.find(acme.id, line.campaign, { packageId: NUL })).toMatchObject({ lines: [] })
      const sold = await at.here.packageLines.findSold(acme.id, [NUL, line.packageId])
      expect(sold.map((one) => one?.lineId)).toEqual([undefined, line.lineId])
      const { packageId: _, ...fields } = newLine()
      const wish = { name: "A", buyer: { slug: NUL } }
      expect(await at.here.campaigns.create(acme.id, wish, newLine(), at.change())).toBeNull()
      expect(await at.here.campaigns.edit(acme.id, line.campaign, wish, at.change())).toBe("not found")
      expect(await at.here.campaigns.edit(acme.id, NUL, wish, at.change())).toBe("not found")
      expect(await at.here.campaigns.addLine(acme.id, NUL, newLine(), at.change())).toBe(false)
      expect(await at.here.campaigns.editLine(acme.id, NUL, fields, at.change())).toBe("not found")
      for (const filter of [{ actor: NUL }, { action: NUL }, { text: NUL }])
        expect(await at.here.audit.list(filter, { before: null, limit: 10 })).toEqual({ entries: [], before: null })
    })

    test("are kept as they are, whatever is in them", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenUser(at, "a@example.com")
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (typed) => {
          const name = typed.replaceAll("\0", "")
          const edited = { name, isOperator: false, memberships: [] }
          expect(await at.here.users.edit(id, edited, at.change())).toBe("done")
          expect(await at.there.users.findById(id)).toMatchObject({ name })
        }),
        { numRuns: 30 },
      )
    })

    test("slugs are told apart from those that only look like a pattern of them", async () => {
      await using at = await givenMarket(engine)
      const made: string[] = []
      for (const campaign of ["Sale 100%", "sale_100", "SALE 100", "sale 1000", "%", "_"])
        made.push((await givenLine(at, at.acme, at.brand, { campaign })).campaign)
      expect(made).toEqual(["sale-100", "sale-100-2", "sale-100-3", "sale-1000", "unnamed", "unnamed-2"])
    })
  })

  describe("ties", () => {
    test("organizations of the same name are in the order of their slugs", async () => {
      await using at = await givenMarket(engine)
      const { acme, change } = at
      const { id } = await givenUser(at, "a@example.com")
      const slugs = ["d", "b", "e", "a", "c"]
      const same = []
      for (const slug of slugs)
        same.push(need(await at.here.organizations.create({ slug, name: "Same", timeZone: "UTC" }, change())))
      for (const buyer of same) await givenLine(at, acme, buyer)
      const memberships = same.map(({ id: organizationId }) => ({ organizationId, role: "member" as const }))
      await at.here.users.edit(id, { name: "A", isOperator: false, memberships }, change())
      const session = need(await at.there.sessions.find(await givenSession(at, id), at.clock()))
      expect(session.organizations.map(({ slug }) => slug)).toEqual(slugs.toSorted())
      const bought = await at.there.campaigns.buyers(acme.id)
      expect(bought.map(({ slug }) => slug)).toEqual([...slugs.toSorted(), "brand"])
      const all = await at.there.campaigns.buyers(null)
      expect(all.map(({ slug }) => slug)).toEqual([...slugs.toSorted(), "acme", "brand", "other"])
    })

    test("people of the same name are in the order of their addresses", async () => {
      await using at = await givenMarket(engine)
      const addresses = ["c@example.com", "a@example.com", "b@example.com"]
      const membership = { organizationId: at.acme.id, role: "member" as const }
      for (const email of addresses) await givenUser(at, email, { name: "Same", membership })
      const listed = await at.there.members.list(at.acme.id)
      expect(listed.map(({ email }) => email)).toEqual(addresses.toSorted())
    })

    test("of share links made in the same moment, the last one comes first", async () => {
      await using at = await givenMarket(engine)
      const { id: campaignId } = need(await at.here.campaigns.find(at.acme.id, at.line.campaign))
      const labels = Array.from({ length: 103 }, (_, i) => `Guest ${i}`)
      for (const label of labels) {
        const link = { ...newToken(at), campaignId, organizationId: at.acme.id, label }
        await at.here.shareLinks.create(link, at.change())
      }
      const listed = await at.there.shareLinks.list(at.acme.id, campaignId)
      expect(listed.map(({ label }) => label)).toEqual(labels.toReversed())
    })
  })

  describe("numbers", () => {
    test("of a line are kept exactly, from the smallest to the largest", async () => {
      await using at = await givenMarket(engine)
      for (const booked of [0, 0.1, 1 / 3, 5e-324, 2 ** 53 - 1, 2 ** 53, 1e21, Number.MAX_VALUE, null]) {
        const { packageId } = await givenLineIn(at, at.line.campaign, at.acme, { booked, rate: booked })
        const { lines } = need(await at.there.campaigns.find(at.acme.id, at.line.campaign, { packageId }))
        expect(lines).toMatchObject([{ booked, rate: booked }])
        expect(await at.there.packageLines.findSold(at.acme.id, [packageId])).toMatchObject([{ booked }])
      }
    })

    test("moments and time steps up to 2^53 are compared exactly", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenUser(at, "a@example.com")
      const last = Number.MAX_SAFE_INTEGER
      const session = { tokenHash: "t", userId: id, createdAt: at.clock(), expiresAt: last }
      expect(await at.here.sessions.open(session, { previousHash: null })).toBe(true)
      expect(await at.there.sessions.find("t", last - 1)).toMatchObject({ userId: id, organizations: [] })
      expect(await at.there.sessions.find("t", last)).toBeNull()
      expect(await at.here.twoFactor.useTimeStep(id, last - 1)).toBe(true)
      expect(await at.there.twoFactor.useTimeStep(id, last)).toBe(true)
      expect(await at.here.twoFactor.useTimeStep(id, last)).toBe(false)
    })

    test("that nobody has as an id find nothing", async () => {
      await using at = await givenMarket(engine)
      for (const id of [0, -1, 999_999_999_999_999, Number.MAX_SAFE_INTEGER]) {
        expect(await at.here.users.findById(id)).toBeNull()
        expect(await at.here.credentials.findByUserId(id)).toBeNull()
        expect(await at.here.members.find(at.acme.id, id)).toBeNull()
        expect(await at.here.members.access(id)).toEqual({ organizations: 0, isOperator: false })
        expect(await at.here.campaigns.list(id)).toEqual([])
        expect(await at.here.campaigns.hasFigures(id)).toBe(false)
        expect(await at.here.invitations.withdraw(at.acme.id, id, at.change())).toBe(false)
        expect(await at.here.users.remove(id, at.change())).toBe("not found")
      }
    })

    test("of a page may lie behind the last, or ask for nothing", async () => {
      await using at = await givenMarket(engine)
      for (const page of [
        { offset: 999_999, limit: 10 },
        { offset: 0, limit: 0 },
      ]) {
        expect(await at.here.campaigns.find(at.acme.id, at.line.campaign, page)).toMatchObject({ lines: [] })
      }
      expect(await at.here.packageLines.findSold(at.acme.id, [])).toEqual([])
    })
  })

  describe("a change that cannot be made as a whole", () => {
    const nowhere = { organizationId: 999_999, role: "member" as const }

    test("makes nothing of it: an account in an organization that is not there", async () => {
      await using at = await givenMarket(engine)
      const added = { email: "a@example.com", name: "A", isOperator: false, passwordHash: null, membership: nowhere }
      await expect(at.here.users.create(added, at.change())).rejects.toThrow()
      expect(await at.here.users.findByEmail(added.email)).toBeNull()
      const member = await givenMember(at, "b@example.com", at.acme, "member")
      const edited = { name: "New", isOperator: true, memberships: [nowhere] }
      await expect(at.here.users.edit(member.id, edited, at.change())).rejects.toThrow()
      expect(await at.there.users.findById(member.id)).toEqual(member)
    })

    test("makes nothing of it: a line with the id of another one, and a buyer that was to be new", async () => {
      await using at = await givenMarket(engine)
      const before = await at.here.organizations.list()
      const taken = newLine({ packageId: at.line.packageId })
      const wish = { name: "New", buyer: { newName: "New Co" } }
      await expect(at.here.campaigns.create(at.acme.id, wish, taken, at.change())).rejects.toThrow()
      await expect(at.here.campaigns.addLine(at.acme.id, at.line.campaign, taken, at.change())).rejects.toThrow()
      expect(await at.there.organizations.list()).toEqual(before)
      expect(await at.there.campaigns.list(at.acme.id)).toHaveLength(1)
      // The store goes on as if nothing had happened.
      await givenOrganization(at, "new-co")
    })
  })
})

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
