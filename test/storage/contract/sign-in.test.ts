import { describe, expect, test } from "bun:test"
import { storageContract } from "./contract.ts"
import { given, givenMarket, givenMember, givenUser, HOUR, need, winners } from "./given.ts"
import { findLink, givenLink, givenSession, isSignedIn, newToken } from "./given-sign-in.ts"

const OPERATOR = { email: "o@example.com", name: "O", passwordHash: "x" }

storageContract("sign-in", (engine) => {
  test("a link that somebody asked for ends no other, and is one at a time until the next may be mailed", async () => {
    await using at = await given(engine)
    const { id: userId } = await givenUser(at, "a@example.com")
    const before = await givenLink(at, "password", userId)
    const link = () => ({ ...newToken(at), purpose: "password" as const, userId })
    const asked = { ...link(), expiresAt: at.clock() + HOUR / 2 }
    expect(await at.here.oneTimeLinks.add(asked, at.change())).toMatchObject({ email: "a@example.com" })
    expect(await at.there.oneTimeLinks.add(link(), at.change())).toBeNull()
    for (const tokenHash of [before, asked.tokenHash])
      expect(await findLink(at.there, tokenHash, "password", at.clock())).toBe(true)
    expect(await at.here.oneTimeLinks.add({ ...link(), userId: userId + 1 }, at.change())).toBeNull()
  })

  describe("sessions", () => {
    test("credentials are found by address and by id, and only there", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com", { passwordHash: "hash" })
      await at.here.twoFactor.enable(id, "secret", [], at.change())
      const known = { userId: id, email: "a@example.com", passwordHash: "hash", totpSecret: "secret" }
      expect(await at.there.credentials.findByEmail("a@example.com")).toEqual(known)
      expect(await at.there.credentials.findByUserId(id)).toEqual(known)
      expect(await at.there.credentials.findByEmail("b@example.com")).toBeNull()
      expect(await at.there.credentials.findByUserId(id + 1)).toBeNull()
    })

    test("a session tells who it is and where this person belongs, by name of the organization", async () => {
      await using at = await givenMarket(engine)
      const { id } = await givenMember(at, "a@example.com", at.other, "member")
      const memberships = [at.other, at.acme].map((one) => ({ organizationId: one.id, role: "admin" as const }))
      await at.here.users.edit(id, { name: "A", isOperator: true, memberships }, at.change())
      const token = await givenSession(at, id)
      expect(await at.there.sessions.find(token, at.clock())).toEqual({
        userId: id,
        email: "a@example.com",
        name: "A",
        isOperator: true,
        hasTotp: false,
        organizations: [
          { ...at.acme, role: "admin" },
          { ...at.other, role: "admin" },
        ],
        session: { createdAt: at.clock(), expiresAt: expect.any(Number) },
      })
    })

    test("a session is over when it ended, expired or never was, for every process at once", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      const [first, second] = [await givenSession(at, id), await givenSession(at, id)]
      expect(await isSignedIn(at.there, "never", at.clock())).toBe(false)
      expect(await isSignedIn(at.there, first, at.clock())).toBe(true)
      await at.here.sessions.end(first)
      expect(await isSignedIn(at.there, first, at.clock())).toBe(false)
      expect(await isSignedIn(at.there, second, at.clock() + HOUR - 1)).toBe(true)
      expect(await isSignedIn(at.there, second, at.clock() + HOUR)).toBe(false)
      await at.here.sessions.end("never")
    })

    test("signing in anew ends the session before, and needs the person and the password to be the same still", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com", { passwordHash: "hash" })
      const before = await givenSession(at, id)
      const wrong = newToken(at)
      const how = { previousHash: before, passwordHash: "another" }
      expect(await at.here.sessions.open({ ...wrong, userId: id }, how)).toBe(false)
      expect(await isSignedIn(at.there, wrong.tokenHash, at.clock())).toBe(false)
      expect(await isSignedIn(at.there, before, at.clock())).toBe(true)
      const right = newToken(at)
      expect(await at.there.sessions.open({ ...right, userId: id }, { ...how, passwordHash: "hash" })).toBe(true)
      expect(await isSignedIn(at.here, right.tokenHash, at.clock())).toBe(true)
      expect(await isSignedIn(at.here, before, at.clock())).toBe(false)
      expect(await at.here.sessions.open({ ...newToken(at), userId: id + 1 }, { previousHash: null })).toBe(false)
    })

    test("ending all leaves the kept one, ends half sign-ins, and touches nobody else's", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      const { id: another } = await givenUser(at, "b@example.com")
      const [kept, ended, theirs] = [
        await givenSession(at, id),
        await givenSession(at, id),
        await givenSession(at, another),
      ]
      const half = newToken(at)
      await at.here.linkClaims.askForCode(half, { userId: id, passwordHash: null })
      await at.there.sessions.endAll(id, kept, at.change())
      const tokens = [kept, ended, theirs]
      expect(await Promise.all(tokens.map((one) => isSignedIn(at.here, one, at.clock())))).toEqual([true, false, true])
      expect(await at.here.credentials.findByCodeLink(half.tokenHash, at.clock())).toBeNull()
      await at.there.sessions.endAll(id, null, at.change())
      expect(await isSignedIn(at.here, kept, at.clock())).toBe(false)
    })
  })

  describe("one-time links", () => {
    test("a link is found for its purpose until it expires; an earlier one of the same purpose and person stops working", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      const { id: another } = await givenUser(at, "b@example.com")
      const first = await givenLink(at, "password", id)
      const theirs = await givenLink(at, "password", another)
      expect(await at.there.linkClaims.find(first, "password", at.clock())).toEqual({
        user: { id, email: "a@example.com", name: "a@example.com" },
      })
      expect(await findLink(at.there, first, "setup", at.clock())).toBe(false)
      expect(await findLink(at.there, first, "password", at.clock() + HOUR)).toBe(false)
      const second = await givenLink(at, "password", id)
      expect(await findLink(at.there, first, "password", at.clock())).toBe(false)
      expect(await findLink(at.there, second, "password", at.clock())).toBe(true)
      expect(await findLink(at.there, theirs, "password", at.clock())).toBe(true)
      await at.here.linkClaims.close(second)
      expect(await findLink(at.there, second, "password", at.clock())).toBe(false)
    })

    test("a link for somebody who was removed meanwhile leads nowhere, and is no failure", async () => {
      await using at = await given(engine)
      const link = await givenLink(at, "password", 77)
      expect(await findLink(at.here, link, "password", at.clock())).toBe(false)
    })

    test("the set-up link makes the first operator, once, and nobody is made by it while there is one", async () => {
      await using at = await given(engine)
      const link = await givenLink(at, "setup", null)
      expect(await at.here.linkClaims.find(link, "setup", at.clock())).toEqual({ user: null })
      expect(await at.here.linkClaims.claimSetup("never", OPERATOR, at.change())).toBeNull()
      const late = { actor: "setup", at: at.clock() + HOUR }
      expect(await at.here.linkClaims.claimSetup(link, OPERATOR, late)).toBeNull()
      const made = need(await at.here.linkClaims.claimSetup(link, OPERATOR, at.change()))
      expect(await at.there.users.findById(made.userId)).toMatchObject({ isOperator: true, hasPassword: true })
      expect(await at.here.linkClaims.claimSetup(link, { ...OPERATOR, email: "p@example.com" }, at.change())).toBeNull()
      const another = await givenLink(at, "setup", null)
      expect(await at.here.linkClaims.claimSetup(another, OPERATOR, at.change())).toBeNull()
    })

    test("somebody who is known already becomes the operator by the set-up link", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, OPERATOR.email)
      const link = await givenLink(at, "setup", null)
      expect(await at.here.linkClaims.claimSetup(link, OPERATOR, at.change())).toEqual({ userId: id })
      expect(await at.there.users.findById(id)).toMatchObject({ isOperator: true, hasPassword: true })
    })

    test("of racers with one set-up link, exactly one becomes the operator, and no other account is made", async () => {
      await using at = await given(engine)
      const link = await givenLink(at, "setup", null)
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map(({ linkClaims }, i) =>
          linkClaims.claimSetup(link, { ...OPERATOR, email: `${i}@example.com` }, at.change()),
        ),
      )
      expect(winners(outcomes, (one) => one !== null)).toBe(1)
      expect(await at.there.users.list()).toHaveLength(1)
    })

    test("of racers with one password link, exactly one sets the password", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      const session = await givenSession(at, id)
      const link = await givenLink(at, "password", id)
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map(({ linkClaims }, i) => linkClaims.claimPassword(link, `${i}`, at.change())),
      )
      expect(winners(outcomes, (one) => one !== null)).toBe(1)
      const winner = outcomes.findIndex((one) => one !== null)
      expect(outcomes[winner]).toEqual({ userId: id, hasTotp: false })
      expect(await at.there.credentials.findByUserId(id)).toMatchObject({ passwordHash: `${winner}` })
      expect(await isSignedIn(at.there, session, at.clock())).toBe(false)
    })

    test("a password link that is too late or of another purpose sets nothing", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com", { passwordHash: "old" })
      await at.here.twoFactor.enable(id, "secret", [], at.change())
      const link = await givenLink(at, "password", id)
      const setup = await givenLink(at, "setup", null)
      const late = { actor: "command", at: at.clock() + HOUR }
      expect(await at.here.linkClaims.claimPassword(link, "new", late)).toBeNull()
      expect(await at.here.linkClaims.claimPassword(setup, "new", at.change())).toBeNull()
      expect(await at.here.credentials.findByUserId(id)).toMatchObject({ passwordHash: "old" })
      expect(await at.here.linkClaims.claimPassword(link, "new", at.change())).toEqual({ userId: id, hasTotp: true })
    })
  })

  describe("two-factor codes", () => {
    test("a sign-in waits for its code under a link that stays open until it is closed or expires; only the newest waits", async () => {
      await using at = await given(engine)
      const { id: userId } = await givenUser(at, "a@example.com", { passwordHash: "hash" })
      const [first, second, third] = [newToken(at), newToken(at), newToken(at)]
      const { credentials, linkClaims } = at.here
      expect(await linkClaims.askForCode(first, { userId, passwordHash: "changed meanwhile" })).toBe(false)
      expect(await credentials.findByCodeLink(first.tokenHash, at.clock())).toBeNull()
      expect(await linkClaims.askForCode(first, { userId, passwordHash: "hash" })).toBe(true)
      for (const _ of [1, 2])
        expect(await at.there.credentials.findByCodeLink(first.tokenHash, at.clock())).toMatchObject({ userId })
      expect(await at.there.credentials.findByCodeLink(first.tokenHash, at.clock() + HOUR)).toBeNull()
      expect(await at.there.linkClaims.askForCode(second, { userId, passwordHash: "hash" })).toBe(true)
      expect(await credentials.findByCodeLink(first.tokenHash, at.clock())).toBeNull()
      await linkClaims.close(second.tokenHash)
      expect(await at.there.credentials.findByCodeLink(second.tokenHash, at.clock())).toBeNull()
      expect(await linkClaims.askForCode(third, { userId: userId + 1, passwordHash: "hash" })).toBe(false)
    })

    test("are turned on with recovery codes, which replace earlier ones, and off with all of them", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      const { twoFactor } = at.here
      expect(await twoFactor.recoveryCodesLeft(id)).toBe(0)
      await twoFactor.enable(id, "one", ["a", "b"], at.change())
      await twoFactor.enable(id, "two", ["c", "d", "e"], at.change())
      expect(await at.there.twoFactor.recoveryCodesLeft(id)).toBe(3)
      expect(await twoFactor.useRecoveryCode(id, "a", at.change())).toBe(false)
      expect(await at.there.credentials.findByUserId(id)).toMatchObject({ totpSecret: "two" })
      await twoFactor.disable(id, at.change())
      expect(await at.there.twoFactor.recoveryCodesLeft(id)).toBe(0)
      expect(await at.there.users.findById(id)).toMatchObject({ hasTotp: false })
    })

    test("of racers with one recovery code, exactly one may use it; another person's is worth nothing", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      const { id: another } = await givenUser(at, "b@example.com")
      await at.here.twoFactor.enable(id, "secret", ["code", "spare"], at.change())
      expect(await at.there.twoFactor.useRecoveryCode(another, "code", at.change())).toBe(false)
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map(({ twoFactor }) => twoFactor.useRecoveryCode(id, "code", at.change())),
      )
      expect(winners(outcomes, Boolean)).toBe(1)
      expect(await at.there.twoFactor.recoveryCodesLeft(id)).toBe(1)
    })

    test("of racers with a code of one time step, exactly one may use it, and an earlier step is worth nothing", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      await at.here.twoFactor.enable(id, "secret", [], at.change())
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map(({ twoFactor }) => twoFactor.useTimeStep(id, 10)),
      )
      expect(winners(outcomes, Boolean)).toBe(1)
      expect(await at.there.twoFactor.useTimeStep(id, 9)).toBe(false)
      expect(await at.there.twoFactor.useTimeStep(id, 11)).toBe(true)
      expect(await at.there.twoFactor.useTimeStep(id + 1, 12)).toBe(false)
    })

    test("a reset turns them off, ends all sessions and half sign-ins, and is false when they are off already", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com")
      expect(await at.here.twoFactor.reset(id, at.change())).toBe(false)
      await at.here.twoFactor.enable(id, "secret", ["code"], at.change())
      const session = await givenSession(at, id)
      const half = newToken(at)
      await at.here.linkClaims.askForCode(half, { userId: id, passwordHash: null })
      expect(await at.there.twoFactor.reset(id, at.change())).toBe(true)
      expect(await at.here.users.findById(id)).toMatchObject({ hasTotp: false })
      expect(await at.here.twoFactor.recoveryCodesLeft(id)).toBe(0)
      expect(await isSignedIn(at.here, session, at.clock())).toBe(false)
      expect(await at.here.credentials.findByCodeLink(half.tokenHash, at.clock())).toBeNull()
      expect(await at.here.twoFactor.reset(id, at.change())).toBe(false)
    })
  })
})
