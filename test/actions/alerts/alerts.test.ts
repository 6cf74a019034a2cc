import { describe, expect, test } from "bun:test"
import { chooseAlerts } from "../../../src/actions/alerts/alert-choice.ts"
import { checkAlerts } from "../../../src/actions/alerts/check-alerts.ts"
import type { AlertSurroundings } from "../../../src/actions/alerts/find-causes.ts"
import { sendAlerts } from "../../../src/actions/alerts/send-alerts.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { changeBackupSchedule } from "../../../src/actions/operations/backups.ts"
import { ALERT_KINDS, type Certificate } from "../../../src/domain/alerts/alert.ts"
import { parseCidr } from "../../../src/domain/callers/client-address.ts"
import { formatMoment, MICROS_PER_DAY, type Moment } from "../../../src/domain/time/moment.ts"
import { webhookChannel } from "../../../src/jobs/alerts/channels.ts"
import { givenMarket, givenPerson, LINE } from "../../doors/web/given.ts"
import { givenOrder, startShop } from "../../doors/web/given-sale.ts"
import { signedIn } from "../../doors/web/visitor.ts"
import { givenIngestKey } from "../../given.ts"
import { nextTurn, startApp, type TestApp } from "../../harness.ts"
import { receiver } from "../../jobs/alerts/receiver.ts"

const LOOPBACK = [parseCidr("127.0.0.0/8")].filter((block) => block !== undefined)
const MEBIBYTE = 1_048_576

/** An installation whose alerts go to a receiver; `check` is what the job does every few minutes. */
async function watched(answer?: () => Response) {
  const opened = new AsyncDisposableStack()
  const app = opened.use(await startApp())
  await givenMarket(app)
  const inbox = opened.use(receiver(answer))
  const around = { free: 10 ** 12, certificate: null as Certificate | null, backupEvery: null as Moment | null }
  const surroundings: AlertSurroundings = {
    diskFreeBytes: async () => around.free,
    diskFreeBytesMin: 100 * MEBIBYTE,
    get backupEvery() {
      return around.backupEvery
    },
    certificate: async () => around.certificate,
    pause: nextTurn,
  }
  const secret = "a secret of some length"
  const channel = webhookChannel({ url: inbox.url, secret, allowed: LOOPBACK, clock: app.clock })
  const send = (context: TestApp = app) => sendAlerts(context, [channel], { origin: app.url })
  const check = async (context: TestApp = app) => {
    await checkAlerts(context, surroundings, ["webhook"])
    await send(context)
  }
  return {
    app,
    inbox,
    around,
    channel,
    send,
    check,
    /** What arrived of one check, as "state: title". */
    async look(context: TestApp = app): Promise<string[]> {
      await check(context)
      return inbox.news().flatMap((alerts) => alerts.map(({ state, title }) => `${state}: ${title}`))
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function report(app: TestApp, key: string, impressions: number): Promise<void> {
  const items = [{ package_id: LINE, impressions, as_of: formatMoment(app.clock()) }]
  const answer = await app.fetch("/api/ingest/delivery/metrics", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ items }),
  })
  expect(await answer.json()).toMatchObject({ accepted: 1 })
}

async function acmeKey(app: TestApp): Promise<string> {
  const acme = await app.store.organizations.findBySlug("acme-audio")
  return givenIngestKey(app, { id: acme?.id ?? 0, slug: "acme-audio" })
}

// The plan of the line on 2026-11-15 at noon is 241,319 of 500,000.
const ON_PLAN = 240_000
const BEHIND = 100_000

