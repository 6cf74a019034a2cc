import { describe, expect, test } from "bun:test"
import { TOTP } from "otpauth"
import { checkPassword } from "../../../src/actions/people/hash-password.ts"
import { issuePasswordLink } from "../../../src/actions/people/one-time-links.ts"
import { openSession } from "../../../src/actions/people/sessions.ts"
import { HASHES_WAITING_MAX } from "../../../src/domain/limits.ts"
import { BROWSER_COOKIE, SESSION_COOKIE } from "../../../src/doors/web/cookies.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { otherProgram } from "../../other-program.ts"
import { givenPerson, startMarket } from "./given.ts"
import { signedIn, type Visitor, visitor } from "./visitor.ts"

const PASSWORD = "correct horse battery"

async function givenAccount(app: TestApp): Promise<{ id: number; email: string }> {
  const id = await givenPerson(app, { password: PASSWORD })
  const user = await app.store.users.findById(id)
  return { id, email: user?.email ?? "" }
}

const signIn = (person: Visitor, email: string, password: string, next = "") =>
  person.post("/app/sign-in", { email, password, next })

test("whoever knows the password gets in, however the address is typed, and out again", async () => {
  await using app = await startApp()
  const { email } = await givenAccount(app)
  const person = visitor(app)
  const answer = await signIn(person, ` ${email.toUpperCase()} `, PASSWORD)
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/app"])
  expect((await person.get("/app/account")).status).toBe(200)
  await person.post("/app/sign-out")
  expect((await person.get("/app/account")).status).toBe(303)
})

test("a wrong password and an unknown address are one answer", async () => {
  await using app = await startApp()
  const { email } = await givenAccount(app)
  const noPassword = (await app.store.users.findById(await givenPerson(app)))?.email ?? ""
  const answers: string[] = []
  for (const address of [email, noPassword, "nobody@example.com"]) {
    const answer = await signIn(visitor(app), address, "wrong horse battery")
    expect(answer.status).toBe(422)
    expect(answer.headers.getSetCookie()).toEqual([])
    answers.push((await answer.text()).replaceAll(address, "ADDRESS"))
  }
  expect(answers[1]).toBe(answers[0] ?? "")
  expect(answers[2]).toBe(answers[0] ?? "")
})

test("failed sign-ins are slowed, and the slowing does not tell whether the address exists", async () => {
  await using app = await startApp({ options: { trustProxy: "127.0.0.1" } })
  const { email } = await givenAccount(app)
  const from = (address: string) => ({ origin: app.url, "x-forwarded-for": address })
  let network = 0
  for (const address of [email, "nobody@example.com"]) {
    const attempt = (password: string) =>
      visitor(app).post("/app/sign-in", { email: address, password }, from(`192.0.2.${++network}`))
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await attempt("wrong horse battery")).status)
    expect([address === email, statuses]).toEqual([address === email, [422, 422, 422, 422, 422, 429, 429]])
    const refused = await attempt(PASSWORD)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"])
    expect(await refused.text()).toContain("Please wait 1 second, then try again.")
  }
  app.clock.advance({ seconds: 2 })
  const back = visitor(app)
  expect((await back.post("/app/sign-in", { email, password: PASSWORD }, from("192.0.2.99"))).status).toBe(303)
})

