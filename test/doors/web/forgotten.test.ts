import { expect, test } from "bun:test"
import { startApp } from "../../harness.ts"
import { mailServer } from "../../jobs/alerts/mail-server.ts"
import { until } from "../../until.ts"
import { givenPerson } from "./given.ts"
import { visitor } from "./visitor.ts"

const PAGE = "/app/forgot-password"
const SENT = "Check your email"

/** A server that sends mail, and its only operator. */
async function given() {
  const close = new AsyncDisposableStack()
  const mail = close.use(await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] }))
  const options = { smtp: `smtp://127.0.0.1:${mail.port}?tls=no`, mailFrom: "ads@example.org" }
  const app = close.use(await startApp({ options }))
  const operator = await givenPerson(app, { isOperator: true })
  const { email = "" } = (await app.store.users.findByIds([operator]))[0] ?? {}
  const links = () =>
    mail.received.map(({ text }) => /\/app\/password\/\S+/.exec(text.replaceAll("=\r\n", ""))?.[0] ?? "")
  return { app, mail, email, links, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

test("the only operator gets a link by mail, which works once", async () => {
  await using at = await given()
  const olga = visitor(at.app)
  expect(await olga.read("/app/sign-in")).toContain(PAGE)
  expect(await (await olga.post(PAGE, { email: ` ${at.email.toUpperCase()} ` })).text()).toContain(SENT)
  await until(() => at.mail.received.length === 1)
  const [link = ""] = at.links()
  const set = await olga.post(link, { password: "a new and long password" })
  expect([set.status, set.headers.get("location")]).toEqual([303, "/app"])
  expect((await visitor(at.app).get(link)).status).toBe(404)
})

test("a link ends after an hour", async () => {
  await using at = await given()
  await visitor(at.app).post(PAGE, { email: at.email })
  await until(() => at.mail.received.length === 1)
  const [link = ""] = at.links()
  at.app.clock.advance({ minutes: 59 })
  expect((await visitor(at.app).get(link)).status).toBe(200)
  at.app.clock.advance({ minutes: 1 })
  expect((await visitor(at.app).get(link)).status).toBe(404)
})

test("a link leads to this server, whatever address a stranger asked at", async () => {
  await using at = await given()
  const host = "203.0.113.9"
  const headers = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" }
  expect((await visitor(at.app).post(PAGE, { email: at.email }, headers)).status).toBe(200)
  await until(() => at.mail.received.length === 1)
  const text = at.mail.received[0]?.text.replaceAll("=\r\n", "") ?? ""
  expect(text).toContain(`${at.app.url}/app/password/`)
  expect(text).not.toContain(host)
})

test("nobody learns whether an address has an account", async () => {
  await using at = await given()
  const answers: string[] = []
  for (const email of [at.email, "nobody@example.org"]) {
    const answer = await visitor(at.app).post(PAGE, { email })
    answers.push(`${answer.status} ${(await answer.text()).replaceAll(email, "ADDRESS")}`)
  }
  expect(answers[0]).toBe(answers[1] ?? "")
  // Not before the answer either: the time that a link takes to be stored would tell.
  const { entries } = await at.app.store.audit.list({ action: "issue password_link" }, { before: null, limit: 5 })
  expect(entries.map(({ actor }) => actor)).not.toContain("stranger")
  await until(() => at.mail.received.length === 1)
})

test("strangers fill no mailbox, end no link that is on its way, and are slowed, account or not", async () => {
  await using at = await given()
  const ask = (email: string) => visitor(at.app).post(PAGE, { email })
  for (const _ of [1, 2, 3]) expect((await ask(at.email)).status).toBe(200)
  await until(() => at.mail.received.length === 1)
  at.app.clock.advance({ minutes: 11 })
  await ask(at.email)
  await until(() => at.mail.received.length === 2)
  for (const link of at.links()) expect((await visitor(at.app).get(link)).status).toBe(200)
  expect((await ask("nobody@example.org")).status).toBe(200)
  const refused = await ask("somebody@example.org")
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true])
  expect(at.mail.received).toHaveLength(2)
})

test("without mail the page says how the command line does it", async () => {
  await using app = await startApp()
  await givenPerson(app, { isOperator: true })
  for (const page of [await visitor(app).read(PAGE), await (await visitor(app).post(PAGE, { email: "a@b.c" })).text()])
    expect(page).toContain("sudo adbooth user link EMAIL")
})
