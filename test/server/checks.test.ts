import { describe, expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { startApp, type TestApp, type TestAppOptions } from "../harness/app.ts"
import { givenFeed, post } from "../harness/data/ingest.ts"
import {
  breakData,
  failedChecks,
  findingOf,
  lookForAlerts,
  noteAs,
  runJob,
  sendSomething,
} from "../harness/data/jobs.ts"

const HOUR = 3_600_000_000
const MAIL = { smtp: "smtp://me:pw@mail.example.com", mailFrom: "a@example.com", alertTo: ["op@example.com"] }
const BUCKET = { backupTo: "s3://copies/adbooth", backupKey: "id:secret" }

interface Broken {
  readonly options?: NonNullable<TestAppOptions["options"]>
  readonly now?: string
  /** Breaks one thing. */
  readonly breakIt: (app: TestApp) => Promise<unknown> | unknown
  /** The first level that must see it. */
  readonly from: "ready" | "system" | "doctor"
  readonly words: string
}

/** A wrong number where only the outside world could have one. */
const health = (changes: object) => (app: TestApp) => Object.assign(app.database.health, changes)

const BROKEN: Readonly<Record<string, Broken>> = {
  database: { from: "ready", words: "locked", breakIt: health({ problem: async () => "It's locked." }) },
  migrations: {
    from: "ready",
    words: 'Start "adbooth serve"',
    breakIt: health({ schema: async () => ({ applied: 1, known: 2 }) }),
  },
  disk: { from: "ready", words: "1 MB are free", breakIt: health({ freeBytes: async () => 1_000_000 }) },
  backup: {
    from: "system",
    words: "The tape is torn.",
    options: { backupEvery: HOUR },
    breakIt(app) {
      app.world.backupProblem = "The tape is torn."
      return runJob(app, "backups")
    },
  },
  copies: {
    from: "system",
    words: "The bucket leaks.",
    options: { backupEvery: HOUR, ...BUCKET },
    async breakIt(app) {
      app.world.bucketProblem = "The bucket leaks."
      await runJob(app, "backups")
      app.world.bucketProblem = null
    },
  },
  https: {
    from: "system",
    words: "Port 80",
    options: { domain: ["ads.example.com"], publicUrl: "https://ads.example.com", trustProxy: ["127.0.0.1"] },
    breakIt: (app) =>
      noteAs(app, "note.https", {
        domains: ["ads.example.com"],
        url: null,
        validUntil: null,
        problem: "Nobody answers.",
        advice: "Port 80 must be reachable.",
        failures: 1,
        triedAt: app.clock(),
        nextTryAt: app.clock() + HOUR,
      }),
  },
  mail: {
    from: "system",
    words: "Enter the password again.",
    options: MAIL,
    breakIt(app) {
      app.world.mailProblem = "535 Authentication failed."
      return sendSomething(app)
    },
  },
  alerts: {
    from: "system",
    words: "op@example.com",
    options: { ...MAIL, backupEvery: HOUR },
    async breakIt(app) {
      app.world.backupProblem = "The tape is torn."
      await runJob(app, "backups")
      app.world.mailProblem = "Nobody answers."
      await lookForAlerts(app)
      app.world.backupProblem = null
      app.clock.advance({ hours: 1 })
      await runJob(app, "backups")
    },
  },
  encryption: { from: "system", words: "--domain", options: { host: "0.0.0.0" }, breakIt: () => undefined },
  proxy: { from: "system", words: "127.0.0.1", options: { trustProxy: ["0.0.0.0/0"] }, breakIt: () => undefined },
  integrity: { from: "doctor", words: "torn page", breakIt: health({ integrity: async () => ["torn page"] }) },
  totals: {
    from: "doctor",
    words: "1 totals don't match",
    async breakIt(app) {
      const { key, packageId } = await givenFeed(app)
      await post(app, { items: [{ package_id: packageId, impressions: 100 }] }, { key })
      await breakData(app, "UPDATE delivery_total SET quantity = 7")
    },
  },
  catalog: {
    from: "doctor",
    words: "p1",
    breakIt: (app) => breakData(app, "INSERT INTO product (product_id, body) VALUES ('p1', '{}')"),
  },
  clock: {
    from: "doctor",
    words: "it was ahead before",
    async breakIt(app) {
      await givenFeed(app)
      app.clock.advance({ hours: -2 })
    },
  },
  permissions: { from: "doctor", words: "chmod 700", breakIt: (app) => chmodSync(app.config.data, 0o755) },
  bucket: {
    from: "doctor",
    words: "The bucket leaks.",
    options: BUCKET,
    breakIt(app) {
      app.world.bucketProblem = "The bucket leaks."
    },
  },
}

/** The checks that the probe says have failed. */
async function failedByProbe(app: TestApp): Promise<string[]> {
  const response = await app.fetch("/readyz")
  const { ok, checks } = (await response.json()) as { ok: boolean; checks: Record<string, boolean> }
  expect([response.status, ok]).toEqual(Object.values(checks).every(Boolean) ? [200, true] : [503, false])
  return Object.keys(checks).filter((check) => !checks[check])
}

describe("the probe, the System page and the doctor agree about", () => {
  test.each(Object.entries(BROKEN))("%s", async (check, { options = {}, breakIt, from, words }) => {
    await using app = await startApp({ options })
    expect(await failedChecks(app, "doctor")).toEqual(
      options.host || options.trustProxy?.[0] === "0.0.0.0/0" ? [check] : [],
    )
    await breakIt(app)
    expect(await failedByProbe(app)).toEqual(from === "ready" ? [check] : [])
    expect(await failedChecks(app, "system")).toEqual(from === "doctor" ? [] : [check])
    expect(await failedChecks(app, "doctor")).toEqual([check])
    const { detail, advice } = await findingOf(app, check)
    expect(`${detail} ${advice}`).toContain(words)
  })
})

test("strangers learn from the probe which check failed, and nothing else", async () => {
  await using app = await startApp()
  Object.assign(app.database.health, { freeBytes: async () => 1_000_000 })
  const response = await app.fetch("/readyz")
  expect(await response.json()).toEqual({ ok: false, checks: { database: true, migrations: true, disk: false } })
  expect(response.headers.get("retry-after")).toBe("5")
  expect(await (await app.fetch("/healthz")).json()).toEqual({ ok: true })
})

test("a check that fails itself is a finding, and the others go on", async () => {
  await using app = await startApp()
  Object.assign(app.database.health, {
    integrity: async () => {
      throw new Error("no such file")
    },
  })
  expect(await failedChecks(app, "doctor")).toEqual(["integrity"])
  expect((await findingOf(app, "integrity")).detail).toContain("no such file")
})
