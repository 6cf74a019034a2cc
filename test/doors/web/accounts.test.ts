import { describe, expect, test } from "bun:test"
import { TOTP } from "otpauth"
import { issuePasswordLink } from "../../../src/actions/people/one-time-links.ts"
import { openSession } from "../../../src/actions/people/sessions.ts"
import { SESSION_COOKIE } from "../../../src/doors/web/cookies.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson, startMarket } from "./given.ts"
import { sessionCookieOf, signedIn, type Visitor, visitor } from "./visitor.ts"

const PASSWORD = "correct horse battery"
const BEHIND_PROXY = { options: { trustProxy: "127.0.0.1" } }

async function givenAccount(app: TestApp): Promise<{ id: number; email: string }> {
  const id = await givenPerson(app, { password: PASSWORD })
  return { id, email: (await app.store.users.findById(id))?.email ?? "" }
}

const signInFrom = (app: TestApp, address: string, email: string, password: string, person = visitor(app)) =>
  person.post("/app/sign-in", { email, password }, { origin: app.url, "x-forwarded-for": address })

async function turnOnCodes(app: TestApp, person: Visitor, password = PASSWORD): Promise<TOTP> {
  const secret = /name="secret" value="([A-Z2-7]+)"/.exec(await person.read("/app/account/two-factor"))?.[1] ?? ""
  const totp = new TOTP({ secret, digits: 6, period: 30 })
  const code = totp.generate({ timestamp: app.clock() / 1_000 })
  const shown = await (await person.follow("/app/account/two-factor", { secret, code, password })).text()
  expect(shown).toContain("Two-factor codes are on")
  return totp
}

/** Sign-ins from as many addresses as there are, until somebody is refused; `leave` gives them all up. */
async function crowdOf(app: TestApp) {
  const leaving = new AbortController()
  const attempts = Array.from({ length: 60 }, async (_, i) => {
    const email = `guess${i}@example.com`
    const headers = { origin: app.url, "x-forwarded-for": `192.0.2.${i}` }
    const body = new URLSearchParams({ email, password: "wrong horse battery" })
    const answer = await app.fetch("/app/sign-in", { method: "POST", headers, body, signal: leaving.signal })
    if (answer.status !== 503) await new Promise(() => {})
    return { email, answer }
  })
  const refused = await Promise.race(attempts)
  return {
    refused,
    leave() {
      for (const attempt of attempts) attempt.catch(() => {})
      leaving.abort()
    },
  }
}

test("of many who sign in at once, those beyond a number are asked to come back, and have not failed", async () => {
  await using app = await startApp(BEHIND_PROXY)
  const { email } = await givenAccount(app)
  const crowd = await crowdOf(app)
  expect(Number(crowd.refused.answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await crowd.refused.answer.text()).toContain(`value="${crowd.refused.email}"`)
  const attempts = Array.from({ length: 4 }, (_, i) => signInFrom(app, `198.51.100.${i}`, email, PASSWORD))
  crowd.leave()
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 503 && status !== 303)).toEqual([])
  let status = 503
  while (status === 503) ({ status } = await signInFrom(app, "203.0.113.1", email, PASSWORD))
  expect(status).toBe(303)
})

const passwordChanges: [string, (app: TestApp, id: number) => Promise<unknown>][] = [
  [
    "in the account",
    async (app, id) =>
      (await signedIn(app, id)).post("/app/account/password", { current: PASSWORD, wanted: "another horse battery" }),
  ],
]

test.each(passwordChanges)("a password link does not outlive a change of the password %s", async (_, change) => {
  await using app = await startApp()
  const { id } = await givenAccount(app)
  const elsewhere = await signedIn(app, id)
  const link = await issuePasswordLink(app, id, "test")
  await change(app, id)
  expect((await app.fetch(link)).status).toBe(404)
  expect((await visitor(app).post(link, { password: "a third horse battery" })).status).toBe(404)
  expect((await elsewhere.get("/app/account")).status).toBe(303)
})

test("a first factor that was proven with the old password is worth nothing after the change", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  const here = await signedIn(app, id)
  const totp = await turnOnCodes(app, here)
  app.clock.advance({ minutes: 1 })
  const thief = visitor(app)
  await thief.post("/app/sign-in", { email, password: PASSWORD })
  await here.post("/app/account/password", { current: PASSWORD, wanted: "another horse battery" })
  const code = totp.generate({ timestamp: app.clock() / 1_000 })
  const answer = await thief.post("/app/sign-in/code", { code })
  expect([answer.status, (await thief.get("/app/account")).status]).toEqual([422, 303])
})

