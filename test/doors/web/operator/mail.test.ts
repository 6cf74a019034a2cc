import { expect, test } from "bun:test"
import { ON_POSTGRES } from "../../../engine.ts"
import { startApp } from "../../../harness.ts"
import { mailServer } from "../../../jobs/alerts/mail-server.ts"
import { adbooth } from "../../cli/in-process.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

const PAGE = "/app/operator/system/mail"
const PASSWORD = "a-password-nobody-sees"

const form = (port: number, more: Record<string, string> = {}) => ({
  ...{ host: "127.0.0.1", port: String(port), tls: "none", user: "", password: "" },
  ...{ from: "ads@example.org", from_name: "Lighthouse Audio", to: "ada@example.org", ...more },
})

test("a mail server is saved once it accepted a test message; then links are mailed, and still shown", async () => {
  await using mail = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] })
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/system")).toContain("aren’t emailed")
  await olga.post(PAGE, form(mail.port))
  expect(mail.received).toMatchObject([{ to: ["ada@example.org"] }])
  expect(await olga.read("/app/operator/system")).toContain("ads@example.org")
  await olga.post("/app/operator/organizations/new", { slug: "acme", name: "Acme", time_zone: "UTC" })
  const made = await olga.post("/app/o/acme/members", { name: "Ben", email: "ben@example.org", role: "member" })
  expect(made.status).toBe(303)
  expect(mail.received.at(-1)).toMatchObject({ to: ["ben@example.org"] })
})

test("what does not work is not saved, and what was typed stays, except the password", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const refused = await olga.post(PAGE, form(1, { tls: "starttls", user: "ads", password: PASSWORD }))
  const page = await refused.text()
  expect([refused.status, page]).toEqual([422, expect.stringMatching(/nothing was saved.*Check the port/s)])
  expect(page).toContain('value="Lighthouse Audio"')
  expect(page).not.toContain(PASSWORD)
  expect(await olga.read("/app/operator/system")).toContain("aren’t emailed")
  expect(app.logged.join("")).not.toContain(PASSWORD)
})

test.skipIf(ON_POSTGRES)("a password is in no export", async () => {
  await using mail = await mailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true })
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  await olga.post(PAGE, form(mail.port))
  const { out } = await adbooth(["export", "--all", "-", "--data", app.config.data])
  expect(out).toContain('"setting"')
  expect(out).not.toContain("smtp://")
})

test("the reminder that nobody is alerted can be dismissed", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/system")).toContain("No alerts are set up")
  await olga.post("/app/operator/system/alerts/dismiss", {})
  expect(await olga.read("/app/operator/system")).not.toContain("No alerts are set up")
})
