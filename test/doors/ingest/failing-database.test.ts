import { describe, expect, test } from "bun:test"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { otherProgram } from "../../other-program.ts"
import { currentTotal, historyOf, report, sendCodes, sendMetrics } from "./feed.ts"

async function given() {
  const app = await startApp({ options: { limitIngest: "1000" } })
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  await sendCodes(app, key, [{ packageId, code: "A" }])
  return { app, key, packageId, seller, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}
type Given = Awaited<ReturnType<typeof given>>

/** What every feed answers while nothing can be written: our failure for what would have been accepted, the verdict for the rest. */
async function expectInternalErrors({ app, key, packageId }: Given): Promise<void> {
  const items = [{ package_id: packageId, impressions: 7 }, "nonsense", { package_id: crypto.randomUUID() }]
  const [delivery, codes, metrics] = await Promise.all([
    report(app, key, items),
    sendCodes(app, key, [{ packageId, code: "B" }, 1]),
    sendMetrics(app, key, [{ code: "A", date: "2026-11-14", clicks: 1 }]),
  ])
  expect(delivery).toMatchObject({ accepted: 0, rejected: 3 })
  expect(delivery.results.map(({ reason }) => reason)).toEqual(["internal_error", "invalid_item", "not_seller"])
  expect(codes).toMatchObject({ ok: false, upserted: 0 })
  expect(codes.errors.map(({ status, reason }) => [status, reason])).toEqual([
    [500, "internal_error"],
    [400, "invalid_row"],
  ])
  expect(metrics).toMatchObject({
    ok: false,
    upserted: 0,
    errors: [{ index: 0, status: 500, reason: "internal_error" }],
  })
  expect(await currentTotal(app, packageId)).toBeNull()
  expect(app.logged.join("")).toContain("delivery totals not saved")
}

/** What they answer once the cause is gone, without any help. */
async function expectRecovery({ app, key, packageId }: Given): Promise<void> {
  const delivery = await report(app, key, [{ package_id: packageId, impressions: 7 }])
  expect(delivery.results[0]).toMatchObject({ effect: "applied" })
  const metrics = await sendMetrics(app, key, [{ code: "A", date: "2026-11-14", clicks: 1 }])
  expect(metrics).toMatchObject({ ok: true, upserted: 1 })
  expect(await currentTotal(app, packageId)).toMatchObject({ quantity: 7 })
}

describe("if the write fails, its items are internal_error and none of them is stored; the server recovers by itself", () => {
  test("locked by another process for longer than we wait", async () => {
    await using g = await given()
    await using other = otherProgram(g.app)
    await other.begin()
    await expectInternalErrors(g)
    await other.rollback()
    await expectRecovery(g)
  })

  test("locked by another process for a moment: the write waits and succeeds, and others are answered meanwhile", async () => {
    await using g = await given()
    await using other = otherProgram(g.app)
    await other.begin()
    const waiting = report(g.app, g.key, [{ package_id: g.packageId, impressions: 7 }])
    expect((await report(g.app, g.key, ["nonsense"])).rejected).toBe(1)
    await other.rollback()
    expect((await waiting).accepted).toBe(1)
  })

  // A trigger of another program that refuses every row stands for whatever else may go wrong inside a write.
  test("refused in the middle of a write", async () => {
    await using g = await given()
    await using other = otherProgram(g.app)
    const tables = ["delivery_total", "affiliate_code", "affiliate_metric"]
    for (const table of tables) await other.refuseRows(table)
    await expectInternalErrors(g)
    for (const table of tables) await other.allowRows(table)
    await expectRecovery(g)
    expect(await historyOf(g.app, g.seller, g.packageId)).toHaveLength(1)
  })
})
