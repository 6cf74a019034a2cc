import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { browse } from "../../harness/browser/browse.ts"
import { givenPerson, PASSWORD, signedInBrowser, signInAs } from "./given.ts"

async function startWithAna() {
  const app = await startApp()
  await givenPerson(app, { isOperator: true })
  return { app, open: await signedInBrowser(app), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test("people change their own name, and a key in it is masked", async () => {
  await using site = await startWithAna()
  const account = await site.open("/app/account")
  const refused = await account.form("/app/account/name").send({ name: "" })
  expect(refused.title).toStartWith("Error: Your account")
  expect(refused.html).toContain('<a href="#name">Enter a name.</a>')
  const key = `abi_${"x".repeat(38)}`
  const saved = await refused.form("/app/account/name").send({ name: `Ana ${key}` })
  expect(saved.text).toContain("Your name is saved.")
  expect(saved.html).not.toContain(key)
  expect((await site.open("/app/account")).control("name")["value"]).toBe("Ana abi_********")
})

test("changing the password needs the current one and ends all other sessions", async () => {
  await using site = await startWithAna()
  const other = await signedInBrowser(site.app)
  const form = (await site.open("/app/account")).form("/app/account/password")
  const wanted = "eight kites in june"

  const wrong = await form.send({ password: "wrong", newPassword: wanted })
  expect(wrong.html).toContain('<a href="#password">This password is wrong.</a>')
  expect(wrong.html).not.toContain(wanted)
  expect((await form.send({ password: PASSWORD, newPassword: wanted })).text).toContain("Your password is changed.")

  expect((await other("/app/account")).title).toStartWith("Sign in")
  expect((await site.open("/app/account")).title).toStartWith("Your account")
  expect((await signInAs(browse(site.app))).status).toBe(422)
  expect((await signInAs(browse(site.app), { password: wanted })).path).toBe("/app/account")
})

test("short and common passwords are refused", async () => {
  await using site = await startWithAna()
  const form = (await site.open("/app/account")).form("/app/account/password")
  const answerTo = async (newPassword: string) => (await form.send({ password: PASSWORD, newPassword })).text
  expect(await answerTo("nine char")).toContain("Choose a password with at least 10 characters.")
  expect(await answerTo("Password2026!")).toContain("Many people use this password")
  expect(await answerTo("1234567890")).toContain("Many people use this password")
})

test("wrong passwords on the account page are slowed like sign-ins", async () => {
  await using site = await startWithAna()
  const form = (await site.open("/app/account")).form("/app/account/password")
  const attempt = () => form.send({ password: "wrong", newPassword: "eight kites in june" })
  for (let i = 0; i < 5; i++) expect((await attempt()).status).toBe(422)
  expect((await attempt()).status).toBe(429)
})

test("people see where they're signed in, and sign out a lost browser or all others", async () => {
  await using site = await startWithAna()
  const [phone, laptop] = [await signedInBrowser(site.app), await signedInBrowser(site.app)]
  const account = await site.open("/app/account")
  expect(account.text).toContain("This one")
  const [end = ""] = /\/app\/account\/sessions\/\d+\/end/.exec(account.html) ?? []
  expect((await account.form(end).send()).text).toContain("That browser is signed out.")
  const stillIn = async () => {
    const pages = [await phone("/app/account"), await laptop("/app/account")]
    return pages.filter(({ title }) => title.startsWith("Your account")).length
  }
  expect(await stillIn()).toBe(1)
  await (await site.open("/app/account")).form("/app/account/sign-out-others").send()
  expect(await stillIn()).toBe(0)
  expect((await site.open("/app/account")).title).toStartWith("Your account")
})

test("the last use of a session is accurate to the minute", async () => {
  await using site = await startWithAna()
  await site.open("/app/account")
  site.app.clock.advance({ seconds: 600 })
  await site.open("/app/account")
  site.app.clock.advance({ seconds: 30 })
  expect((await site.open("/app/account")).text).toMatch(/This one .* just now/)
})

test("a person can't end another person's session", async () => {
  await using site = await startWithAna()
  await givenPerson(site.app, { email: "ben@example.com" })
  const ben = await signedInBrowser(site.app, "ben@example.com")
  await signedInBrowser(site.app)
  const account = await site.open("/app/account")
  const [end = ""] = /\/app\/account\/sessions\/\d+\/end/.exec(account.html) ?? []
  await ben("/app/account")
  const tried = await ben(end, { method: "POST", headers: { origin: site.app.url } })
  expect(tried.status).toBe(404)
  expect((await site.open("/app/account")).html).toContain(end)
})

test("two-factor codes are turned off with the password only", async () => {
  await using site = await startWithAna()
  const { TOTP } = await import("otpauth")
  const page = await site.open("/app/account/two-factor")
  expect(page.headers.get("cache-control")).toBe("no-store")
  const secret = new TOTP({ secret: page.fields["secret"] ?? "" }).secret
  const otp = TOTP.generate({ secret, timestamp: site.app.clock() / 1_000 })
  expect((await page.send({ otp, password: "wrong" })).text).toContain("This password is wrong.")
  await page.send({ otp, password: PASSWORD })
  expect((await site.open("/app/account/two-factor")).status).toBe(404)

  const off = await site.open("/app/account/two-factor/off")
  expect((await off.send({ password: "wrong" })).text).toContain("This password is wrong.")
  expect((await off.send({ password: PASSWORD })).text).toContain("Two-factor codes are off.")
})

test("the theme is remembered in the browser", async () => {
  await using site = await startWithAna()
  const answer = await site.app.fetch("/app/theme", {
    method: "POST",
    body: new URLSearchParams({ theme: "dark" }),
    headers: { origin: site.app.url },
    redirect: "manual",
  })
  const [cookie = ""] = answer.headers.getSetCookie()
  const page = await site.app.fetch("/app/sign-in", { headers: { cookie: cookie.split(";")[0] ?? "" } })
  expect(await page.text()).toContain('<html lang="en" data-theme="dark">')
})
