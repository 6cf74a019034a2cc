import { describe, expect, test } from "bun:test"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { keepBackups, lastBackup, restoreBackup } from "../../src/actions/operations/backups.ts"
import { outdatedBackups } from "../../src/domain/operations/backup.ts"
import { MICROS_PER_DAY } from "../../src/domain/time/moment.ts"
import { createLog } from "../../src/log/log.ts"
import { restore } from "../../src/storage/sqlite/backup/restore.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { report } from "../doors/ingest/feed.ts"
import { givenIngestKey, givenPackageLine } from "../given.ts"
import { backupFolderOf, startApp, type TestApp, temporaryFolder } from "../harness.ts"
import { until } from "../until.ts"

function planFor(app: TestApp, command?: readonly string[]) {
  return { every: MICROS_PER_DAY, keep: 2, folder: backupFolderOf(app.config, command) }
}

function run(app: TestApp, plan: ReturnType<typeof planFor>) {
  const log = createLog({ format: "json", clock: app.clock, write: (line) => void app.logged.push(line) })
  return keepBackups({ ...app, log }, plan, new AbortController().signal)
}

async function readiness(app: TestApp) {
  const response = await app.fetch("/readyz")
  const { checks } = (await response.json()) as { checks: { backup: { ok: boolean; detail: string } } }
  return { status: response.status, backup: checks.backup }
}

/** An application that has made its first scheduled backup by itself. */
async function startWithBackups(): Promise<TestApp> {
  const app = await startApp({ options: { backupEvery: "24h" } })
  await until(async () => (await lastBackup(app.store)) !== null)
  return app
}

describe("scheduled backups", () => {
  test("one a day, of which the newest are kept; each restores to the totals of its day", async () => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    const key = await givenIngestKey(app, line.seller)
    const plan = planFor(app)
    for (const impressions of [100, 200, 300]) {
      await report(app, key, [{ package_id: line.packageId, impressions }])
      expect(await run(app, plan)).toMatchObject({ ok: true, problem: null })
      expect(await run(app, plan)).toBeNull()
      app.clock.advance({ days: 1 })
    }
    const names = readdirSync(plan.folder.path).sort()
    expect(names).toEqual(["adbooth-20261116T120000Z.db", "adbooth-20261117T120000Z.db"])
    const restored: (number | undefined)[] = []
    for (const name of names) {
      using elsewhere = temporaryFolder()
      await restore(elsewhere.path, join(plan.folder.path, name), { mayReplace: async () => false, stamp: "test" })
      await using store = sqliteStore(elsewhere.path, "test").store
      for (const { total } of await store.packageLines.listWithTotals(null)) restored.push(total?.quantity)
    }
    expect(restored).toEqual([200, 300])
  })

  test("one that fails is noted, deletes nothing, leaves the server ready, and is tried again soon", async () => {
    // Without a schedule of its own, which would make good ones in between.
    await using app = await startApp()
    const good = planFor(app)
    await run(app, good)
    const before = readdirSync(good.folder.path).sort()
    app.clock.advance({ days: 1 })
    const bad = planFor(app, ["sh", "-c", "echo The disk is full. >&2; exit 1"])
    expect(await run(app, bad)).toMatchObject({ ok: false, problem: "The disk is full." })
    expect(readdirSync(good.folder.path).sort()).toEqual(before)
    const { status, backup } = await readiness(app)
    expect([status, backup.ok]).toEqual([200, false])
    expect(backup.detail).toContain("The disk is full.")
    app.clock.advance({ minutes: 15 })
    expect(await run(app, good)).toMatchObject({ ok: true })
    expect((await readiness(app)).backup.ok).toBe(true)
  })

  test("that stop coming are told, although the last one was good", async () => {
    await using app = await startWithBackups()
    app.clock.advance({ days: 3 })
    expect((await readiness(app)).backup).toMatchObject({ ok: false, detail: expect.stringContaining("late") })
  })

  test("survive a clock that was ahead: the one just made is the newest, whatever the others are called", async () => {
    await using app = await startApp()
    const plan = planFor(app)
    app.clock.advance({ days: 400 })
    for (const _ of [1, 2]) {
      expect(await run(app, plan)).toMatchObject({ ok: true })
      app.clock.advance({ days: 1 })
    }
    app.clock.advance({ days: -402 })
    expect(await run(app, plan)).toMatchObject({ ok: true })
    expect(readdirSync(plan.folder.path).sort()).toEqual(["adbooth-20261115T120000Z.db", "adbooth-20271221T120000Z.db"])
  })

  test("leave what was there before the last restore, however few are kept", async () => {
    await using app = await startApp()
    const plan = { ...planFor(app), keep: 1 }
    await run(app, plan)
    const [name = ""] = readdirSync(plan.folder.path)
    app.clock.advance({ days: 1 })
    const log = createLog({ format: "json", clock: app.clock, write: (line) => void app.logged.push(line) })
    const by = { userId: 1, email: "olga@example.com" }
    const restore = (file: string) =>
      restoreBackup({ ...app, log }, plan.folder, file, by, new AbortController().signal)
    const { safety } = await restore(name)
    app.clock.advance({ days: 1 })
    // One that fails restores nothing.
    expect(await restore("adbooth-20200101T000000Z.db")).toMatchObject({ ok: false })
    app.clock.advance({ days: 1 })
    expect(await run(app, plan)).toMatchObject({ ok: true })
    expect(readdirSync(plan.folder.path).sort()).toEqual([safety ?? "", "adbooth-20261118T120000Z.db"])
  })

  test("are made by the server itself", async () => {
    await using app = await startWithBackups()
    expect(await lastBackup(app.store)).toMatchObject({ ok: true })
  })

  test("never delete a file that they did not make", () => {
    const files = ["adbooth-20261115T120000Z.db", "adbooth-20261116T120000Z.db.gz", "mine.db", "adbooth-old.db"]
    const now = Date.UTC(2026, 10, 17) * 1_000
    expect(outdatedBackups(files, 1, now)).toEqual(["adbooth-20261115T120000Z.db"])
    expect(outdatedBackups(files, 7, now)).toEqual([])
  })
})

test("a backup directory that cannot be made is a failed backup, not a failed server", async () => {
  await using app = await startApp()
  writeFileSync(join(app.config.data, "backups"), "a file is in the way")
  expect(await run(app, planFor(app))).toMatchObject({ ok: false })
  expect((await app.fetch("/healthz")).status).toBe(200)
})
