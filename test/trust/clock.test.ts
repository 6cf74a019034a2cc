import { describe, expect, test } from "bun:test"
import { DELIVERY, post, report } from "../doors/ingest/feed.ts"
import { givenPerson } from "../doors/web/given.ts"
import { signedIn } from "../doors/web/visitor.ts"
import { givenIngestKey, givenPackageLine } from "../given.ts"
import { startApp } from "../harness.ts"

async function given() {
  const app = await startApp({ options: { limitIngest: "2" } })
  const line = await givenPackageLine(app)
  const key = await givenIngestKey(app, line.seller)
  const send = async (impressions: number, as_of?: string) =>
    (await report(app, key, [{ package_id: line.packageId, impressions, as_of }])).results[0]
  const status = async () => (await post(app, DELIVERY, key, {})).status
  return { app, send, status, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

describe("when the clock jumps", () => {
  test("forward by hours, a caller over its limit is admitted", async () => {
    await using at = await given()
    expect([await at.status(), await at.status(), await at.status()]).toEqual([400, 400, 429])
    at.app.clock.advance({ hours: 5 })
    expect(await at.status()).toBe(400)
  })

  test("back by hours, a limit lets nobody in early and locks nobody out: a minute is a minute", async () => {
    await using at = await given()
    expect([await at.status(), await at.status(), await at.status()]).toEqual([400, 400, 429])
    at.app.clock.advance({ hours: -5 })
    expect(await at.status()).toBe(429)
    at.app.clock.advance({ seconds: 59 })
    expect(await at.status()).toBe(429)
    at.app.clock.advance({ seconds: 1 })
    expect(await at.status()).toBe(400)
  })

  test("back by hours, what was measured before is in the future, and a report without as_of is an older one", async () => {
    await using at = await given()
    expect(await at.send(500)).toMatchObject({ effect: "applied" })
    at.app.clock.advance({ hours: -3 })
    expect(await at.send(600, "2026-11-15T12:00:00Z")).toMatchObject({ reason: "as_of_in_future" })
    at.app.clock.advance({ minutes: 2 })
    expect(await at.send(600)).toMatchObject({ effect: "older_than_current" })
    at.app.clock.advance({ hours: 3 })
    expect(await at.send(600)).toMatchObject({ effect: "applied" })
  })

  test("sessions live as long as the clock says", async () => {
    await using app = await startApp()
    const person = await signedIn(app, await givenPerson(app, { isOperator: true }))
    app.clock.advance({ hours: -5 })
    expect((await person.get("/app/operator/system")).status).toBe(200)
    app.clock.advance({ days: 15 })
    expect((await person.get("/app/operator/system")).status).toBe(303)
  })
})
