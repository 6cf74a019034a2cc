import { expect, test } from "bun:test"
import { TOTP } from "otpauth"
import { startApp, type TestApp } from "../../harness/app.ts"
import { type Browse, browse } from "../../harness/browser/browse.ts"
import { givenPerson, PASSWORD, signedInBrowser, signInAs } from "./given.ts"

const WRONG = "This email address or password is wrong."

async function startWithAna() {
  const app = await startApp()
  await givenPerson(app, { isOperator: true })
  return { app, open: browse(app), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test("a signed-out visitor returns to the requested page after signing in", async () => {
  await using site = await startWithAna()
  const asked = await site.open("/app/operator/changes?q=key")
  expect(asked.title).toBe("Sign in · Adbooth")
  const page = await asked.send({ email: " ANA@example.com ", password: PASSWORD })
  expect(page.path).toBe("/app/operator/changes?q=key")
  expect(page.status).toBe(200)
})

test("the sign-in page leads only to our own pages", async () => {
  await using site = await startWithAna()
  for (const next of ["https://evil.example", "//evil.example", "/app//evil.example", "/app/\\evil.example", "/docs"]) {
    const page = await site.open(`/app/sign-in?next=${encodeURIComponent(next)}`)
    expect(page.fields["next"]).toBe("/app")
  }
})

test("a wrong password, an unknown address and an empty password get the same answer", async () => {
  await using site = await startWithAna()
  const answers = [
    await signInAs(site.open, { password: "nine boats at dusk" }),
    await signInAs(site.open, { email: "nobody@example.com" }),
    await signInAs(site.open, { password: "" }),
  ]
  for (const { status, html } of answers) {
    expect(status).toBe(422)
    expect(html).toContain(WRONG)
    expect(html).not.toContain("boats at dusk")
  }
})

test("after five failures each further attempt waits longer, and a right password doesn't help", async () => {
  await using site = await startWithAna()
  for (let i = 0; i < 5; i++) expect((await signInAs(site.open, { password: "wrong" })).html).toContain(WRONG)
  const slowed = await signInAs(site.open)
  expect(slowed.status).toBe(429)
  expect(slowed.text).toContain("Wait 1 second, then try again.")
  site.app.clock.advance({ seconds: 1 })
  expect((await signInAs(site.open, { password: "wrong" })).html).toContain(WRONG)
  expect((await signInAs(site.open)).text).toContain("Wait 2 seconds")
  site.app.clock.advance({ seconds: 2 })
  expect((await signInAs(site.open)).path).toBe("/app/account")
})

test("many attempts at once are slowed like one after the other", async () => {
  await using site = await startWithAna()
  const attempts = await Promise.all(
    Array.from({ length: 12 }, () => signInAs(browse(site.app), { password: "wrong" })),
  )
  const statuses = attempts.map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(7)
})

/** A browser at another address, behind a proxy that the server trusts. */
const browserAt = (app: TestApp, address: string) =>
  browse({
    ...app,
    fetch: (path, init = {}) =>
      app.fetch(path, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), "x-forwarded-for": address },
      }),
  })

test("failures from one address don't lock out another address", async () => {
  await using app = await startApp({ options: { trustProxy: ["127.0.0.1"] } })
  await givenPerson(app, { isOperator: true })
  const stranger = browserAt(app, "203.0.113.5")
  for (let i = 0; i < 6; i++) await signInAs(stranger, { password: "wrong" })
  expect((await signInAs(stranger)).status).toBe(429)
  expect((await signInAs(browserAt(app, "203.0.113.6"))).path).toBe("/app/account")
})

test("two passwords are checked at a time and sixteen wait, and everybody else is asked to come back", async () => {
  await using app = await startApp({ options: { trustProxy: ["127.0.0.1"] } })
  await givenPerson(app, { isOperator: true })
  const addresses = Array.from({ length: 24 }, (_, i) => `203.0.113.${i}`)
  // An unknown address takes as long as the password of a real account, and the people of tests have cheaper ones.
  const email = "nobody@example.com"
  const pages = await Promise.all(addresses.map((address) => signInAs(browserAt(app, address), { email })))
  const busy = pages.filter(({ status }) => status === 503)
  expect(busy).toHaveLength(6)
  expect(busy[0]?.text).toContain("Many people are signing in right now. Try again in a few seconds.")
  expect(busy[0]?.control("email")["value"]).toBe(email)
  expect((await signInAs(browserAt(app, "203.0.113.99"))).path).toBe("/app/account")
})

test("a session lasts 14 days, and ends after 4 days without use", async () => {
  await using site = await startWithAna()
  const isIn = async (open: Browse) => (await open("/app/account")).title.startsWith("Your account")
  await signInAs(site.open)
  for (const _ of [1, 2, 3, 4]) {
    site.app.clock.advance({ hours: 3 * 24 })
    expect(await isIn(site.open)).toBe(true)
  }
  site.app.clock.advance({ hours: 2 * 24 })
  expect(await isIn(site.open)).toBe(false)

  const idle = await signedInBrowser(site.app)
  site.app.clock.advance({ hours: 4 * 24 })
  expect(await isIn(idle)).toBe(false)
})