describe("strangers' failures do not lock a person out of a browser in which they signed in before", () => {
  const given = async () => {
    const app = await startApp({ options: { trustProxy: "127.0.0.1" } })
    const { id, email } = await givenAccount(app)
    let network = 0
    /** One attempt from an address that nobody has used yet. */
    const attempt = (person: Visitor, password: string, address = email) =>
      person.post(
        "/app/sign-in",
        { email: address, password },
        {
          origin: app.url,
          "x-forwarded-for": `198.51.100.${++network}`,
        },
      )
    const attack = async () => {
      for (let i = 0; i < 10; i++) await attempt(visitor(app), "wrong horse battery")
      expect((await attempt(visitor(app), PASSWORD)).status).toBe(429)
    }
    return { app, id, email, attempt, attack, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
  }

  test("also after signing out, and as often as they like; the attack is slowed as before", async () => {
    await using at = await given()
    const owner = visitor(at.app)
    expect((await at.attempt(owner, PASSWORD)).status).toBe(303)
    for (let round = 0; round < 3; round++) {
      await owner.post("/app/sign-out")
      await at.attack()
      expect((await at.attempt(owner, PASSWORD)).status).toBe(303)
    }
  })

  test("but their own failures there are counted: the mark is no way to guess without end", async () => {
    await using at = await given()
    const owner = visitor(at.app)
    await at.attempt(owner, PASSWORD)
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await at.attempt(owner, "wrong horse battery")).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429])
    // Whoever has no mark is not affected by that either.
    expect((await at.attempt(visitor(at.app), PASSWORD)).status).toBe(303)
  })

  test("a mark is of one person, cannot be made up, and several people may share a browser", async () => {
    await using at = await given()
    const other = await givenAccount(at.app)
    const [shared, stranger] = [visitor(at.app), visitor(at.app)]
    await at.attempt(stranger, PASSWORD, other.email)
    await at.attempt(shared, PASSWORD, other.email)
    await at.attempt(shared, PASSWORD)
    await at.attack()
    expect((await at.attempt(stranger, PASSWORD)).status).toBe(429)
    expect((await at.attempt(shared, PASSWORD)).status).toBe(303)
    const mark = stranger.cookie(BROWSER_COOKIE) ?? ""
    for (const forged of [mark.replace(/^\d+/, String(at.id)), `${at.id}.x.y`, "~~~", "x".repeat(4_000)]) {
      const forger = visitor(at.app, new Map([[BROWSER_COOKIE, forged]]))
      expect((await at.attempt(forger, PASSWORD)).status).toBe(429)
    }
  })

  test("whoever knows the password, but not the code, does not lock them out of the second step", async () => {
    await using at = await given()
    const totp = new TOTP({ secret: "A".repeat(32) })
    const owner = visitor(at.app)
    await at.attempt(owner, PASSWORD)
    await at.app.store.twoFactor.enable(at.id, "A".repeat(32), [], { actor: "test", at: at.app.clock() })
    const thief = visitor(at.app)
    await at.attempt(thief, PASSWORD)
    for (let i = 0; i < 7; i++) await thief.post("/app/sign-in/code", { code: "000000" })
    expect((await thief.post("/app/sign-in/code", { code: "000000" })).status).toBe(429)
    await at.attempt(owner, PASSWORD)
    const code = totp.generate({ timestamp: at.app.clock() / 1_000 })
    expect((await owner.post("/app/sign-in/code", { code })).status).toBe(303)
  })
})

test("however many strangers sign in at once, whoever has signed in with this browser before gets in", async () => {
  await using app = await startApp()
  const { email } = await givenAccount(app)
  const [known, stranger] = [visitor(app), visitor(app)]
  expect((await signIn(known, email, PASSWORD)).status).toBe(303)
  await known.post("/app/sign-out")
  const leaving = new AbortController()
  const flood = Array.from({ length: 2 * HASHES_WAITING_MAX }, (_, i) =>
    checkPassword("wrong horse battery", null, { name: `${i}`, gone: leaving.signal }),
  )
  expect((await signIn(stranger, email, PASSWORD)).status).toBe(503)
  expect((await signIn(known, email, PASSWORD)).status).toBe(303)
  leaving.abort()
  await Promise.all(flood)
})

test("many failures from one address slow that address, whichever accounts it tries", async () => {
  await using app = await startApp()
  for (let i = 0; i < 5; i++) await signIn(visitor(app), `guess${i}@example.com`, "wrong horse battery")
  expect((await signIn(visitor(app), "another@example.com", "wrong horse battery")).status).toBe(429)
})

test("a session planted before signing in is worth nothing afterwards", async () => {
  await using app = await startApp()
  const { email } = await givenAccount(app)
  const planted = new Map([[SESSION_COOKIE, "planted-by-somebody-else"]])
  const victim = visitor(app, planted)
  await signIn(victim, email, PASSWORD)
  expect(victim.cookie(SESSION_COOKIE)).not.toBe("planted-by-somebody-else")
  const attacker = visitor(app, new Map([[SESSION_COOKIE, "planted-by-somebody-else"]]))
  expect((await attacker.get("/app/account")).status).toBe(303)
})

test("signing in anew ends the session of before", async () => {
  await using app = await startApp()
  const { email } = await givenAccount(app)
  const person = visitor(app)
  await signIn(person, email, PASSWORD)
  const old = visitor(app, new Map([[SESSION_COOKIE, person.cookie(SESSION_COOKIE) ?? ""]]))
  await signIn(person, email, PASSWORD)
  expect((await old.get("/app/account")).status).toBe(303)
  expect((await person.get("/app/account")).status).toBe(200)
})

