import { expect, test } from "bun:test"
import { changeBackupSchedule } from "../../../../src/actions/operations/backups.ts"
import { MICROS_PER_DAY } from "../../../../src/domain/time/moment.ts"
import { ON_POSTGRES } from "../../../engine.ts"
import { startApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

test("the system page says how long the server runs, and how much of the disk is free", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/system")).toContain("up for less than an hour")
  app.clock.advance({ days: 2 })
  const html = await olga.read("/app/operator/system")
  expect(html).toContain("up for 2 days")
  expect(html).toContain("1,000 GB")
  expect(html).toContain("Of 4,000 GB.")
})

test("the system page shows every setting in force, where it comes from and how to change it", async () => {
  await using app = await startApp({ options: { callLogDays: "14", publishBrand: "Acme <b>" } })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  await changeBackupSchedule(app, { every: MICROS_PER_DAY }, { actor: "test" })
  const rows = (await olga.read("/app/operator/system/settings.csv")).split("\r\n")
  const row = (option: string) => rows.find((line) => line.startsWith(`${option},`))
  expect(row("call-log-days")).toContain(",14,option,")
  expect(row("call-log-days")).toContain("Change --call-log-days where the server is started, then restart it.")
  expect(row("host")).toContain(",default,")
  expect(row("host")).toContain("or set ADBOOTH_HOST")
  expect(row("backup-every")).toContain("every 24 h,default,")
  expect(row("backup-every")).toContain("Under Backups")
  const html = await olga.read("/app/operator/system")
  expect(html.includes("Acme &lt;b>")).toBe(true)
  const secret = ON_POSTGRES ? new URL(app.config.databaseUrl ?? "").password : ""
  expect(secret !== "" && html.includes(`:${secret}@`)).toBe(false)
})
