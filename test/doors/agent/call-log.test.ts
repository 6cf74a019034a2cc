import { expect, test } from "bun:test"
import { forgetOldCalls } from "../../../src/actions/log-agent-call.ts"
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
  expect(everything).toContain("aba_********")
})

test("refusals for a wrong key and for too many calls are not logged", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: "1" } })
  const ask = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: {} } }
  await post(app, ask, { key: "wrong" })
  await post(app, ask)
  await post(app, ask)
  expect((await loggedCalls(app)).map(({ outcome }) => outcome)).toEqual(["completed"])
})

test("calls are forgotten after thirty days, not before", async () => {
  await using app = await startApp()
  await call(app, "get_products", { brief: "old" })
  app.clock.advance({ days: 30 })
  await call(app, "get_products", { brief: "new" })
  await app.store.flushNotes()
  expect(await forgetOldCalls(app, app.config.callLogDays)).toBe(0)
  app.clock.advance({ ms: 1 })
  expect(await forgetOldCalls(app, app.config.callLogDays)).toBe(1)
  expect((await loggedCalls(app)).map((each) => each.arguments)).toEqual(['{"brief":"new"}'])
})
