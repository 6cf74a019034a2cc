import { describe, expect, test } from "bun:test"
import { startApp, type TestApp } from "../../harness.ts"
import { receiver } from "../../jobs/alerts/receiver.ts"
import { until } from "../../until.ts"
import { adbooth } from "./in-process.ts"

const SECRET = "0123456789abcdef-SECRET"

function on({ config }: TestApp, ...words: string[]) {
  const place = config.databaseUrl === null ? ["--data", config.data] : ["--database-url", config.databaseUrl]
  return adbooth([...words, ...place])
}

describe("alerts on the command line", () => {
  test("the doctor says where alerts go, and what failed", async () => {
    await using inbox = receiver(() => new Response(null, { status: 500 }))
    await using app = await startApp({
      // The program has a clock of its own.
      now: new Date().toISOString(),
      options: {
        alertWebhook: inbox.url,
        alertWebhookSecret: SECRET,
        alertAllowPrivate: "127.0.0.0/8",
      },
      chosen: { alert_disk_mb: "1000000000" },
    })
    await until(() => app.logged.some((line) => line.includes("alert not sent")))
    const doctor = await on(app, "doctor")
    expect(doctor.code).toBe(1)
    expect(doctor.out).toMatch(/WRONG alerts: webhook to .*answered with status 500/)
    expect(`${doctor.out}${doctor.err}`).not.toMatch(/T0KEN|abcdef/)
  })
})
