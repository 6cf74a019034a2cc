import { expect, test } from "bun:test"
import { TOTP } from "otpauth"
import type { Context } from "../../../src/actions/context.ts"
import { resetMember } from "../../../src/actions/people/members.ts"
import { changePassword } from "../../../src/actions/people/passwords.ts"
import { signIn, signInWithCode } from "../../../src/actions/people/sign-in.ts"
import { disableTwoFactor, enableTwoFactor } from "../../../src/actions/people/two-factor.ts"
import { createUser, editUser } from "../../../src/actions/people/users.ts"
import { newTotpSecret } from "../../../src/domain/people/two-factor.ts"
import { quickHash } from "../../doors/web/given.ts"
import { givenOrganization } from "../../given.ts"
import { nextTurn, startApp, type TestApp } from "../../harness.ts"

// What a verb checks still holds when it writes: whatever another process does, it does before or after, never in between.

/** A context of the app in which another process does something just before the verb asks the store for the n-th time. */
function interrupted(app: TestApp, asked: number, meanwhile: () => Promise<unknown>) {
  let calls = 0
  const around = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown
        if (typeof value === "object" && value !== null) return around(value)
        if (typeof value !== "function") return value
        return async (...given: unknown[]) => {
          if (calls++ === asked) await meanwhile()
          await nextTurn()
          return Reflect.apply(value, target, given)
        }
      },
    })
  const context: Context = { store: around(app.store), clock: app.clock, random: app.random }
  return { context, wasInterrupted: () => calls > asked }
}

const caller = { name: "198.51.100.1", userAgent: null }

/** Tries a verb with an interruption at every place where there can be one. */
async function atEveryPlace(tried: (asked: number) => Promise<{ readonly wasInterrupted: boolean }>): Promise<void> {
  for (let asked = 0; (await tried(asked)).wasInterrupted; asked++) expect(asked).toBeLessThan(20)
}

test("an admin never holds a link to the account of somebody who has just become operator", async () => {
  await using app = await startApp()
  await using elsewhere = await startApp({ beside: app })
  const organization = await givenOrganization(app)
  const membership = { organizationId: organization.id, role: "member" } as const
  await atEveryPlace(async (asked) => {
    const person = { email: `m${asked}@example.com`, name: "M", isOperator: false, membership, passwordHash: "hash" }
    const member = await createUser(app, person, "test")
    const id = member?.user.id ?? 0
    const promoted = { name: "M", isOperator: true, memberships: [membership] }
    const at = interrupted(app, asked, () => editUser(elsewhere, id, promoted, { actor: "test" }))
    const path = await resetMember(at.context, organization, id, "user:1")
    if (at.wasInterrupted() && path !== null) expect((await app.fetch(path)).status).toBe(404)
    return { wasInterrupted: at.wasInterrupted() }
  })
})

test("who has changed a password to keep others out is not overtaken by somebody who knew the old one", async () => {
  await using app = await startApp()
  await using elsewhere = await startApp({ beside: app })
  const passwordHash = await quickHash("correct horse battery")
  await atEveryPlace(async (asked) => {
    const email = `m${asked}@example.com`
    const person = { email, name: "M", isOperator: false, membership: null, passwordHash }
    const userId = (await createUser(app, person, "test"))?.user.id ?? 0
    const change = { userId, password: "correct horse battery", caller, keepTokenHash: null }
    const by = { ...change, wanted: "the owner's new password" }
    const at = interrupted(app, asked, async () => expect(await changePassword(elsewhere, by)).toBe("done"))
    const outcome = await changePassword(at.context, { ...change, wanted: "the stranger's password" })
    const isOvertaken = at.wasInterrupted() && outcome === "done"
    if (isOvertaken)
      expect(await signIn(app, { email, password: by.wanted, caller, browser: "", previousHash: null })).toMatchObject({
        outcome: "signed_in",
      })
    return { wasInterrupted: at.wasInterrupted() }
  })
})

test("the code that turns two-factor codes on never also signs in", async () => {
  await using app = await startApp()
  await using elsewhere = await startApp({ beside: app })
  const passwordHash = await quickHash("correct horse battery")
  await atEveryPlace(async (asked) => {
    const email = `m${asked}@example.com`
    const person = { email, name: "M", isOperator: false, membership: null, passwordHash }
    const userId = (await createUser(app, person, "test"))?.user.id ?? 0
    const secret = newTotpSecret(app.random)
    const code = new TOTP({ secret }).generate({ timestamp: app.clock() / 1_000 })
    const attempt = { email, password: "correct horse battery", caller, browser: "", previousHash: null }
    const signInWithIt = async () => {
      const asking = await signIn(elsewhere, attempt)
      if (asking.outcome !== "code_needed") return
      const proof = { token: asking.token, code, caller, browser: "", previousHash: null }
      expect(await signInWithCode(elsewhere, proof)).toEqual({ outcome: "wrong" })
    }
    const at = interrupted(app, asked, signInWithIt)
    const proof = { userId, password: "correct horse battery", caller, secret, code }
    expect(await enableTwoFactor(at.context, proof)).toMatchObject({ outcome: "enabled" })
    return { wasInterrupted: at.wasInterrupted() }
  })
})

test("who waits for a code while codes are turned off starts again, and is not told that every code is wrong", async () => {
  await using app = await startApp()
  const password = "correct horse battery"
  const person = { email: "m@example.com", name: "M", isOperator: false, membership: null }
  const made = await createUser(app, { ...person, passwordHash: await quickHash(password) }, "test")
  const userId = made?.user.id ?? 0
  const secret = newTotpSecret(app.random)
  const codeNow = () => new TOTP({ secret }).generate({ timestamp: app.clock() / 1_000 })
  await enableTwoFactor(app, { userId, password, caller, secret, code: codeNow() })
  app.clock.advance({ minutes: 1 })
  const by = { caller, browser: "", previousHash: null }
  const asking = await signIn(app, { email: person.email, password, ...by })
  const token = asking.outcome === "code_needed" ? asking.token : ""
  expect(await disableTwoFactor(app, { userId, password, caller })).toBe("done")
  expect(await signInWithCode(app, { token, code: codeNow(), ...by })).toEqual({ outcome: "expired" })
})