test.each([
  ["http", {}, false],
  ["https", { publicUrl: "https://ads.example.com" }, true],
])("cookies are out of reach of scripts and other sites; over %s they are marked so", async (_, options, secure) => {
  await using app = await startApp({ options })
  const { email } = await givenAccount(app)
  const answer = await signIn(visitor(app), email, PASSWORD)
  const [cookie = ""] = answer.headers.getSetCookie()
  expect(cookie).toStartWith(secure ? `__Host-${SESSION_COOKIE}=` : `${SESSION_COOKIE}=`)
  expect(cookie).toContain("HttpOnly")
  expect(cookie).toContain("SameSite=Lax")
  expect(cookie).toContain(secure ? "Path=/;" : "Path=/app;")
  expect(cookie.includes("Secure")).toBe(secure)
  expect(cookie).not.toContain("Domain")
})

test("over https a session without the prefix, which a neighbour could have set, is none", async () => {
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" } })
  const { id } = await givenAccount(app)
  const { token } = await openSession(app, id, null)
  const status = async (name: string) => (await visitor(app, new Map([[name, token]])).get("/app/account")).status
  expect([await status(SESSION_COOKIE), await status(`__Host-${SESSION_COOKIE}`)]).toEqual([303, 200])
})

test("a session ends when nobody uses it for four days, and after two weeks in any case", async () => {
  await using app = await startApp()
  const { id } = await givenAccount(app)
  const [idle, used] = [await signedIn(app, id), await signedIn(app, id)]
  const status = async (person: Visitor) => (await person.get("/app/account")).status
  for (let day = 1; day <= 13; day++) {
    app.clock.advance({ days: 1 })
    expect([day, await status(used)]).toEqual([day, 200])
    if (day === 4) expect(await status(idle)).toBe(303)
  }
  app.clock.advance({ days: 1 })
  expect(await status(used)).toBe(303)
})

test("only a hash of the session's token is kept", async () => {
  await using app = await startApp()
  const { email } = await givenAccount(app)
  const person = visitor(app)
  await signIn(person, email, PASSWORD)
  const token = person.cookie(SESSION_COOKIE) ?? ""
  await using program = otherProgram(app)
  expect((await program.everything()).includes(token)).toBe(false)
  expect(app.logged.join("")).not.toContain(token)
})

test("sign out everywhere ends the sessions of every device", async () => {
  await using app = await startApp()
  const { id } = await givenAccount(app)
  const [phone, laptop] = [await signedIn(app, id), await signedIn(app, id)]
  await laptop.post("/app/sign-out/everywhere")
  expect((await phone.get("/app/account")).status).toBe(303)
  expect((await laptop.get("/app/account")).status).toBe(303)
})

test("signing in leads back to the page that was asked for, and never to another site", async () => {
  await using app = await startMarket()
  const { email } = await givenAccount(app)
  const asked = await visitor(app).get("/app/o/acme-audio/campaigns?from=50")
  expect(asked.headers.get("location")).toBe("/app/sign-in?next=%2Fapp%2Fo%2Facme-audio%2Fcampaigns%3Ffrom%3D50")
  for (const [next, leadsTo] of [
    ["/app/account", "/app/account"],
    ["//evil.example/app", "/app"],
    ["https://evil.example/", "/app"],
    ["/app//evil.example", "/app"],
    ["/app/..//evil.example", "/app"],
    ["/app\\evil", "/app"],
  ] as const) {
    const answer = await signIn(visitor(app), email, PASSWORD, next)
    expect([next, answer.headers.get("location")]).toEqual([next, leadsTo])
  }
})

async function turnOnCodes(app: TestApp, person: Visitor): Promise<{ totp: TOTP; recoveryCodes: string[] }> {
  const secret = /name="secret" value="([A-Z2-7]+)"/.exec(await person.read("/app/account/two-factor"))?.[1] ?? ""
  const totp = new TOTP({ secret, digits: 6, period: 30 })
  const code = totp.generate({ timestamp: app.clock() / 1_000 })
  const shown = await (await person.follow("/app/account/two-factor", { secret, code, password: PASSWORD })).text()
  const recoveryCodes = /<pre id="codes"[^>]*>([^<]+)</.exec(shown)?.[1]?.split("\n") ?? []
  return { totp, recoveryCodes }
}

