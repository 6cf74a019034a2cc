import { describe, expect, test } from "bun:test"
import { chooseAlerts } from "../../../src/actions/alerts/alert-choice.ts"
import { ALERT_KINDS } from "../../../src/domain/alerts/alert.ts"
import { adbooth as executable, hasBinary } from "../../binary.ts"
import { startApp, type TestApp, temporaryFolder } from "../../harness.ts"
import { mailServer, selfSigned } from "../../jobs/alerts/mail-server.ts"
import { receiver } from "../../jobs/alerts/receiver.ts"
import { until } from "../../until.ts"
import { adbooth } from "./in-process.ts"

const SECRET = "0123456789abcdef-SECRET"

const webhookTo = (url: string) => ({
  ADBOOTH_ALERT_WEBHOOK: url,
  ADBOOTH_ALERT_WEBHOOK_SECRET: SECRET,
  ADBOOTH_ALERT_ALLOW_PRIVATE: "127.0.0.1",
})

function on({ config }: TestApp, ...words: string[]) {
  const place = config.databaseUrl === null ? ["--data", config.data] : ["--database-url", config.databaseUrl]
  return adbooth([...words, ...place])
}

describe("alerts on the command line", () => {
  test.if(hasBinary)("a test message goes to every place in the settings, from the executable itself", async () => {
    using folder = temporaryFolder()
    const tls = selfSigned()
    await Bun.write(`${folder.path}/ca.pem`, tls.cert)
    await using mail = await mailServer({ ...tls, onAuth: ({ username }, _, done) => done(null, { user: username }) })
    await using inbox = receiver()
    const env = {
      ...webhookTo(inbox.url),
      ADBOOTH_ALERT_SMTP: `smtp://me:hunter2hunter2@localhost:${mail.port}`,
      ADBOOTH_ALERT_TO: "ops@example.com",
      ADBOOTH_PUBLIC_URL: "https://ads.example.com",
      NODE_EXTRA_CA_CERTS: `${folder.path}/ca.pem`,
    }
    const { code, out, err } = await executable(["alerts", "test"], { env })
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `sent  email to ops@example.com through localhost:${mail.port}\nsent  webhook to http://127.0.0.1:${inbox.port}/***\n`,
      err: "",
    })
    expect(mail.received).toMatchObject([{ to: ["ops@example.com"], isEncrypted: true }])
    expect(mail.received[0]?.text).toContain("Subject: Adbooth: Test alert")
    expect(JSON.parse(inbox.heard[0]?.body ?? "")).toMatchObject({
      type: "alerts.test",
      text: "This is a test. Alerts from https://ads.example.com arrive here.",
      alerts: [],
    })
    const { out: settings } = await adbooth(["doctor", "--settings"], { env })
    expect(settings).not.toMatch(/hunter2|T0KEN|abcdef/)
    expect(settings).toContain("smtp://me:***@localhost")
  })

  test("what did not work is said, and the exit code is 1", async () => {
    await using inbox = receiver(() => new Response(null, { status: 503 }))
    const refused = await adbooth(["alerts", "test"], { env: webhookTo(inbox.url) })
    expect(refused).toMatchObject({ code: 1, err: "A message was not sent.\n" })
    expect(refused.out).toContain("NOT SENT  webhook to http://127.0.0.1")
    expect(refused.out).toContain("The receiver answered with status 503.")
    const { ADBOOTH_ALERT_ALLOW_PRIVATE: _, ...closed } = webhookTo(inbox.url)
    const { out } = await adbooth(["alerts", "test", "--json"], { env: closed })
    expect(JSON.parse(out)).toMatchObject([
      { channel: "webhook", sent: false, problem: expect.stringContaining("not a public address") },
    ])
    expect(inbox.heard).toHaveLength(1)
  })

  test("without an address in the settings, a test message goes to the one that was chosen in the app", async () => {
    await using app = await startApp()
    await chooseAlerts(app, { to: ["olga@example.com"], kinds: ALERT_KINDS, webhook: null, channels: [] }, "test")
    const place =
      app.config.databaseUrl === null
        ? { ADBOOTH_DATA: app.config.data }
        : { ADBOOTH_DATABASE_URL: app.config.databaseUrl }
    const env = { ...place, ADBOOTH_ALERT_SMTP: "smtp://localhost:1" }
    expect((await adbooth(["alerts", "test"], { env })).out).toContain("email to olga@example.com through localhost:1")
  })

  test("a webhook that was chosen in the app is tried as the server would, in the networks that it was started with", async () => {
    await using inbox = receiver()
    await using app = await startApp({ options: { alertAllowPrivate: "127.0.0.0/8" } })
    const webhook = { url: inbox.url, secret: "a secret of enough characters" }
    await chooseAlerts(app, { to: [], kinds: ALERT_KINDS, webhook, channels: [] }, "test")
    expect(await on(app, "alerts", "test")).toMatchObject({ code: 0, out: expect.stringContaining("sent  webhook") })
    expect(inbox.heard).toHaveLength(1)
  })

  test("without settings it is wrong usage, and says how to switch alerts on", async () => {
    const { code, err } = await adbooth(["alerts", "test"])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("Set them up in the app under System") })
  })

  test("the doctor says where alerts go, and what failed", async () => {
    await using inbox = receiver(() => new Response(null, { status: 500 }))
    await using app = await startApp({
      // The program has a clock of its own.
      now: new Date().toISOString(),
      options: {
        alertWebhook: inbox.url,
        alertWebhookSecret: SECRET,
        alertAllowPrivate: "127.0.0.0/8",
        alertDiskMb: "1000000000",
      },
    })
    await until(() => app.logged.some((line) => line.includes("alert not sent")))
    const doctor = await on(app, "doctor")
    expect(doctor.code).toBe(1)
    expect(doctor.out).toMatch(/WRONG alerts: webhook to .*answered with status 500/)
    expect(`${doctor.out}${doctor.err}`).not.toMatch(/T0KEN|abcdef/)
  })
})