test("signing out ends the session, and signing in again gives a new token", async () => {
  await using site = await startWithAna()
  const first = await sessionCookie(site.app)
  const second = await sessionCookie(site.app)
  expect(second).not.toBe(first)
  const signedOut = await post(site.app, "/app/sign-out", {}, second)
  expect(signedOut.headers.get("clear-site-data")).toBe('"cache"')
  expect(await titleWith(site.app, second)).toStartWith("Sign in")
  expect(await titleWith(site.app, first)).toStartWith("Your account")
})

test("a new sign-in in the same browser ends the session before it", async () => {
  await using site = await startWithAna()
  const first = await sessionCookie(site.app)
  await post(site.app, "/app/sign-in", { email: "ana@example.com", password: PASSWORD }, first)
  expect(await titleWith(site.app, first)).toStartWith("Sign in")
})

test("cookies can't be read by scripts, and over HTTPS they belong to this origin only", async () => {
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" } })
  await givenPerson(app, { isOperator: true })
  const signIn = (host: string) =>
    app.fetch("/app/sign-in", {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ email: "ana@example.com", password: PASSWORD }),
      headers: { host, origin: `https://${host}` },
    })
  const [https = ""] = (await signIn("ads.example.com")).headers.getSetCookie()
  expect(https).toMatch(/^__Host-adbooth_session=[\w-]{43}; Path=\/; Max-Age=1209600; Secure; HttpOnly; SameSite=Lax$/)
  const [http = ""] = (await signIn(new URL(app.url).host)).headers.getSetCookie()
  expect(http).toMatch(/^adbooth_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/)
})

test("with two-factor codes on, a code follows the password and works once", async () => {
  await using site = await startWithAna()
  await signInAs(site.open)
  const { secret, recoveryCodes } = await turnOnCodes(site.app, site.open)
  expect(recoveryCodes).toHaveLength(8)

  const open = browse(site.app)
  const asked = await signInAs(open)
  expect(asked.title).toBe("Enter your code · Adbooth")
  expect((await asked.send({ otp: "000000" })).text).toContain("This code is wrong.")
  const used = codeAt(site.app, secret)
  expect((await asked.send({ otp: used })).text).toContain("This code is wrong.")
  site.app.clock.advance({ seconds: 30 })
  const code = codeAt(site.app, secret)
  expect((await asked.send({ otp: code })).path).toBe("/app/account")

  const again = await signInAs(browse(site.app))
  expect((await again.send({ otp: code })).text).toContain("This code is wrong.")
})

test("a recovery code signs in once, however it's typed", async () => {
  await using site = await startWithAna()
  await signInAs(site.open)
  const { recoveryCodes } = await turnOnCodes(site.app, site.open)
  const [first = ""] = recoveryCodes
  const asked = await signInAs(browse(site.app))
  const page = await asked.send({ otp: ` ${first.toUpperCase().replaceAll("-", " ")} ` })
  expect(page.text).toContain("You have 7 recovery codes left.")
  expect((await (await signInAs(browse(site.app))).send({ otp: first })).text).toContain("This code is wrong.")
})

test("guessing codes slows down, and after ten minutes the password is asked for again", async () => {
  await using site = await startWithAna()
  await signInAs(site.open)
  await turnOnCodes(site.app, site.open)
  const asked = await signInAs(browse(site.app))
  for (let i = 0; i < 5; i++) await asked.send({ otp: "000000" })
  expect((await asked.send({ otp: "000000" })).status).toBe(429)
  site.app.clock.advance({ seconds: 601 })
  expect((await asked.send({ otp: "000000" })).text).toContain("That took too long. Please sign in again.")
})

test("without an operator, the sign-in page says how to set up the server", async () => {
  await using app = await startApp()
  const page = await browse(app)("/app/sign-in")
  expect(page.title).toBe("Set up Adbooth · Adbooth")
  expect(page.text).toContain("adbooth user setup-link --data")
})

/** Turns on two-factor codes on the account page. */
async function turnOnCodes(app: TestApp, open: Browse) {
  const page = await open("/app/account/two-factor")
  const secret = page.fields["secret"] ?? ""
  const done = await page.send({ otp: codeAt(app, secret), password: PASSWORD })
  const recoveryCodes = done.text.match(/[0-9a-f]{5}(-[0-9a-f]{5}){3}/g) ?? []
  return { secret, recoveryCodes }
}

const codeAt = ({ clock }: TestApp, secret: string) =>
  TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: clock() / 1_000 })

const post = (app: TestApp, path: string, fields: Record<string, string>, cookie = "") =>
  app.fetch(path, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields),
    headers: { origin: app.url, cookie },
  })

async function sessionCookie(app: TestApp): Promise<string> {
  const response = await post(app, "/app/sign-in", { email: "ana@example.com", password: PASSWORD })
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

async function titleWith(app: TestApp, cookie: string): Promise<string> {
  const html = await (await app.fetch("/app/account", { headers: { cookie } })).text()
  return /<title>(.*?)<\/title>/.exec(html)?.[1] ?? ""
}
