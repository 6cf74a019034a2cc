import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { startApp } from "../harness/app.ts"
import { chooseInApp, runJob } from "../harness/data/jobs.ts"
import { startProgram } from "../harness/program.ts"
import { until } from "../harness/until.ts"

const HOUR = 3_600_000_000

test("backups are made when they're due, and the newest ones stay", async () => {
  await using app = await startApp({ options: { backupEvery: HOUR, backupKeep: 2 } })
  for (const hours of [0, 0.5, 0.5, 1]) {
    app.clock.advance({ hours })
    await runJob(app, "backups")
  }
  expect([...app.world.backups.keys()]).toEqual(["adbooth-20261115T130000Z.db", "adbooth-20261115T140000Z.db"])
})

test("a failed backup is tried again after a quarter of an hour, and deletes nothing", async () => {
  await using app = await startApp({ options: { backupEvery: 24 * HOUR, backupKeep: 1 } })
  await runJob(app, "backups")
  app.clock.advance({ hours: 24 })
  app.world.backupProblem = "The disk is full."
  await runJob(app, "backups")
  expect([...app.world.backups.keys()]).toEqual(["adbooth-20261115T120000Z.db"])
  app.world.backupProblem = null
  app.clock.advance({ seconds: 899 })
  await runJob(app, "backups")
  expect(app.world.backups.size).toBe(1)
  app.clock.advance({ seconds: 1 })
  await runJob(app, "backups")
  expect([...app.world.backups.keys()]).toEqual(["adbooth-20261116T121500Z.db"])
})

test("a clock that was set back delays the next one by no more than usual", async () => {
  await using app = await startApp({ options: { backupEvery: HOUR } })
  await runJob(app, "backups")
  app.clock.advance({ hours: -48 })
  await runJob(app, "backups")
  expect(app.world.backups.size).toBe(2)
})

test("an option takes precedence over the schedule that was chosen in the app", async () => {
  await using app = await startApp({ options: { backupEvery: 24 * HOUR } })
  await chooseInApp(app, "backups", { every: HOUR, keep: 5 })
  await runJob(app, "backups")
  app.clock.advance({ hours: 2 })
  await runJob(app, "backups")
  expect(app.world.backups.size).toBe(1)
})

test("a running server makes its backups in a process of its own, for their owner only", async () => {
  await using program = await startProgram({ options: ["--backup-every", "1h"] })
  await until(() => program.log().includes("backup made"))
  const names = readdirSync(join(program.data, "backups"))
  expect(names).toEqual([expect.stringMatching(/^adbooth-\d{8}T\d{6}Z\.db$/)])
})
