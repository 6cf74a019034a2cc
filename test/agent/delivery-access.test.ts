import { expect, test } from "bun:test"
import { call, chooseSettings, givenBuyer, loggedCalls, post, rpc } from "../harness/agent/agent.ts"
import { givenBought, ON, TOOL } from "../harness/agent/bought.ts"
import { hasOfficial, type Json, officialProblems, TOOLS } from "../harness/agent/official.ts"
import { startApp, type TestApp } from "../harness/app.ts"

// Who may read delivery.

const toolNames = async (app: TestApp) => (await rpc(app, "tools/list")).result.tools.map(({ name }: Json) => name)

test("delivery isn't there unless it's switched on, and an option takes precedence", async () => {
  await using app = await startApp()
  expect(await toolNames(app)).toEqual([...TOOLS])
  expect((await rpc(app, "tools/call", { name: TOOL, arguments: {} })).error.code).toBe(-32602)
  await chooseSettings(app, { tellsDelivery: true })
  expect(await toolNames(app)).toEqual([...TOOLS, TOOL])
  expect((await call(app, "get_adcp_capabilities")).message).toContain("four read-only tools")
  await using pinned = await startApp({ options: { agentDelivery: false } })
  await chooseSettings(pinned, { tellsDelivery: true })
  expect(await toolNames(pinned)).toEqual([...TOOLS])
})

test("a caller without a key gets 401, and a key without a buyer learns who to ask", async () => {
  await using app = await startApp(ON)
  await chooseSettings(app, { contact: "sales@example.com" })
  const params = { name: TOOL, arguments: { start_date: "never" } }
  const response = await post(app, { jsonrpc: "2.0", id: 4, method: "tools/call", params })
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="adbooth"'])
  const { id, error }: Json = await response.json()
  const { adcp_error } = error.data
  expect([id, error.code, adcp_error.code]).toEqual([4, -32000, "AUTH_MISSING"])
  const { adcp_error: nobody } = await call(app, TOOL, {}, await givenBuyer(app))
  expect(nobody.code).toBe("PERMISSION_DENIED")
  for (const { suggestion } of [adcp_error, nobody]) expect(suggestion).toContain("sales@example.com")
  const logged = (await loggedCalls(app)).map(({ outcome }) => outcome)
  expect(logged).toEqual(["PERMISSION_DENIED", "AUTH_MISSING"])
})

test("another buyer's campaign gets the same answer as a missing one, however it's written", async () => {
  await using app = await startApp(ON)
  const { ask, slug } = await givenBought(app)
  const other = await givenBought(app)
  const unknown = await ask({ media_buy_ids: ["missing"] })
  expect(unknown.adcp_error.code).toBe("MEDIA_BUY_NOT_FOUND")
  for (const id of [other.slug, other.slug.toUpperCase(), other.packageId, `${slug} `, "*", "", `${slug}\0`])
    expect(await ask({ media_buy_ids: [id] })).toEqual(unknown)
  const mixed = await ask({ media_buy_ids: [other.slug, slug, slug, "missing"] })
  expect(mixed.media_buy_deliveries.map(({ media_buy_id }: Json) => media_buy_id)).toEqual([slug])
  expect(mixed.message).toContain(`Not found: ${other.slug}, missing.`)
  expect(mixed.errors.map(({ details }: Json) => details.media_buy_id)).toEqual([other.slug, "missing"])
  expect(JSON.stringify(mixed)).not.toContain(other.packageId)
})

test("delivery counts as a call of its key", async () => {
  await using app = await startApp({ options: { agentDelivery: true, limitAgentKeyed: 2 } })
  const { key } = await givenBuyer(app)
  for (let n = 0; n < 2; n++) await call(app, TOOL, {}, { key })
  const { error } = await rpc(app, "tools/call", { name: TOOL, arguments: {} }, { key })
  expect(error.code).toBe(-32029)
  if (hasOfficial) expect(officialProblems("core/error.json", error.data.adcp_error)).toEqual([])
})