test("a sign-in that was checked against the old password opens nothing once it is changed", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  const proven = await app.store.credentials.findByEmail(email)
  const here = await signedIn(app, id)
  await here.post("/app/account/password", { current: PASSWORD, wanted: "another horse battery" })
  const times = { createdAt: app.clock(), expiresAt: app.clock() + 60_000_000 }
  const session = { tokenHash: "late", userId: id, ...times }
  const passwordHash = proven?.passwordHash ?? null
  expect(await app.store.sessions.open(session, { previousHash: null, passwordHash })).toBe(false)
  expect(await app.store.linkClaims.askForCode({ tokenHash: "late", ...times }, { userId: id, passwordHash })).toBe(
    false,
  )
})

test("a link that is used in somebody else's browser ends the session that was there", async () => {
  await using app = await startApp()
  const [first, second] = [await givenAccount(app), await givenAccount(app)]
  const { token } = await openSession(app, first.id, null)
  const browser = visitor(app, new Map([[SESSION_COOKIE, token]]))
  await browser.post(await issuePasswordLink(app, second.id, "test"), { password: "another horse battery" })
  expect(await browser.read("/app/account")).toContain(second.email)
  const kept = visitor(app, new Map([[SESSION_COOKIE, token]]))
  expect((await kept.get("/app/account")).status).toBe(303)
})

test("of two admins who step down at once, one stays", async () => {
  await using app = await startMarket()
  const ids = [
    await givenPerson(app, { of: "brand-co", role: "admin" }),
    await givenPerson(app, { of: "brand-co", role: "admin" }),
  ]
  await Promise.all(
    ids.map(async (id) => {
      const admin = await signedIn(app, id)
      const page = `/app/o/brand-co/members/${id}`
      const seen = /name="seen" value="([^"]*)"/.exec(await admin.read(page))?.[1] ?? ""
      await admin.post(page, { role: "member", seen })
    }),
  )
  const brand = await app.store.organizations.findBySlug("brand-co")
  const roles = (await app.store.members.list(brand?.id ?? 0)).map(({ role }) => role)
  expect(roles.toSorted()).toEqual(["admin", "member"])
})

test("with two-factor codes on, a right password is no failure", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  await turnOnCodes(app, await signedIn(app, id))
  const statuses: number[] = []
  for (let i = 0; i < 6; i++)
    statuses.push((await visitor(app).post("/app/sign-in", { email, password: PASSWORD })).status)
  expect(statuses).toEqual(Array.from({ length: 6 }, () => 303))
})

test("a right password lets nobody guess codes without end, and forgets no wrong passwords", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  await turnOnCodes(app, await signedIn(app, id))
  const guesses: number[] = []
  for (let i = 0; i < 6; i++) {
    const person = visitor(app)
    await person.post("/app/sign-in", { email, password: PASSWORD })
    guesses.push((await person.post("/app/sign-in/code", { code: "000000" })).status)
  }
  expect(guesses).toEqual([422, 422, 422, 422, 422, 429])
  const wrong: number[] = []
  for (let i = 0; i < 6; i++) {
    if (i === 3) await visitor(app).post("/app/sign-in", { email, password: PASSWORD })
    wrong.push((await visitor(app).post("/app/sign-in", { email, password: "wrong horse battery" })).status)
  }
  expect(wrong).toEqual([422, 422, 422, 422, 422, 429])
})

test("a borrowed session cannot guess the password without end; even the right one has to wait", async () => {
  await using app = await startApp()
  const { id } = await givenAccount(app)
  const person = await signedIn(app, id)
  const change = (current: string) => person.post("/app/account/password", { current, wanted: "another horse battery" })
  const guesses: number[] = []
  for (let i = 0; i < 6; i++) guesses.push((await change("wrong horse battery")).status)
  expect(guesses).toEqual([422, 422, 422, 422, 422, 429])
  const early = await change(PASSWORD)
  expect([early.status, early.headers.get("retry-after")]).toEqual([429, "1"])
  app.clock.advance({ seconds: 1 })
  expect((await change(PASSWORD)).status).toBe(303)
})

