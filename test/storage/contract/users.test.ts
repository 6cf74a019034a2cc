import { describe, expect, test } from "bun:test"
import { seenOf } from "../../../src/domain/edit-conflict.ts"
import { userFields } from "../../../src/domain/people/user.ts"
import { storageContract } from "./contract.ts"
import { given, givenMarket, givenMember, givenOrganization, givenUser, need, winners } from "./given.ts"
import { findLink, givenLink, givenSession, isSignedIn } from "./given-sign-in.ts"

const plain = (name: string) => ({ name, isOperator: false, memberships: [] })

storageContract("users", (engine) => {
  describe("users", () => {
    test("their heads come by id; whole users by their ids, by address", async () => {
      await using at = await givenMarket(engine)
      const made = [
        await givenUser(at, "z@example.com", { name: "Zoe", isOperator: true }),
        await givenMember(at, "a@example.com", at.acme, "admin"),
        await givenUser(at, "m@example.com", { name: "Mo" }),
      ]
      const all = await at.there.users.heads()
      expect(all.map(({ email }) => email)).toEqual(["z@example.com", "a@example.com", "m@example.com"])
      expect(all[0]).toMatchObject({ name: "Zoe", isOperator: true, createdAt: expect.any(Number) })
      expect(await at.there.users.heads(2)).toEqual(all.slice(0, 2))
      expect(made).toHaveLength(3)
      const ids = all.map(({ id }) => id)
      const whole = await at.there.users.findByIds([...ids.slice(0, 2), 9_999])
      expect(whole).toEqual((await at.there.users.list()).filter(({ email }) => email !== "m@example.com"))
      expect(await at.there.users.findByIds([])).toEqual([])
    })

    test("one account for each address: a second one is not made", async () => {
      await using at = await given(engine)
      const { id: organizationId } = await givenOrganization(at, "acme")
      const wish = {
        name: "A",
        isOperator: true,
        passwordHash: "hash",
        membership: { organizationId, role: "admin" as const },
      }
      const email = "a@example.com"
      const made = await at.store.users.create({ email, ...wish }, at.change())
      expect(made).toEqual({
        id: need(made).id,
        email,
        name: "A",
        isOperator: true,
        hasPassword: true,
        hasTotp: false,
        createdAt: at.clock(),
        memberships: [{ organizationId, organization: "acme", organizationName: "The acme", role: "admin" }],
      })
      const again = { email, name: "B", isOperator: false, passwordHash: null, membership: null }
      expect(await at.there.users.create(again, at.change())).toBeNull()
      expect(await at.there.users.findByEmail(email)).toEqual(made)
      expect(await at.there.users.findById(need(made).id)).toEqual(made)
      expect(await at.store.users.findByEmail("b@example.com")).toBeNull()
      expect(await at.store.users.findById(need(made).id + 1)).toBeNull()
    })

    test("nobody gets the id of an account that was removed: what its owner did is theirs for ever", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenUser(at, "a@example.com")
      expect(await at.store.users.remove(id, at.change())).toBe("done")
      expect((await givenUser(at, "b@example.com")).id).toBeGreaterThan(id)
    })

    test("of racers for one address, exactly one gets it", async () => {
      await using at = await given(engine)
      const added = { email: "a@example.com", name: "A", isOperator: false, passwordHash: null, membership: null }
      const made = await Promise.all([...at.stores, ...at.stores].map(({ users }) => users.create(added, at.change())))
      expect(winners(made, (one) => one !== null)).toBe(1)
    })

    test("all are listed by address, each with its memberships by slug", async () => {
      await using at = await given(engine)
      const [b, a] = [await givenOrganization(at, "b"), await givenOrganization(at, "a")]
      const { id } = await givenUser(at, "b@example.com")
      await givenMember(at, "a@example.com", b, "member")
      const memberships = [b, a].map(({ id: organizationId }) => ({ organizationId, role: "member" as const }))
      await at.store.users.edit(id, { ...plain("B"), memberships }, at.change())
      const listed = await at.there.users.list()
      expect(listed.map(({ email, memberships }) => [email, ...memberships.map((one) => one.organization)])).toEqual([
        ["a@example.com", "b"],
        ["b@example.com", "a", "b"],
      ])
    })

    test("there is always an operator: the last one can be neither removed nor made an ordinary user", async () => {
      await using at = await given(engine)
      const { users } = at.store
      expect(await users.hasOperator()).toBe(false)
      const { id: first } = await givenUser(at, "a@example.com", { isOperator: true })
      expect(await users.hasOperator()).toBe(true)
      expect(await users.remove(first, at.change())).toBe("last operator")
      expect(await users.edit(first, plain("A"), at.change())).toBe("last operator")
      const { id: second } = await givenUser(at, "b@example.com", { isOperator: true })
      expect(await users.edit(first, plain("A"), at.change())).toBe("done")
      expect(await users.remove(second, at.change())).toBe("last operator")
      expect(await users.remove(first, at.change())).toBe("done")
      expect(await users.findById(first)).toBeNull()
      expect(await users.remove(first, at.change())).toBe("not found")
      expect(await users.edit(first, plain("A"), at.change())).toBe("not found")
    })

    test.each(["edit", "remove"] as const)("two operators cannot both go at once: %s", async (how) => {
      await using at = await given(engine)
      const people = [
        await givenUser(at, "a@example.com", { isOperator: true }),
        await givenUser(at, "b@example.com", { isOperator: true }),
      ]
      const outcomes = await Promise.all(
        people.map(({ id }, i) => {
          const { users } = i === 0 ? at.here : at.there
          return how === "edit" ? users.edit(id, plain("X"), at.change()) : users.remove(id, at.change())
        }),
      )
      expect(outcomes.sort()).toEqual(["done", "last operator"])
      expect(await at.there.users.hasOperator()).toBe(true)
    })

    test.each(["member", "nobody"])(
      "editing never takes the last admin from an organization: a %s",
      async (becomes) => {
        await using at = await given(engine)
        const acme = await givenOrganization(at, "acme")
        const people = [
          await givenMember(at, "a@example.com", acme, "admin"),
          await givenMember(at, "b@example.com", acme, "admin"),
        ]
        const memberships = becomes === "member" ? [{ organizationId: acme.id, role: "member" as const }] : []
        const outcomes = await Promise.all(
          people.map(({ id }, i) =>
            (i === 0 ? at.here : at.there).users.edit(id, { ...plain("X"), memberships }, at.change()),
          ),
        )
        expect(outcomes).toContain("done")
        expect(outcomes).toContainEqual({ lastAdminOf: "acme" })
        expect((await at.there.members.list(acme.id)).filter(({ role }) => role === "admin")).toHaveLength(1)
      },
    )

    test("editing replaces the memberships, the name and the operator's right", async () => {
      await using at = await given(engine)
      const [acme, brand] = [await givenOrganization(at, "acme"), await givenOrganization(at, "brand")]
      const { id } = await givenMember(at, "a@example.com", acme, "member")
      const memberships = [{ organizationId: brand.id, role: "admin" as const }]
      expect(await at.store.users.edit(id, { name: "New", isOperator: true, memberships }, at.change())).toBe("done")
      expect(await at.there.users.findById(id)).toMatchObject({
        name: "New",
        isOperator: true,
        memberships: [{ organizationId: brand.id, organization: "brand", role: "admin" }],
      })
    })

    test("of three who edit the account that they saw at the same time, exactly one succeeds", async () => {
      await using at = await given(engine)
      const person = await givenUser(at, "a@example.com")
      const seen = seenOf(userFields(person))
      const outcomes = await Promise.all(
        [at.there, at.here, at.there].map(({ users }, i) =>
          users.edit(person.id, plain(`Racer ${i}`), at.change(seen)),
        ),
      )
      expect(outcomes.toSorted()).toEqual(["changed", "changed", "done"])
      expect((await at.here.users.findById(person.id))?.name).toBe(`Racer ${outcomes.indexOf("done")}`)
    })

    test("a removed account takes its sessions and memberships along, for every process", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenMember(at, "a@example.com", at.acme, "member")
      const token = await givenSession(at, id)
      expect(await isSignedIn(at.there, token, at.clock())).toBe(true)
      expect(await at.here.users.remove(id, at.change())).toBe("done")
      expect(await isSignedIn(at.there, token, at.clock())).toBe(false)
      expect(await at.there.members.list(at.acme.id)).toEqual([])
    })

    test("the last admin of an organization cannot be removed, also by two who try at the same time", async () => {
      await using at = await givenMarket(engine)
      const people = [
        await givenMember(at, "a@example.com", at.acme, "admin"),
        await givenMember(at, "b@example.com", at.acme, "admin"),
      ]
      const outcomes = await Promise.all(people.map(({ id }, i) => need(at.stores[i]).users.remove(id, at.change())))
      expect(outcomes).toContainEqual("done")
      expect(outcomes).toContainEqual({ lastAdminOf: "acme" })
      expect(await at.there.members.list(at.acme.id)).toHaveLength(1)
    })

    test("a new password ends every session but the one that is kept, every password link and every half sign-in", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com", { passwordHash: "old" })
      const { id: bystander } = await givenUser(at, "b@example.com", { passwordHash: "theirs" })
      const tokens = [await givenSession(at, id), await givenSession(at, id), await givenSession(at, bystander)]
      const [kept = "", ended = "", theirs = ""] = tokens
      const link = await givenLink(at, "password", id)
      const times = { createdAt: at.clock(), expiresAt: at.clock() + 1_000_000 }
      const waits = await at.here.linkClaims.askForCode(
        { tokenHash: "c", ...times },
        { userId: id, passwordHash: "old" },
      )
      expect(waits).toBe(true)
      await at.here.users.setPassword(id, "new", { ...at.change(), keepTokenHash: kept })
      const now = at.clock()
      expect(await Promise.all([kept, ended, theirs].map((one) => isSignedIn(at.there, one, now)))).toEqual([
        true,
        false,
        true,
      ])
      expect(await findLink(at.there, link, "password", now)).toBe(false)
      expect(await at.there.credentials.findByCodeLink("c", now)).toBeNull()
      expect(await at.there.credentials.findByUserId(id)).toMatchObject({ passwordHash: "new" })
    })

    test("whoever gains a right loses the password links that others may hold", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenUser(at, "a@example.com")
      const link = await givenLink(at, "password", id)
      const member = { ...plain("A"), memberships: [{ organizationId: at.acme.id, role: "member" as const }] }
      await at.here.users.edit(id, plain("Renamed"), at.change())
      expect(await findLink(at.there, link, "password", at.clock())).toBe(true)
      await at.here.users.edit(id, member, at.change())
      expect(await findLink(at.there, link, "password", at.clock())).toBe(false)
    })
  })

  describe("members", () => {
    test("an organization finds its own people, by name, and nobody else's", async () => {
      await using at = await givenMarket(engine)
      const { acme, other, store } = at
      const b = await givenUser(at, "b@example.com", {
        name: "A. Admin",
        passwordHash: "x",
        membership: { organizationId: acme.id, role: "admin" },
      })
      const a = await givenMember(at, "a@example.com", acme, "member")
      const stranger = await givenMember(at, "s@example.com", other, "admin")
      expect(await store.members.list(acme.id)).toEqual([
        { userId: b.id, email: "b@example.com", name: "A. Admin", role: "admin", hasPassword: true },
        { userId: a.id, email: "a@example.com", name: "a@example.com", role: "member", hasPassword: false },
      ])
      expect(await store.members.find(acme.id, a.id)).toMatchObject({ userId: a.id, role: "member" })
      expect(await store.members.find(acme.id, stranger.id)).toBeNull()
      expect(await store.members.setRole(acme.id, stranger.id, "member", at.change())).toBe("not found")
      expect(await store.members.remove(acme.id, stranger.id, at.change())).toBe("not found")
      expect(await store.members.find(other.id, stranger.id)).toMatchObject({ role: "admin" })
    })

    test("a role is changed, and whoever is removed keeps the account", async () => {
      await using at = await givenMarket(engine)
      await givenMember(at, "a@example.com", at.acme, "admin")
      const { id } = await givenMember(at, "b@example.com", at.acme, "member")
      expect(await at.here.members.setRole(at.acme.id, id, "admin", at.change())).toBe("done")
      expect(await at.there.members.find(at.acme.id, id)).toMatchObject({ role: "admin" })
      expect(await at.here.members.remove(at.acme.id, id, at.change())).toBe("done")
      expect(await at.there.members.find(at.acme.id, id)).toBeNull()
      expect(await at.there.users.findById(id)).toMatchObject({ email: "b@example.com", memberships: [] })
    })

    test("an organization that has an admin keeps one", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenMember(at, "a@example.com", at.acme, "admin")
      await givenMember(at, "b@example.com", at.acme, "member")
      await givenMember(at, "c@example.com", at.other, "admin")
      expect(await at.here.members.setRole(at.acme.id, id, "member", at.change())).toBe("last admin")
      expect(await at.here.members.remove(at.acme.id, id, at.change())).toBe("last admin")
      expect(await at.here.members.setRole(at.acme.id, id, "admin", at.change())).toBe("done")
    })

    test.each(["setRole", "remove"] as const)("two admins cannot both go at once: %s", async (how) => {
      await using at = await givenMarket(engine)
      const { acme } = at
      const admins = [
        await givenMember(at, "a@example.com", acme, "admin"),
        await givenMember(at, "b@example.com", acme, "admin"),
      ]
      const outcomes = await Promise.all(
        admins.map(({ id }, i) => {
          const { members } = i === 0 ? at.here : at.there
          return how === "remove"
            ? members.remove(acme.id, id, at.change())
            : members.setRole(acme.id, id, "member", at.change())
        }),
      )
      expect(outcomes.sort()).toEqual(["done", "last admin"])
      expect((await at.there.members.list(acme.id)).filter(({ role }) => role === "admin")).toHaveLength(1)
    })

    test("where somebody belongs, in figures; nobody belongs nowhere", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenMember(at, "a@example.com", at.acme, "admin")
      const { id: operator } = await givenUser(at, "b@example.com", { isOperator: true })
      expect(await at.store.members.access(id)).toEqual({ organizations: 1, isOperator: false })
      expect(await at.store.members.access(operator)).toEqual({ organizations: 0, isOperator: true })
      expect(await at.store.members.access(operator + 1)).toEqual({ organizations: 0, isOperator: false })
    })
  })
})
