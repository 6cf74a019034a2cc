import { expect, test } from "bun:test"
import { callLogDays } from "../../../src/actions/operations/agent-settings.ts"
import { pruneCallLog } from "../../../src/actions/operations/call-log.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, loggedCalls, post, rpc } from "./buyer.ts"

test("a call is logged with who, when, what and how it ended; its context is not", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
  await call(app, "get_products", { brief: "shoes", context: { secret: "of the caller" } }, { key })
  await call(app, "get_products", { buying_mode: "refine" })
  await rpc(app, "tools/list")
  const [listed, refused, asked] = await loggedCalls(app)
  expect(asked).toMatchObject({
    at: app.clock(),
    agentKey: "Buyer",
    address: null,
    method: "tools/call",
    tool: "get_products",
    arguments: '{"brief":"shoes"}',
    outcome: "completed",
  })
  expect(asked?.durationMicros).toBeGreaterThan(0)
  expect(refused).toMatchObject({ agentKeyId: null, address: "127.0.0.1", outcome: "INVALID_REQUEST" })
  expect(listed).toMatchObject({ method: "tools/list", tool: null, arguments: null, outcome: "completed" })
})

test("a key sent in the wrong place does not come back in an error", async () => {
  await using app = await startApp()
  const { Buyer: key = "" } = await givenBuyers(app, [], { Buyer: {} })
  const answers = [
    await rpc(app, "tools/call", { name: key, arguments: {} }),
    await call(app, "get_products", { ext: { [key]: { api_key: "x" } } }),
  ]
  expect(JSON.stringify(answers)).not.toContain(key.slice(4))
})

test("no key and nothing of our key format reaches the call log or the server's log", async () => {
  await using app = await startApp()
  const { Buyer: key = "" } = await givenBuyers(app, [], { Buyer: {} })
  await call(app, "get_products", { brief: `my key is ${key}` }, { key })
  await call(app, "get_products", { api_key: key, ext: { [key]: 1 } }, { key })
  await rpc(app, "tools/call", { name: key, arguments: {} })
  await rpc(app, key)
  await post(app, { jsonrpc: "2.0", id: 1, method: "ping" }, { key: `${key}x` })
  const everything = JSON.stringify(await loggedCalls(app)) + app.logged.join("")
  expect(everything).not.toContain(key)
  expect(everything).not.toContain(key.slice(4))
  expect(everything).toContain("********")
})

test("refusals for a wrong key, for too many calls and for malformed bodies are counted by the hour, not logged", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: "1" } })
  const ask = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_products", arguments: { brief: "x" } },
  }
  await post(app, ask, { key: "wrong" })
  await post(app, ask)
  await post(app, ask)
  await post(app, ask)
  await post(app, [])
  app.clock.advance({ hours: 1 })
  await post(app, ask, { key: "wrong" })
  expect((await loggedCalls(app)).map(({ outcome }) => outcome)).toEqual(["completed"])
  const noon = app.clock() - 3_600_000_000
  const refused = (hour: number, status: number, requests: number) => ({ hour, door: "agent", status, requests })
  expect(await app.store.refusals.since(0)).toMatchObject([
    refused(noon, 400, 1),
    refused(noon, 401, 1),
    refused(noon, 429, 2),
    refused(app.clock(), 401, 1),
  ])
})

test("refusals of the ingest API are counted too, and other addresses are not", async () => {
  await using app = await startApp()
  await app.fetch("/api/ingest/delivery/metrics", { method: "POST" })
  await app.fetch("/nowhere", { method: "POST" })
  await app.fetch("/")
  await app.store.flushWriteBuffer()
  expect(await app.store.refusals.since(0)).toMatchObject([{ door: "ingest", status: 401, requests: 1 }])
})

test("counts of refusals go with the days that calls are kept for", async () => {
  await using app = await startApp()
  await post(app, [])
  await app.store.flushWriteBuffer()
  app.clock.advance({ days: 30 })
  await pruneCallLog(app, await callLogDays(app.store))
  expect(await app.store.refusals.since(0)).toHaveLength(1)
  app.clock.advance({ hours: 1 })
  await pruneCallLog(app, await callLogDays(app.store))
  expect(await app.store.refusals.since(0)).toEqual([])
})

test("what the protocol makes no sense of is logged without its arguments, unless a key sent it", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [], { Buyer: {} })
  const params = { name: "no_such_tool", arguments: { brief: "long" } }
  await rpc(app, "tools/call", params)
  await rpc(app, "tools/call", params, { key })
  expect(await loggedCalls(app)).toMatchObject([
    { agentKey: "Buyer", outcome: "-32602", arguments: '{"brief":"long"}' },
    { agentKey: null, outcome: "-32602", arguments: null },
  ])
})

test("calls are forgotten after thirty days, not before", async () => {
  await using app = await startApp()
  await call(app, "get_products", { brief: "old" })
  app.clock.advance({ days: 30 })
  await call(app, "get_products", { brief: "new" })
  await app.store.flushWriteBuffer()
  expect(await pruneCallLog(app, await callLogDays(app.store))).toBe(0)
  app.clock.advance({ ms: 1 })
  expect(await pruneCallLog(app, await callLogDays(app.store))).toBe(1)
  expect((await loggedCalls(app)).map((each) => each.arguments)).toEqual(['{"brief":"new"}'])
})