describe("alerts", () => {
  test("nothing is sent while nothing is wrong", async () => {
    await using at = await watched()
    expect(await at.look()).toEqual([])
    expect(await at.app.store.alerts.messages(9)).toEqual([])
  })

  test("a silent feed is told once, by the rule of feed activity, and once more when it reports again", async () => {
    await using at = await watched()
    const { app } = at
    const key = await acmeKey(app)
    for (let n = 0; n < 6; n++) {
      await report(app, key, ON_PLAN + n)
      app.clock.advance({ hours: 1 })
    }
    await app.store.flushWriteBuffer()
    expect(await at.look()).toEqual([])
    app.clock.advance({ hours: 3 })
    const [told] = await at.look()
    expect(told).toMatch(/^began: The API key “key \d+” of Acme Audio has gone silent$/)
    expect(await at.look()).toEqual([])
    app.clock.advance({ hours: 5 })
    expect(await at.look()).toEqual([])
    await report(app, key, ON_PLAN + 10_000)
    await app.store.flushWriteBuffer()
    expect(await at.look()).toEqual([told?.replace("began", "resolved") ?? ""])
    expect(await at.look()).toEqual([])
    app.clock.advance({ hours: 12 })
    expect(await at.look()).toEqual([told ?? ""])
    const [listed] = await app.store.ingestKeys.list(null)
    await app.store.ingestKeys.revoke(listed?.id ?? "", null, { actor: "test", at: app.clock() })
    await at.check()
    expect(at.inbox.news()[0]?.[0]).toMatchObject({ state: "resolved", detail: "Its key is no longer in use." })
  })

  test("a line behind plan is told by the rule of Today, and again when it has caught up", async () => {
    await using at = await watched()
    const { app } = at
    const key = await acmeKey(app)
    await report(app, key, BEHIND)
    expect(await at.look()).toEqual(["began: “Pre-roll” of Acme Audio is 59% behind plan"])
    app.clock.advance({ hours: 1 })
    await report(app, key, BEHIND + 1)
    expect(await at.look()).toEqual([])
    app.clock.advance({ hours: 1 })
    await report(app, key, ON_PLAN)
    await at.check()
    const [heard] = at.inbox.heard
    expect(JSON.parse(heard?.body ?? "")).toMatchObject({
      text: "Resolved: “Pre-roll” of Acme Audio is 59% behind plan.\nIt has caught up.\nIt began on 15 Nov 2026, 12:00 UTC and lasted 2 hours.",
      alerts: [{ state: "resolved", detail: "It has caught up." }],
    })
  })

  test("a line behind plan that has no recent figures is not called resolved, until it no longer runs", async () => {
    await using at = await watched()
    const { app } = at
    await report(app, await acmeKey(app), BEHIND)
    expect(await at.look()).toHaveLength(1)
    app.clock.advance({ days: 3 })
    expect(await at.look()).toEqual([])
    app.clock.set("2026-12-01T12:00:00Z")
    await at.check()
    expect(at.inbox.news()[0]?.[0]).toMatchObject({ state: "resolved", detail: "It is no longer running." })
  })

  test("a failed backup, a full disk and an ending certificate are told together, in one message", async () => {
    await using at = await watched()
    const { app, around } = at
    const last = { at: app.clock(), ok: false, file: "x", bytes: 0, rows: 0, problem: "No space left on device" }
    await app.store.settings.set("last_backup", JSON.stringify(last))
    around.free = 99 * MEBIBYTE
    const validFrom = app.clock() - 80 * MICROS_PER_DAY
    around.certificate = { host: "ads.example.com", validFrom, validUntil: app.clock() + 10 * MICROS_PER_DAY }
    expect(await at.look()).toEqual([
      "began: The last backup failed",
      "began: Disk space is low",
      "began: The TLS certificate of ads.example.com ends soon",
    ])
    const details = (await app.store.alerts.lasting()).map(({ detail }) => detail)
    expect(details).toContain("On 15 Nov 2026, 12:00 UTC: No space left on device")
    await app.store.settings.set("last_backup", JSON.stringify({ ...last, ok: true, problem: null }))
    // Only a little more than the limit: it may be gone again with the next file.
    around.free = 105 * MEBIBYTE
    // It could not be read this time, which says nothing.
    around.certificate = null
    expect(await at.look()).toEqual(["resolved: The last backup failed"])
    around.free = 111 * MEBIBYTE
    around.certificate = { host: "ads.example.com", validFrom, validUntil: app.clock() + 90 * MICROS_PER_DAY }
    expect(await at.look()).toEqual([
      "resolved: The TLS certificate of ads.example.com ends soon",
      "resolved: Disk space is low",
    ])
  })

  test("scheduled backups that stop coming are told, but not where none are scheduled", async () => {
    await using at = await watched()
    const last = { at: at.app.clock(), ok: true, file: "x", bytes: 1, rows: 1, problem: null }
    await at.app.store.settings.set("last_backup", JSON.stringify(last))
    at.app.clock.advance({ days: 3 })
    expect(await at.look()).toEqual([])
    at.around.backupEvery = MICROS_PER_DAY
    expect(await at.look()).toEqual(["began: The scheduled backup is late"])
    const again = { ...last, at: at.app.clock() }
    await at.app.store.settings.set("last_backup", JSON.stringify(again))
    expect(await at.look()).toEqual(["resolved: The scheduled backup is late"])
  })

  test("backups that were scheduled in the app and stop coming are told, too", async () => {
    await using at = await watched()
    const last = { at: at.app.clock(), ok: true, file: "x", bytes: 1, rows: 1, problem: null }
    await at.app.store.settings.set("last_backup", JSON.stringify(last))
    await changeBackupSchedule(at.app, { every: MICROS_PER_DAY }, { actor: "system" })
    expect(await at.look()).toEqual([])
    at.app.clock.advance({ days: 3 })
    expect(await at.look()).toEqual(["began: The scheduled backup is late"])
  })

  test("an order that was withdrawn is not said to be answered", async () => {
    await using shop = await startShop()
    await using inbox = receiver()
    const channel = webhookChannel({ url: inbox.url, secret: "a secret", allowed: LOOPBACK, clock: shop.clock })
    const page = await givenOrder(shop)
    const none = { diskFreeBytes: async () => 1, diskFreeBytesMin: 0, backupEvery: null, certificate: async () => null }
    const check = async () => {
      await checkAlerts(shop, { ...none, pause: nextTurn }, ["webhook"])
      await sendAlerts(shop, [channel], { origin: shop.url })
      return inbox.news().flat()
    }
    expect(await check()).toMatchObject([{ state: "began" }])
    expect((await shop.stranger().post(`${page}/withdraw`)).status).toBe(303)
    expect(await check()).toMatchObject([{ state: "resolved", detail: "It no longer waits for an answer." }])
  })

  test("a cause that nobody wants to hear of any more is not called resolved, nor told again", async () => {
    await using at = await watched()
    await report(at.app, await acmeKey(at.app), BEHIND)
    expect(await at.look()).toHaveLength(1)
    const choose = (kinds: typeof ALERT_KINDS | []) =>
      chooseAlerts(at.app, { to: [], kinds, diskMb: 1_024, webhook: null, channels: [] }, "test")
    await choose([])
    expect(await at.look()).toEqual([])
    expect(await at.app.store.alerts.lasting()).toEqual([])
    await choose(ALERT_KINDS)
    expect(await at.look()).toEqual(["began: “Pre-roll” of Acme Audio is 59% behind plan"])
  })

  test("what is over is forgotten after 30 days, with its messages", async () => {
    await using at = await watched()
    const messages = async () => (await at.app.store.alerts.messages(99)).length
    const comeAndGo = async () => {
      at.around.free = 1
      await at.check()
      at.around.free = 10 ** 12
      await at.check()
    }
    await comeAndGo()
    at.app.clock.advance({ days: 30 })
    await comeAndGo()
    expect(await messages()).toBe(4)
    at.app.clock.advance({ ms: 1 })
    await comeAndGo()
    expect(await messages()).toBe(4)
    at.app.clock.advance({ days: 31 })
    await comeAndGo()
    expect(await messages()).toBe(2)
  })

  test("are remembered over a restart", async () => {
    await using at = await watched()
    at.around.free = 1
    expect(await at.look()).toEqual(["began: Disk space is low"])
    await using restarted = await startApp({ beside: at.app })
    expect(await at.look(restarted)).toEqual([])
    at.around.free = 10 ** 12
    expect(await at.look(restarted)).toEqual(["resolved: Disk space is low"])
  })

  test("lead to pages that are there", async () => {
    await using at = await watched()
    const { app } = at
    const key = await acmeKey(app)
    await report(app, key, BEHIND)
    await app.store.flushWriteBuffer()
    app.clock.advance({ days: 1, hours: 12 })
    at.around.free = 1
    const last = { at: app.clock(), ok: false, file: "x", bytes: 0, rows: 0, problem: "?" }
    await app.store.settings.set("last_backup", JSON.stringify(last))
    await at.check()
    const [alerts = []] = at.inbox.news()
    expect(alerts.map(({ kind }) => kind)).toEqual(["line_behind", "backup_failed", "disk_low"])
    const person = await givenPerson(app, { isOperator: true, of: "acme-audio", role: "admin" })
    const visitor = await signedIn(app, person)
    for (const { url } of alerts) expect((await visitor.get(url.slice(app.url.length))).status).toBe(200)
  })

  test("thousands at once are one message that names some of them and counts the rest", async () => {
    await using at = await watched()
    const { app } = at
    const lines = Array.from({ length: 450 }, (_, n) => ({
      seller: "acme-audio",
      name: `Line ${n}`,
      pricing_basis: "impressions",
      flight_start: "2026-11-01",
      flight_end: "2026-11-30",
      booked: 1_000,
      external_id: `x${n}`,
    }))
    const file = { campaigns: [{ slug: "many", name: "Many", buyer: "brand-co", lines }] }
    expect((await importCatalogue(app, file, "import")).ok).toBe(true)
    const key = await acmeKey(app)
    const sold = (await app.store.packageLines.listWithTotals(null)).filter(({ campaign }) => campaign === "many")
    const items = sold.map(({ packageId }) => ({
      package_id: packageId,
      impressions: 1,
      as_of: formatMoment(app.clock()),
    }))
    await app.fetch("/api/ingest/delivery/metrics", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ items }),
    })
    expect(await at.look()).toHaveLength(50)
    const [message] = await app.store.alerts.messages(9)
    expect(JSON.parse(message?.content ?? "")).toMatchObject({ began: 450, resolved: 0 })
    expect(await app.store.alerts.lasting()).toHaveLength(450)
    expect(await at.look()).toEqual([])
  })
})

