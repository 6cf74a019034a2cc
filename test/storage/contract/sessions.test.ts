import { describe, expect, test } from "bun:test"
import { storageContract } from "./contract.ts"
import { given, givenUser, need } from "./given.ts"
import { isSignedIn, newToken } from "./given-sign-in.ts"

storageContract("sessions", (engine) => {
  describe("the sessions of a user", () => {
    test("are listed with their device and address, the newest first, without those that have expired", async () => {
      await using at = await given(engine)
      const { id: userId } = await givenUser(at, "a@example.com")
      const { id: other } = await givenUser(at, "b@example.com")
      const place = { userAgent: "Firefox", address: "192.0.2.1" }
      const first = { ...newToken(at), userId, ...place }
      await at.here.sessions.open(first, { previousHash: null })
      await at.here.sessions.open({ ...newToken(at), userId: other }, { previousHash: null })
      at.clock.advance({ seconds: 1 })
      const second = { ...newToken(at), userId }
      await at.here.sessions.open(second, { previousHash: null })
      const listed = await at.there.sessions.list(userId, at.clock(), first.tokenHash)
      expect(listed).toMatchObject([
        { userAgent: null, address: null, isCurrent: false, createdAt: at.clock() },
        { ...place, isCurrent: true },
      ])
      expect(listed.some((one) => "tokenHash" in one)).toBe(false)
      expect(await at.there.sessions.list(userId, second.expiresAt, null)).toEqual([])
    })

    test("end later when they are used, unless they have ended", async () => {
      await using at = await given(engine)
      const { id: userId } = await givenUser(at, "a@example.com")
      const token = { ...newToken(at), userId }
      await at.here.sessions.open(token, { previousHash: null })
      const later = token.expiresAt + 1_000_000
      await at.here.sessions.extend(token.tokenHash, later, token.expiresAt)
      expect((await at.there.sessions.find(token.tokenHash, at.clock()))?.session.expiresAt).toBe(token.expiresAt)
      await at.here.sessions.extend(token.tokenHash, later, token.expiresAt - 1)
      expect((await at.there.sessions.find(token.tokenHash, token.expiresAt))?.session.expiresAt).toBe(later)
      expect(await isSignedIn(at.there, token.tokenHash, later)).toBe(false)
    })

    test("end one by one, each only by its own user", async () => {
      await using at = await given(engine)
      const { id: userId } = await givenUser(at, "a@example.com")
      const { id: other } = await givenUser(at, "b@example.com")
      const [ended, kept] = [newToken(at), newToken(at)]
      for (const token of [kept, ended]) await at.here.sessions.open({ ...token, userId }, { previousHash: null })
      const sessions = await at.there.sessions.list(userId, at.clock(), ended.tokenHash)
      const { id } = need(sessions.find(({ isCurrent }) => isCurrent))
      expect(await at.here.sessions.endOne(other, id, at.change())).toBe(false)
      expect(await at.here.sessions.endOne(userId, id, at.change())).toBe(true)
      expect(await at.here.sessions.endOne(userId, id, at.change())).toBe(false)
      expect(await isSignedIn(at.there, ended.tokenHash, at.clock())).toBe(false)
      expect(await isSignedIn(at.there, kept.tokenHash, at.clock())).toBe(true)
    })
  })
})
