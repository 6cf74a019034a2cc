import { expect, test } from "bun:test"
import { createServer } from "node:tls"
import { alertStatus } from "../../../src/actions/alerts/alert-status.ts"
import { resolveSettings } from "../../../src/config.ts"
import { openChannels } from "../../../src/jobs/alerts/channels.ts"
import { certificateAt } from "../../../src/jobs/alerts/network.ts"
import { demoConfig } from "../../../src/server/serve.ts"
import { givenPerson } from "../../doors/web/given.ts"
import { signedIn } from "../../doors/web/visitor.ts"
import { ON_POSTGRES } from "../../engine.ts"
import { startApp, type TestApp, temporaryFolder } from "../../harness.ts"
import { freshDatabase, noPostgres } from "../../storage/postgres/server.ts"
import { until } from "../../until.ts"
import { mailServer, selfSigned } from "./mail-server.ts"
import { receiver } from "./receiver.ts"

// Those that wait for the next look of a server, ten seconds later, wait together.

const SECRET = "0123456789abcdef-SECRET"

const optionsFor = (url: string) => ({
  alertWebhook: url,
  alertWebhookSecret: SECRET,
  alertAllowPrivate: "127.0.0.0/8",
})

// The disk of the tests has a terabyte, which is never enough for this.
const chosen = { alert_disk_mb: "1000000000" }

async function whenLogged(app: TestApp, event: string): Promise<string> {
  const line = () => app.logged.find((one) => one.includes(`"event":"${event}"`))
  await until(() => line() !== undefined)
  return line() ?? ""
}

test("a server with alerts looks at once, sends, remembers it over a restart, and shows it to the operator", async () => {
  await using inbox = receiver()
  const options = optionsFor(inbox.url)
  await using app = await startApp({ options, chosen })
  await whenLogged(app, "alert sent")
  expect(inbox.news()).toMatchObject([[{ kind: "disk_low", state: "began", url: `${app.url}/app/operator/system` }]])
  await using again = await startApp({ beside: app, options })
  const olga = await signedIn(again, await givenPerson(again, { isOperator: true }))
  const html = await olga.read("/app/operator/system")
  expect(html).toMatch(/webhook to http:\/\/127\.0\.0\.1:\d+\/\*\*\*: last sent on 15 Nov 2026, 12:00 UTC/)
  expect(inbox.heard).toEqual([])
  const shown = [html, ...app.logged, ...again.logged].join("\n")
  expect([shown.includes("T0KEN"), shown.includes(SECRET)]).toEqual([false, false])
})

test("what cannot be sent is logged and shown, and stops neither requests nor the end of the server", async () => {
  await using inbox = receiver(() => new Response("no", { status: 500 }))
  const app = await startApp({ options: optionsFor(inbox.url), chosen })
  expect(await whenLogged(app, "alert not sent")).toContain('"problem":"The receiver answered with status 500."')
  const { channels } = await alertStatus(app.store)
  expect(channels).toMatchObject([{ name: "webhook", failing: { attempts: 1 } }])
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/system")).toMatch(/Needs attention.*not sent on .*answered with status 500/s)
  await app[Symbol.asyncDispose]()
})

test("a server ends while a receiver keeps it waiting", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  const app = await startApp({ options: optionsFor(`http://127.0.0.1:${silent.port}/`), chosen })
  await until(async () => (await app.store.alerts.messages(1))[0]?.attempts === 1)
  await app[Symbol.asyncDispose]()
  silent.stop(true)
})

test.concurrent("an operator chooses in the app who gets alerts by email, and what the server was started with goes first", async () => {
  await using mail = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] })
  const smtp = { smtp: `smtp://127.0.0.1:${mail.port}?tls=no` }
  const [page, form] = ["/app/operator/system", "/app/operator/system/alerts"]
  await using plain = await startApp({ chosen })
  const person = await givenPerson(plain, { isOperator: true })
  const olga = await signedIn(plain, person)
  expect(await olga.read(page)).toMatch(/No alerts are set up.*Set up alerts/s)
  await using app = await startApp({ beside: plain, options: smtp })
  const there = await signedIn(app, person)
  const refused = await there.post(form, { to: "nobody" })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("is not an email address")])
  expect((await there.post(form, { to: `${"a".repeat(250)}@example.com` })).status).toBe(422)
  await there.post(form, { to: "ops@example.com", kinds: "disk_low" })
  expect(await there.read(page)).toMatch(/email to ops@example.com through 127.0.0.1:\d+: nothing sent yet/)
  await until(() => mail.received.length > 0)
  expect(mail.received).toMatchObject([{ to: ["ops@example.com"] }])
  await there.post(form, { to: "" })
  expect((await alertStatus(app.store)).channels).toEqual([])
  await there.post(form, { to: "ops@example.com" })
  expect(await olga.read(page)).toContain("Nobody is alerted")
  await using pinned = await startApp({ beside: plain, options: { ...smtp, alertTo: "boss@example.com" } })
  expect((await alertStatus(pinned.store)).channels).toMatchObject([
    { target: expect.stringMatching(/^boss@example.com through/) },
  ])
  const visitor = await signedIn(pinned, person)
  expect(await visitor.read(form)).toContain("started with --alert-to: boss@example.com")
  // With a form from before the restart.
  await visitor.post(form, { to: "olga@example.com", kinds: "disk_low" })
  expect((await alertStatus(pinned.store)).channels).toMatchObject([{ target: expect.stringMatching(/^boss@/) }])
})

