import { expect, test } from "bun:test"
import { startApp, type TestApp, type TestAppOptions } from "../harness/app.ts"
import { givenLine, givenSeller, report } from "../harness/data/given.ts"
import { givenFeed, post } from "../harness/data/ingest.ts"
import { breakData, chooseInApp, lookForAlerts, noteAs, runJob } from "../harness/data/jobs.ts"
import { eachEngine } from "../harness/store.ts"
import { startWebhook, WEBHOOK_SECRET } from "../harness/world/webhook.ts"

const MAIL = { smtp: "smtp://me:pw@mail.example.com", mailFrom: "adbooth@example.com", alertTo: ["op@example.com"] }

const startWithMail = (given: TestAppOptions = {}) =>
  startApp({ ...given, options: { publicUrl: "https://ads.example.com", ...MAIL, ...given.options } })

/** Breaks the scheduled backup, or repairs it, and lets the schedule run. */
async function runBackup(app: TestApp, problem: string | null): Promise<void> {
  app.world.backupProblem = problem
  await runJob(app, "backups")
}

const BACKUPS = { backupEvery: 3_600_000_000 }

eachEngine((engine) => {
  test("an alert begins once and ends once, by mail, with a link to the page", async () => {
    await using app = await startWithMail({ engine, options: BACKUPS })
    await runBackup(app, "The disk is full.")
    await lookForAlerts(app)
    await lookForAlerts(app)
    expect(app.world.letters.map(({ subject }) => subject)).toEqual(["Adbooth: The last backup failed"])
    const [begun] = app.world.letters
    expect(begun?.to).toBe("op@example.com")
    expect(begun?.text).toContain("The disk is full.")
    expect(begun?.text).toContain("https://ads.example.com/app/operator/system")

    app.clock.advance({ hours: 2 })
    await runBackup(app, null)
    await lookForAlerts(app)
    await lookForAlerts(app)
    expect(app.world.letters).toHaveLength(2)
    expect(app.world.letters[1]).toMatchObject({ subject: "Adbooth: Resolved: The last backup failed" })
    expect(app.world.letters[1]?.text).toContain("A backup was made.")
    expect(app.world.letters[1]?.text).toContain("lasted 2 hours")
  })

  test("several at once share a message", async () => {
    await using app = await startWithMail({ engine, options: BACKUPS })
    await runBackup(app, "The disk is full.")
    await givenBehind(app)
    await lookForAlerts(app)
    expect(app.world.letters.map(({ subject }) => subject)).toEqual(["Adbooth: 2 alerts"])
  })
})

/** A line that should be nearly delivered, and has delivered nearly nothing. */
async function givenBehind(app: TestApp) {
  const seller = await givenSeller(app)
  const flight = { flightStart: "2026-11-01", flightEnd: "2026-11-20", booked: "100000" }
  const packageId = await givenLine(app, seller, flight)
  await report(app, seller, [{ package_id: packageId, impressions: 10, as_of: "2026-11-15T11:00:00Z" }])
  return { seller, packageId }
}

test("a line that is behind plan is an alert until it has caught up", async () => {
  await using app = await startWithMail()
  const { seller, packageId } = await givenBehind(app)
  await lookForAlerts(app)
  expect(app.world.letters[0]?.subject).toMatch(/“Pre-roll” of \S+ is 100% behind plan/)
  expect(app.world.letters[0]?.text).toContain("10 of 100,000 delivered")
  await report(app, seller, [{ package_id: packageId, impressions: 90_000, as_of: "2026-11-15T11:30:00Z" }])
  await lookForAlerts(app)
  expect(app.world.letters[1]?.text).toContain("It has caught up.")
})

test("a key that reports every hour is silent after a few, until it reports again", async () => {
  await using app = await startWithMail()
  const { key, packageId } = await givenFeed(app)
  const send = async () => {
    await post(app, { items: [{ package_id: packageId, impressions: 100 }] }, { key })
    await app.database.later.flush()
  }
  for (let hour = 0; hour < 6; hour++) {
    await send()
    app.clock.advance({ hours: 1 })
  }
  await lookForAlerts(app)
  expect(app.world.letters).toEqual([])
  app.clock.advance({ hours: 5 })
  await lookForAlerts(app)
  expect(app.world.letters[0]?.subject).toMatch(/The API key “Ad server” of \S+ has gone silent/)
  expect(app.world.letters[0]?.text).toContain("It usually reports every hour.")
  await send()
  await lookForAlerts(app)
  expect(app.world.letters[1]?.text).toContain("It reports again.")
})

test("copies that fail say what to do", async () => {
  const bucket = { backupTo: "s3://copies/adbooth", backupKey: "id:secret" }
  await using app = await startWithMail({ options: { ...BACKUPS, ...bucket } })
  app.world.bucketProblem = "The bucket is full."
  await runBackup(app, null)
  await lookForAlerts(app)
  expect(app.world.letters[0]?.subject).toBe("Adbooth: Backups aren't copied to the bucket")
  expect(app.world.letters[0]?.text).toContain("The bucket is full.")
})

test("an order that waits is an alert until it's answered, without a word that the buyer typed", async () => {
  await using app = await startWithMail()
  const columns = "id, code_hash, link_hash, buyer_key_id, product_id, state, asked_at, moved_at, moved_by"
  const product = JSON.stringify({ name: "City Walks" })
  const requester = JSON.stringify({ name: "Wanda Wanderlust" })
  await breakData(
    app,
    `INSERT INTO sale_order (${columns}, product, requester, terms)
      VALUES ('o1', 'a', 'b', 'k', 'p', 'asked', ${app.clock()}, 0, 'requester', '${product}', '${requester}', '{}')`,
  )
  await lookForAlerts(app)
  expect(app.world.letters[0]?.subject).toBe("Adbooth: An order for “City Walks” needs an answer")
  expect(app.world.letters[0]?.text).not.toContain("Wanda")
  await breakData(app, "UPDATE sale_order SET state = 'declined'")
  await lookForAlerts(app)
  expect(app.world.letters[1]?.text).toContain("It was answered, or it expired.")
})

