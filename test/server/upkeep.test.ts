import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../harness/app.ts"
import { givenFeed, post } from "../harness/data/ingest.ts"
import { breakData, rowsIn, runJob } from "../harness/data/jobs.ts"
import { eachEngine } from "../harness/store.ts"

const TABLES = ["feed_count", "refusal", "rejected_item", "sign_in_failure", "agent_call"]

/** What a busy minute leaves behind in the tables that only upkeep empties. */
async function leaveTraces(app: TestApp): Promise<void> {
  const { key, packageId } = await givenFeed(app)
  await post(app, { items: [{ package_id: packageId, impressions: 5 }, { package_id: "nobody's" }] }, { key })
  await post(app, "{", { key: "abi_wrong" })
  await app.fetch("/", { method: "POST", headers: MCP, body: CALL })
  await breakData(app, `INSERT INTO sign_in_failure (subject, failures, last_at) VALUES ('x', 1, ${app.clock()})`)
  await app.database.later.flush()
}

const MCP = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }

const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_adcp_capabilities", arguments: {} },
})

const countsIn = async (app: TestApp) => Promise.all(TABLES.map((table) => rowsIn(app, table)))

eachEngine((engine) => {
  test("expired rows are deleted, and nothing sooner", async () => {
    await using app = await startApp({ engine })
    await leaveTraces(app)
    const before = await countsIn(app)
    expect(before).not.toContain(0)
    app.clock.advance({ hours: 23 })
    await runJob(app, "upkeep")
    expect(await countsIn(app)).toEqual(before)
    app.clock.advance({ hours: 24 * 31 })
    await runJob(app, "upkeep")
    expect((await countsIn(app)).map((rows) => rows > 0)).toEqual([true, true, true, false, false])
    app.clock.advance({ hours: 24 * 60 })
    await runJob(app, "upkeep")
    expect(await countsIn(app)).toEqual([0, 0, 0, 0, 0])
  })
})

test("each organization keeps its newest 10,000 rejected items", async () => {
  await using app = await startApp()
  await leaveTraces(app)
  const column = "organization_id, api_key_id, at, feed, reason, message, sent"
  await breakData(
    app,
    `INSERT INTO rejected_item (${column})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10500)
      SELECT 999, 1, ${app.clock()}, 'delivery', 'not_seller', '', '' FROM n`,
  )
  await runJob(app, "upkeep")
  expect(await rowsIn(app, "rejected_item WHERE organization_id = 999")).toBe(10_000)
  expect(await rowsIn(app, "rejected_item WHERE organization_id <> 999")).toBe(1)
})
