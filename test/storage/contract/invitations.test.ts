import { describe, expect, test } from "bun:test"
import type { Organization } from "../../../src/domain/people/organization.ts"
import type { NewMember } from "../../../src/storage/port/store.ts"
import { storageContract } from "./contract.ts"
import { type Given, givenMarket, givenMember, givenUser, HOUR, need, winners } from "./given.ts"
import { findLink, givenLink, newToken } from "./given-sign-in.ts"

const PERSON = { email: "m@example.com", name: "M", role: "member" } as const

async function invite(at: Given, { id }: Organization, person: NewMember = PERSON): Promise<string> {
  const token = newToken(at)
  expect(await at.here.invitations.issue(id, { ...person, ...token }, at.change())).toBe(true)
  return token.tokenHash
}

storageContract("invitations", (engine) => {
  describe("invitations", () => {
    test("stand in the place of an earlier one to the same address, and are listed by address, for their own organization", async () => {
      await using at = await givenMarket(engine)
      const { invitations } = at.there
      const first = await invite(at, at.acme)
      const second = await invite(at, at.acme)
      await invite(at, at.acme, { ...PERSON, email: "a@example.com" })
      await invite(at, at.other)
      expect(await invitations.find(first, at.clock())).toBeNull()
      const { id, slug, name } = at.acme
      expect(await invitations.find(second, at.clock())).toEqual({
        ...PERSON,
        organization: { id, slug, name },
        addsAccount: false,
      })
      expect(await invitations.find(second, at.clock() + HOUR)).toBeNull()
      const listed = await invitations.list(at.acme.id)
      expect(listed.map(({ email }) => email)).toEqual(["a@example.com", "m@example.com"])
      const times = { createdAt: at.clock(), expiresAt: at.clock() + HOUR }
      expect(listed[1]).toEqual({ id: need(listed[1]).id, ...PERSON, ...times })
      expect(await invitations.list(at.other.id)).toHaveLength(1)
    })

    test("are not made for somebody who belongs already", async () => {
      await using at = await givenMarket(engine)
      await givenMember(at, PERSON.email, at.acme, "member")
      expect(await at.here.invitations.issue(at.acme.id, { ...PERSON, ...newToken(at) }, at.change())).toBe(false)
      expect(await at.here.invitations.list(at.acme.id)).toEqual([])
      expect(await at.here.invitations.issue(at.other.id, { ...PERSON, ...newToken(at) }, at.change())).toBe(true)
    })

    test("are withdrawn once, by their own organization only, and are void for every process", async () => {
      await using at = await givenMarket(engine)
      const token = await invite(at, at.acme)
      const { id } = need((await at.here.invitations.list(at.acme.id))[0])
      expect(await at.here.invitations.withdraw(at.other.id, id, at.change())).toBe(false)
      expect(await at.there.invitations.find(token, at.clock())).not.toBeNull()
      expect(await at.here.invitations.withdraw(at.acme.id, id, at.change())).toBe(true)
      expect(await at.there.invitations.find(token, at.clock())).toBeNull()
      expect(await at.there.invitations.withdraw(at.acme.id, id, at.change())).toBe(false)
    })

    const ACCOUNT = { name: "Chosen", passwordHash: "hash" }

    test("make an account for whoever has none, while they work", async () => {
      await using at = await givenMarket(engine)
      const token = await invite(at, at.acme)
      const late = { actor: "command", at: at.clock() + HOUR }
      expect(await at.here.invitations.accept("never", ACCOUNT, at.change())).toEqual({ outcome: "not found" })
      expect(await at.here.invitations.accept(token, ACCOUNT, late)).toEqual({ outcome: "not found" })
      const joined = await at.here.invitations.accept(token, ACCOUNT, at.change())
      const made = need(await at.there.users.findByEmail(PERSON.email))
      expect(joined).toEqual({ outcome: "joined", userId: made.id, hasTotp: false })
      const memberships = [{ organization: "acme", role: "member" }]
      expect(made).toMatchObject({ name: "Chosen", isOperator: false, hasPassword: true, memberships })
      expect(await at.here.invitations.accept(token, ACCOUNT, at.change())).toEqual({ outcome: "not found" })
    })

    test("add an account that is there only if the operator invited it, and then with a new password", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenUser(at, PERSON.email)
      const link = await givenLink(at, "password", id)
      const { invitations } = at.here
      const byAdmin = await invite(at, at.acme)
      expect(await invitations.find(byAdmin, at.clock())).toMatchObject({ addsAccount: false })
      expect(await invitations.accept(byAdmin, ACCOUNT, at.change())).toEqual({ outcome: "has account" })
      expect(await at.there.members.find(at.acme.id, id)).toBeNull()
      const byOperator = newToken(at)
      await invitations.issue(at.acme.id, { ...PERSON, ...byOperator, byOperator: 1 }, at.change())
      expect(await invitations.find(byOperator.tokenHash, at.clock())).toMatchObject({ addsAccount: true })
      expect(await findLink(at.there, link, "password", at.clock())).toBe(true)
      const joined = { outcome: "joined", userId: id, hasTotp: false } as const
      expect(await invitations.accept(byOperator.tokenHash, ACCOUNT, at.change())).toEqual(joined)
      expect(await at.there.members.find(at.acme.id, id)).toMatchObject({ role: "member" })
      expect(await at.there.users.findById(id)).not.toMatchObject({ name: "Chosen" })
      // An admin elsewhere may hold that link, made when it opened less.
      expect(await findLink(at.there, link, "password", at.clock())).toBe(false)
    })

    test("of racers with one invitation, exactly one joins", async () => {
      await using at = await givenMarket(engine)
      const token = await invite(at, at.acme)
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map(({ invitations }, i) =>
          invitations.accept(token, { name: `${i}`, passwordHash: `${i}` }, at.change()),
        ),
      )
      expect(winners(outcomes, ({ outcome }) => outcome === "joined")).toBe(1)
      expect(await at.there.members.list(at.acme.id)).toHaveLength(1)
      expect(await at.there.invitations.list(at.acme.id)).toEqual([])
    })

    test("of a withdrawal and an acceptance at once, one happens", async () => {
      await using at = await givenMarket(engine)
      const token = await invite(at, at.acme)
      const { id } = need((await at.here.invitations.list(at.acme.id))[0])
      const [withdrawn, accepted] = await Promise.all([
        at.here.invitations.withdraw(at.acme.id, id, at.change()),
        at.there.invitations.accept(token, ACCOUNT, at.change()),
      ])
      expect(accepted.outcome === "joined").toBe(!withdrawn)
      expect(await at.here.members.list(at.acme.id)).toHaveLength(withdrawn ? 0 : 1)
    })
  })
})