test("a problem with HTTPS is an alert until it works again", async () => {
  await using app = await startWithMail()
  const note = { domains: ["a.example"], url: null, validUntil: null, failures: 1, triedAt: 0, nextTryAt: null }
  await noteAs(app, "note.https", { ...note, problem: "Nobody answers.", advice: "Open port 80." })
  await lookForAlerts(app)
  expect(app.world.letters[0]?.subject).toBe("Adbooth: HTTPS has a problem")
  expect(app.world.letters[0]?.text).toContain("Nobody answers. Open port 80.")
  await noteAs(app, "note.https", { ...note, problem: null, advice: "" })
  await lookForAlerts(app)
  expect(app.world.letters[1]?.text).toContain("It works again.")
})

test("little space on the disk is an alert, and a little more doesn't end it", async () => {
  await using app = await startWithMail()
  let free = 900_000_000
  Object.assign(app.database.health, { freeBytes: async () => free })
  await lookForAlerts(app)
  expect(app.world.letters[0]?.subject).toBe("Adbooth: Disk space is low")
  free = 1_050_000_000
  await lookForAlerts(app)
  expect(app.world.letters).toHaveLength(1)
  free = 5_000_000_000
  await lookForAlerts(app)
  expect(app.world.letters[1]?.subject).toBe("Adbooth: Resolved: Disk space is low")
})

test("a certificate that expires soon is an alert", async () => {
  await using app = await startWithMail()
  const day = 86_400_000_000
  const now = app.clock()
  const certificate = { names: ["ads.example.com"], issuer: "X", validFrom: now - 80 * day, validUntil: now + 10 * day }
  Object.assign(app.services.https, { certificate: () => certificate })
  await lookForAlerts(app)
  expect(app.world.letters[0]?.subject).toBe("Adbooth: The certificate of ads.example.com expires soon")
})

test("alerts of kinds that are turned off aren't sent, not even when they end", async () => {
  await using app = await startWithMail({ options: BACKUPS })
  const choice = { to: [], muted: ["backup_failed"], diskMegabytes: 1, webhook: null } as const
  await chooseInApp(app, "secret.alerts", choice)
  await runBackup(app, "The disk is full.")
  await lookForAlerts(app)
  expect(app.world.letters).toEqual([])
})

test("a mail server that is away gets the message later, and after a day it's given up", async () => {
  await using app = await startWithMail({ options: BACKUPS })
  await runBackup(app, "The disk is full.")
  app.world.mailProblem = "The server doesn't answer."
  await lookForAlerts(app)
  app.world.mailProblem = null
  app.clock.advance({ seconds: 40 })
  await runJob(app, "alert messages")
  expect(app.world.letters).toHaveLength(1)

  app.world.mailProblem = "The server doesn't answer."
  app.clock.advance({ hours: 2 })
  await runBackup(app, null)
  await lookForAlerts(app)
  for (let hour = 0; hour < 26; hour++) {
    app.clock.advance({ hours: 1 })
    await runJob(app, "alert messages")
  }
  app.world.mailProblem = null
  app.clock.advance({ hours: 2 })
  await runJob(app, "alert messages")
  expect(app.world.letters).toHaveLength(1)
  expect(app.logged.join("")).toContain("alert given up")
})

test("a webhook gets signed messages that the official library accepts, each with one ID for all attempts", async () => {
  await using app = await startApp({ options: BACKUPS })
  using receiver = startWebhook(app.clock)
  const webhook = { url: receiver.url, secret: WEBHOOK_SECRET }
  const choice = { to: [], muted: [], diskMegabytes: 1, webhook } as const
  await chooseInApp(app, "secret.alerts", choice)
  await runBackup(app, "The disk is full.")
  receiver.answer = () => new Response("busy", { status: 503 })
  await lookForAlerts(app)
  receiver.answer = () => new Response()
  app.clock.advance({ seconds: 60 })
  await runJob(app, "alert messages")

  expect(receiver.calls).toHaveLength(2)
  expect(receiver.calls[0]?.id).toBe(receiver.calls[1]?.id ?? "")
  expect(receiver.calls[1]?.payload).toMatchObject({
    type: "alerts.changed",
    alerts: [{ kind: "backup_failed", state: "began", url: `${app.url}/app/operator/system` }],
  })
  // Many services put a secret into the path.
  expect(app.logged.join("")).not.toContain("secret-path")
})

test("a webhook's redirect isn't followed", async () => {
  await using app = await startApp({ options: BACKUPS })
  using receiver = startWebhook(app.clock)
  using elsewhere = startWebhook(app.clock)
  receiver.answer = () => new Response(null, { status: 307, headers: { Location: elsewhere.url } })
  const webhook = { url: receiver.url, secret: WEBHOOK_SECRET }
  const choice = { to: [], muted: [], diskMegabytes: 1, webhook } as const
  await chooseInApp(app, "secret.alerts", choice)
  await runBackup(app, "The disk is full.")
  await lookForAlerts(app)
  expect([receiver.calls.length, elsewhere.calls.length]).toEqual([1, 0])
  expect(app.logged.join("")).toContain("status 307")
})
