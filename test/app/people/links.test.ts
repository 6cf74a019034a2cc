import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { browse } from "../../harness/browser/browse.ts"
import { issueSetupLink } from "../../harness/inside.ts"
import { until } from "../../harness/until.ts"
import { givenPerson, linkOn, PASSWORD, signedInBrowser, signInAs } from "./given.ts"

const MAIL = { smtp: "smtp://mail.example.com:587", mailFrom: "adbooth@example.com" }
const NEW_PASSWORD = "eight kites in june"

test("the set-up link makes the first operator, once", async () => {
  await using app = await startApp()
  const [first, second] = [await issueSetupLink(app), await issueSetupLink(app)]
  const open = browse(app)
  const page = await open(first ?? "")
  const refused = await page.send({ name: "Ada", email: "ada", newPassword: "password123" })
  expect(refused.text).toContain("Enter an email address like name@example.com.")
  expect(refused.text).toContain("Many people use this password")
  const welcome = await refused.send({ email: "Ada@Example.com", newPassword: PASSWORD })
  expect(welcome.text).toContain("Welcome. You’re the operator of this server.")

  expect((await browse(app)(first ?? "")).title).toStartWith("This link doesn’t work")
  expect((await browse(app)(second ?? "")).title).toStartWith("This link doesn’t work")
  expect(await issueSetupLink(app)).toBeNull()
  expect((await signInAs(browse(app), { email: "ada@example.com" })).path).toBe("/app/account")
})

test("a set-up link expires after 30 minutes", async () => {
  await using app = await startApp()
  const link = (await issueSetupLink(app)) ?? ""
  app.clock.advance({ seconds: 29 * 60 })
  expect((await browse(app)(link)).title).toStartWith("Welcome to Adbooth")
  app.clock.advance({ seconds: 60 })
  expect((await browse(app)(link)).status).toBe(404)
})

test("a forgotten password is reset by a mailed link, which ends all sessions", async () => {
  await using app = await startApp({ options: { ...MAIL, publicUrl: "https://ads.example.com" } })
  await givenPerson(app, { isOperator: true })
  const before = await signedInBrowser(app)
  const open = browse(app)
  const mailed = await (await open("/app/forgot-password")).send({ email: "Ana@example.com" })
  expect(mailed.text).toContain("can sign in here, a link is on its way")
  await until(() => app.world.letters.length === 1)
  const [letter] = app.world.letters
  expect(letter).toMatchObject({ to: "ana@example.com", subject: "Adbooth: choose a new password" })
  expect(letter?.text).toContain("Hello Ana Ruiz,")
  expect(letter?.text).toContain("https://ads.example.com/app/password/")

  const link = linkOn({ html: letter?.text ?? "" }, "password")
  const page = await open(link)
  expect(page.text).toContain("For Ana Ruiz, who signs in as ana@example.com .")
  expect((await page.send({ newPassword: "qwertyuiop" })).text).toContain("Many people use this password")
  expect((await page.send({ newPassword: NEW_PASSWORD })).text).toContain("Your password is set.")
  expect((await before("/app/account")).title).toStartWith("Sign in")
  expect((await open(link)).status).toBe(404)
  expect((await signInAs(browse(app))).status).toBe(422)
})

test("asking for a link doesn't reveal whether there is an account, and mails it at most every ten minutes", async () => {
  await using app = await startApp({ options: MAIL })
  await givenPerson(app, { isOperator: true })
  const ask = async (email: string) => (await browse(app)("/app/forgot-password")).send({ email })
  const [known, unknown] = [await ask("ana@example.com"), await ask("nobody@example.com")]
  expect(unknown.text).toBe(known.text.replaceAll("ana@", "nobody@"))
  await ask("ana@example.com")
  await until(() => app.world.letters.length === 1)
  app.clock.advance({ seconds: 601 })
  await ask("ana@example.com")
  await until(() => app.world.letters.length === 2)
  expect(app.world.letters.map(({ to }) => to)).toEqual(["ana@example.com", "ana@example.com"])
})

test("asking for links again and again must wait", async () => {
  await using app = await startApp({ options: MAIL })
  await givenPerson(app, { isOperator: true })
  const ask = async () => (await browse(app)("/app/forgot-password")).send({ email: "ana@example.com" })
  for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
})

test("without mail, the page says how the operator makes a link", async () => {
  await using app = await startApp()
  await givenPerson(app, { isOperator: true })
  const page = await browse(app)("/app/forgot-password")
  expect(page.text).toContain("This server doesn’t send mail yet.")
  expect(page.text).toContain("adbooth user link EMAIL")
})

test("the operator makes a password link, and a newer one replaces it", async () => {
  await using app = await startApp()
  await givenPerson(app, { isOperator: true })
  const benId = await givenPerson(app, { email: "ben@example.com", name: "Ben" })
  const open = await signedInBrowser(app)
  const makeLink = async () => {
    const shown = await (await open(`/app/operator/users/${benId}`)).form(`/app/operator/users/${benId}/link`).send()
    return linkOn(shown, "password")
  }
  const [first, second] = [await makeLink(), await makeLink()]
  expect((await browse(app)(first)).status).toBe(404)
  app.clock.advance({ hours: 71 })
  expect((await (await browse(app)(second)).send({ newPassword: NEW_PASSWORD })).path).toBe("/app")
  expect((await signInAs(browse(app), { email: "ben@example.com", password: NEW_PASSWORD })).path).toBe("/app/account")
})

test("a password link asks for the code as well if two-factor codes are on", async () => {
  await using app = await startApp()
  await givenPerson(app, { isOperator: true })
  const open = await signedInBrowser(app)
  const { TOTP } = await import("otpauth")
  const page = await open("/app/account/two-factor")
  const { secret } = new TOTP({ secret: page.fields["secret"] ?? "" })
  await page.send({ otp: TOTP.generate({ secret, timestamp: app.clock() / 1_000 }), password: PASSWORD })
  const shown = await (await open("/app/operator/users/1")).form("/app/operator/users/1/link").send()
  const stranger = browse(app)
  const set = await (await stranger(linkOn(shown, "password"))).send({ newPassword: NEW_PASSWORD })
  expect(set.text).toContain("Your password is set. Now sign in.")
  expect((await stranger("/app/account")).title).toStartWith("Sign in")
})
