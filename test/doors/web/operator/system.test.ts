import { expect, test } from "bun:test"
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
  expect(html).toContain("of 4,000 GB free")
})

test("the system page shows every setting that was chosen, where it comes from, and no secret", async () => {
  const webhook = { alertWebhook: "https://hooks.example.com/T0KEN", alertWebhookSecret: "0123456789abcdef-SECRET" }
  await using app = await startApp({ options: { limitIngest: "77", ...webhook } })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const html = await olga.read("/app/operator/system")
  expect(html).toMatch(/--limit-ingest<.*?>77<.*?>option</s)
  expect(html).not.toContain("--limit-agent-keyed")
  expect(html).not.toMatch(/T0KEN|SECRET/)
})

test("daily backups are scheduled with one press", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/system")).toMatch(/Backups are not scheduled.*Back up every day/s)
  const answer = await olga.follow("/app/operator/system/backups/daily", {})
  const html = await answer.text()
  expect(html).toContain("A backup is made every day.")
  expect(html).not.toContain("Backups are not scheduled")
})