test.concurrent("an address that no alert reaches is not replaced by a press on its row", async () => {
  await using mail = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] })
  const smtp = `smtp://127.0.0.1:${mail.port}?tls=no`
  await mail[Symbol.asyncDispose]()
  await using app = await startApp({ options: { smtp }, chosen })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  await olga.post("/app/operator/system/alerts", { to: "ops@example.com", kinds: "disk_low" })
  await until(async () => (await alertStatus(app.store)).channels.some(({ failing }) => failing !== null))
  expect(await olga.read("/app/operator/system")).toMatch(
    /Alerts do not arrive(?!.*Send alerts here).*How to set it up/s,
  )
})

test("without settings there are no alerts", async () => {
  await using app = await startApp()
  expect(await alertStatus(app.store)).toEqual({ channels: [] })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/system")).toMatch(/alerts<.*?>OK<.*?>off</s)
})

test("the demo sends none about what it made up, whatever the settings are", async () => {
  const environment = {
    ADBOOTH_SMTP: "smtp://mail.example.com",
    ADBOOTH_ALERT_TO: "ops@example.com",
    ADBOOTH_ALERT_WEBHOOK: "https://hooks.example.com",
    ADBOOTH_ALERT_WEBHOOK_SECRET: SECRET,
  }
  const { config, problems } = resolveSettings({}, environment)
  expect(problems).toEqual([])
  expect(await openChannels(demoConfig(config, "x"), () => 0)).toEqual([])
})

test("a file that a variable names holds the value, and what is wrong with it is said without its content", async () => {
  using folder = temporaryFolder()
  const file = `${folder.path}/smtp`
  const read = (ADBOOTH_SMTP_FILE: string) =>
    resolveSettings({}, { ADBOOTH_SMTP_FILE, ADBOOTH_ALERT_TO: "a@example.com" })
  await Bun.write(file, "smtp://me:hunter2@mail.example.com\n")
  expect(read(file)).toMatchObject({ problems: [], config: { smtp: "smtp://me:hunter2@mail.example.com" } })
  await Bun.write(file, "smtp://me:hunter2@mail.example.com/x\n")
  const [problem] = read(file).problems
  expect(problem).toStartWith("ADBOOTH_SMTP_FILE must have nothing after the port")
  expect(problem).not.toContain("hunter2")
  expect(read(`${folder.path}/none`).problems).toEqual([`ADBOOTH_SMTP_FILE: There is no file ${folder.path}/none.`])
  const twice = resolveSettings({}, { ADBOOTH_SMTP_FILE: file, ADBOOTH_SMTP: "smtp://x.example" })
  expect(twice.problems.join()).toContain("Give ADBOOTH_SMTP or ADBOOTH_SMTP_FILE, not both.")
})

test("a variable of an earlier build goes on being read or is named with what to do, once", () => {
  const { config, warnings, problems } = resolveSettings(
    {},
    { ADBOOTH_ALERT_SMTP: "smtp://mail.example.com", ADBOOTH_ALERT_FROM: "a@example.com", ADBOOTH_PRESETS: "x" },
  )
  expect([config.smtp, config.mailFrom, problems]).toEqual(["smtp://mail.example.com", "a@example.com", []])
  expect(warnings).toEqual([
    "ADBOOTH_ALERT_SMTP is now called ADBOOTH_SMTP. It is still read: rename it.",
    "ADBOOTH_ALERT_FROM is now called ADBOOTH_MAIL_FROM. It is still read: rename it.",
    "ADBOOTH_PRESETS is no longer used; remove it: somebody says once in the app how such a file is read.",
  ])
})

test("the certificate of an https address is read, whoever signed it, and nothing else is one", async () => {
  const { cert, key } = selfSigned(9)
  const server = createServer({ cert, key }, (socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { port: number }
  const found = await certificateAt(`https://localhost:${port}`)
  expect(found?.host).toBe("localhost")
  expect(((found?.validUntil ?? 0) - (found?.validFrom ?? 0)) / 86_400_000_000).toBeCloseTo(9)
  server.close()
  expect(await certificateAt(`https://localhost:${port}`)).toBeNull()
  expect(await certificateAt(`http://localhost:${port}`)).toBeNull()
  const mute = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  expect(await certificateAt(`https://127.0.0.1:${mute.port}`, 100)).toBeNull()
  mute.stop(true)
})

test.skipIf(noPostgres !== null || ON_POSTGRES)("of several replicas one sends each alert", async () => {
  await using database = await freshDatabase()
  await using inbox = receiver()
  await using opened = new AsyncDisposableStack()
  const first = opened.use(await startApp({ options: { databaseUrl: database.url }, chosen }))
  const options = { ...optionsFor(inbox.url), databaseUrl: database.url }
  const replicas = await Promise.all(
    Array.from({ length: 3 }, async () => opened.use(await startApp({ beside: first, options }))),
  )
  await Promise.race(replicas.map((replica) => whenLogged(replica, "alert sent")))
  // Whoever takes over later finds it sent.
  first.clock.advance({ minutes: 30 })
  const late = opened.use(await startApp({ beside: first, options }))
  await until(async () => (await late.store.alerts.due(first.clock(), 9)).length === 0)
  expect(inbox.news()).toMatchObject([[{ kind: "disk_low" }]])
})