test("the code that turned two-factor codes on opens nothing more", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  const { totp } = await turnOnCodes(app, await signedIn(app, id))
  const person = visitor(app)
  await signIn(person, email, PASSWORD)
  const code = totp.generate({ timestamp: app.clock() / 1_000 })
  expect((await person.post("/app/sign-in/code", { code })).status).toBe(422)
})

test("a session alone cannot put other two-factor codes in the place of those that are on", async () => {
  await using app = await startApp()
  const { id } = await givenAccount(app)
  const person = await signedIn(app, id)
  await turnOnCodes(app, person)
  expect((await person.get("/app/account/two-factor")).headers.get("location")).toBe("/app/account")
  const theirs = new TOTP({ secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", digits: 6, period: 30 })
  const code = theirs.generate({ timestamp: app.clock() / 1_000 })
  const replaced = await person.post("/app/account/two-factor", { secret: theirs.secret.base32, code })
  expect(await replaced.text()).not.toContain("Recovery codes")
})

test("with two-factor codes on, a password alone opens nothing, and a code works once", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  const { totp, recoveryCodes } = await turnOnCodes(app, await signedIn(app, id))
  expect(recoveryCodes).toHaveLength(8)
  app.clock.advance({ minutes: 5 })
  const person = visitor(app)
  const first = await signIn(person, email, PASSWORD, "/app/account")
  expect(first.headers.get("location")).toBe("/app/sign-in/code?next=%2Fapp%2Faccount")
  expect((await person.get("/app/account")).status).toBe(303)

  expect((await person.post("/app/sign-in/code", { code: "000000" })).status).toBe(422)
  const code = totp.generate({ timestamp: app.clock() / 1_000 })
  const second = await person.post("/app/sign-in/code", { code, next: "/app/account" })
  expect([second.status, second.headers.get("location")]).toEqual([303, "/app/account"])
  expect((await person.get("/app/account")).status).toBe(200)

  const again = visitor(app)
  await signIn(again, email, PASSWORD)
  expect((await again.post("/app/sign-in/code", { code })).status).toBe(422)
})

test("a recovery code opens the account once", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  const { recoveryCodes } = await turnOnCodes(app, await signedIn(app, id))
  const code = recoveryCodes[0]?.toUpperCase() ?? ""
  const attempt = async () => {
    const person = visitor(app)
    await signIn(person, email, PASSWORD)
    return (await person.post("/app/sign-in/code", { code })).status
  }
  expect(await attempt()).toBe(303)
  expect(await attempt()).toBe(422)
})

test("a password link leaves two-factor codes in force, and ends every session", async () => {
  await using app = await startApp()
  const { id } = await givenAccount(app)
  const session = await signedIn(app, id)
  await turnOnCodes(app, session)
  const link = await issuePasswordLink(app, id, "test")
  const answer = await visitor(app).post(link, { password: "another horse battery" })
  expect(answer.headers.get("location")).toBe("/app/sign-in")
  expect((await session.get("/app/account")).status).toBe(303)
  expect((await visitor(app).post(link, { password: "a third horse battery" })).status).toBe(404)
})

test("a password is changed only by whoever knows it, and everybody else is out", async () => {
  await using app = await startApp()
  const { id, email } = await givenAccount(app)
  const [here, elsewhere] = [await signedIn(app, id), await signedIn(app, id)]
  const wrong = await here.post("/app/account/password", { current: "not it at all", wanted: "another horse battery" })
  expect(wrong.status).toBe(422)
  const guess = () => here.post("/app/account/password", { current: "a guess", wanted: "another horse battery" })
  for (let i = 0; i < 6; i++) await guess()
  const slowed = await guess()
  expect([slowed.status, await slowed.text()]).toEqual([
    429,
    expect.stringMatching(/Please wait (1 second|\d+ seconds), then try again\./),
  ])
  app.clock.advance({ minutes: 10 })
  await here.post("/app/account/password", { current: PASSWORD, wanted: "another horse battery" })
  expect((await here.get("/app/account")).status).toBe(200)
  expect((await elsewhere.get("/app/account")).status).toBe(303)
  expect((await signIn(visitor(app), email, "another horse battery")).status).toBe(303)
})