describe("a message that cannot be sent", () => {
  test("is tried again, later and later, until it arrives", async () => {
    let isBroken = true
    await using at = await watched(() => new Response(null, { status: isBroken ? 500 : 204 }))
    at.around.free = 1
    await at.look()
    const waits: number[] = []
    for (let n = 0; n < 9; n++) {
      const [message] = await at.app.store.alerts.messages(1)
      expect(message).toMatchObject({ attempts: n + 1, problem: "The receiver answered with status 500." })
      const wait = ((message?.nextAttemptAt ?? 0) - at.app.clock()) / 1_000_000
      waits.push(wait)
      at.app.clock.advance({ ms: wait * 1_000 - 1 })
      expect(await at.send()).toEqual([])
      at.app.clock.advance({ ms: 1 })
      isBroken = n < 8
      expect(await at.send()).toHaveLength(1)
    }
    waits.forEach((wait, n) => {
      const longest = Math.min(30 * 2 ** n, 3_600)
      expect(wait).toBeLessThanOrEqual(longest)
      expect(wait).toBeGreaterThanOrEqual(longest / 2)
    })
    const [message] = await at.app.store.alerts.messages(1)
    expect(message).toMatchObject({ attempts: 10, nextAttemptAt: null, problem: null, sentAt: at.app.clock() })
    // Every attempt has the same id.
    expect(new Set(at.inbox.heard.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
  })

  test("is tried again after a crash in the middle, and not before its time", async () => {
    await using at = await watched()
    at.around.free = 1
    const crashed = { ...at.channel, send: () => new Promise<null>(() => undefined) }
    await at.look()
    at.inbox.heard.splice(0)
    at.around.free = 10 ** 12
    // The server dies while the receiver is waited for.
    const surroundings = { diskFreeBytesMin: 1, backupEvery: null, certificate: async () => null, pause: nextTurn }
    await checkAlerts(at.app, { ...surroundings, diskFreeBytes: async () => 10 ** 12 }, ["webhook"])
    void sendAlerts(at.app, [crashed], { origin: "" })
    while ((await at.app.store.alerts.messages(1))[0]?.attempts === 0) await nextTurn()
    await using restarted = await startApp({ beside: at.app })
    expect(await at.send(restarted)).toEqual([])
    at.app.clock.advance({ seconds: 30 })
    expect(await at.send(restarted)).toMatchObject([{ isSent: true, attempts: 2 }])
  })

  test("is given up after a day, and dropped when its channel is switched off", async () => {
    await using at = await watched(() => new Response(null, { status: 500 }))
    at.around.free = 1
    await at.look()
    at.app.clock.advance({ days: 1 })
    expect(await at.send()).toMatchObject([{ isGivenUp: true }])
    at.app.clock.advance({ days: 1 })
    expect(await at.send()).toEqual([])
    at.around.free = 10 ** 12
    await at.look()
    at.app.clock.advance({ days: 1 })
    expect(await sendAlerts(at.app, [], { origin: "" })).toEqual([])
    expect(await at.app.store.alerts.due(at.app.clock() + MICROS_PER_DAY, 9)).toEqual([])
  })
})