test("turning two-factor codes on asks for the password", async () => {
  await using app = await startApp()
  const { id } = await givenAccount(app)
  const person = await signedIn(app, id)
  const page = await person.read("/app/account/two-factor")
  expect(page).toContain('name="password"')
  const secret = /name="secret" value="([A-Z2-7]+)"/.exec(page)?.[1] ?? ""
  const code = new TOTP({ secret, digits: 6, period: 30 }).generate({ timestamp: app.clock() / 1_000 })
  for (const password of ["", "wrong horse battery"]) {
    const answer = await person.post("/app/account/two-factor", { secret, code, password })
    expect(answer.status).toBe(422)
  }
  expect((await app.store.credentials.findByUserId(id))?.totpSecret).toBeNull()
})

test("the operator turns codes off for somebody who lost the phone; the sessions end and the password opens the account", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  const person = await signedIn(app, id)
  await turnOnCodes(app, person)
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const page = `/app/operator/users/${id}/reset-2fa`
  expect(await operator.read(`/app/operator/users/${id}`)).toContain(page)
  expect(await operator.read(page)).toContain("signed out everywhere")
  expect((await person.post(page)).status).toBe(404)
  await operator.post(page)
  expect((await person.get("/app/account")).status).toBe(303)
  const signedInAgain = await visitor(app).post("/app/sign-in", { email, password: PASSWORD })
  expect(signedInAgain.headers.get("location")).toBe("/app")
  const { entries } = await app.store.audit.list({ action: "reset two_factor" }, { before: null, limit: 5 })
  expect(entries).toMatchObject([{ subject: email }])
})

const ADMIN_PAGES: [string, string, Record<string, string>][] = [
  ["a password link", "/app/operator/users/1/link", {}],
  ["a share link", "/app/o/acme-audio/campaigns/acme-only/share", { label: "Buyer", days: "7" }],
  ["an invitation", "/app/o/acme-audio/members", { name: "Mo", email: "mo@example.com", role: "member" }],
  ["a first request with the new key in it", "/app/o/acme-audio/keys", { label: "Feed" }],
]

describe.each(ADMIN_PAGES)("%s", (_, path, fields) => {
  test.each([
    ["evil.example", {}, null],
    ["adbooth:3000", {}, null],
    ["127.0.0.1.evil.example", {}, null],
    ["192.168.1.5:3000", {}, "http://192.168.1.5:3000"],
    ["[2001:db8::1]:3000", {}, "http://[2001:db8::1]:3000"],
    ["localhost:3000", {}, "http://localhost:3000"],
    ["ads.local", { allowOrigin: "http://ads.local" }, "http://ads.local"],
    ["evil.example", { publicUrl: "https://ads.example.com" }, "https://ads.example.com"],
  ])("made under Host: %s leads to an address that is ours", async (host, options, expected) => {
    await using app = await startApp({ options })
    const id = await givenPerson(app, { isOperator: true })
    await givenMarket(app)
    const { token } = await openSession(app, id, null)
    const cookie = `${sessionCookieOf(app)}=${token}`
    const headers = { host, cookie, "sec-fetch-site": "same-origin" }
    const body = new URLSearchParams(fields)
    const made = await app.fetch(path, { method: "POST", headers, body, redirect: "manual" })
    const once = made.headers.getSetCookie().map((line) => line.split(";")[0])
    const shown = { ...headers, cookie: [cookie, ...once].join("; ") }
    const response = await app.fetch(made.headers.get("location") ?? "", { headers: shown })
    expect(response.status).toBe(200)
    const page = await response.text()
    const addresses = [...page.matchAll(/https?:\/\/[\w.:[\]-]+/g)].map(([address]) => address)
    expect(addresses).toContain(expected ?? app.url)
    expect(addresses.filter((address) => /evil|adbooth:/.test(address))).toEqual([])
  })
})

test("everybody changes their own name, and what is wrong with it is said beside the field", async () => {
  await using app = await startApp()
  const person = await signedIn(app, await givenPerson(app))
  const refused = await person.post("/app/account/name", { name: " " })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('id="name-error"')])
  expect(await (await person.follow("/app/account/name", { name: "Ada Brandt" })).text()).toContain("Ada Brandt,")
})
