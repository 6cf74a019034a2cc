import { expect, test } from "bun:test"
import {
  ask,
  call,
  chooseSettings,
  givenBuyer,
  givenShown,
  loggedCalls,
  post,
  productOf,
  refusedRequests,
  rpc,
} from "../harness/agent/agent.ts"
import { startApp, type TestApp } from "../harness/app.ts"
import { runJob } from "../harness/data/jobs.ts"

test("a call is logged with who, when, what and how it ended, but not with its context", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p")])
  await ask(app, buyer, { brief: "shoes", context: { secret: "of the caller" } })
  await call(app, "get_products", { buying_mode: "refine" })
  await rpc(app, "tools/list")
  const [listed, refused, asked] = await loggedCalls(app)
  expect(asked).toMatchObject({
    at: app.clock(),
    buyerKeyId: buyer.id,
    address: null,
    method: "tools/call",
    tool: "get_products",
    arguments: '{"brief":"shoes"}',
    outcome: "completed",
  })
  expect(asked?.durationMicros).toBeGreaterThan(0)
  expect(refused).toMatchObject({ buyerKeyId: null, address: "127.0.0.1", outcome: "INVALID_REQUEST" })
  expect(listed).toMatchObject({ method: "tools/list", tool: null, arguments: null, outcome: "completed" })
})

test("what a buyer asked for is logged with it: brief, channels, countries, and how many products fit", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p", { channels: ["podcast"] }), productOf("q")], { p: ["DE"] })
  await ask(app, buyer, { brief: "Podcasts in Germany, no radio" })
  await ask(app, buyer, { brief: "cinema", filters: { countries: ["DE"] } })
  await ask(app, buyer, { buying_mode: "wholesale" })
  const [all, nothing, podcasts] = await loggedCalls(app)
  const asked = { brief: "Podcasts in Germany, no radio", channels: ["podcast"], countries: ["DE"], matched: 1 }
  expect(podcasts).toMatchObject(asked)
  expect(nothing).toMatchObject({ brief: "cinema", channels: ["cinema"], countries: ["DE"], matched: 0 })
  expect(all).toMatchObject({ brief: null, channels: [], countries: [], matched: 2 })
})

test("a key never reaches the call log or the server's log, wherever it was sent", async () => {
  await using app = await startApp()
  const { key } = await givenBuyer(app)
  const answers = [
    await call(app, "get_products", { brief: `my key is ${key}` }, { key }),
    await call(app, "get_products", { api_key: key, ext: { [key]: 1 } }, { key }),
    await call(app, "get_products", { adcp_major_version: 2, brief: key }, { key }),
    await call(app, "get_products", { ext: { note: `see ${key}` } }, { key }),
    await rpc(app, "tools/call", { name: key, arguments: {} }, { key }),
    await rpc(app, "tools/call", { name: "no_such_tool", arguments: { brief: key } }, { key }),
    await rpc(app, key),
  ]
  await post(app, { jsonrpc: "2.0", id: 1, method: "ping" }, { key: `${key}x` })
  const calls = await loggedCalls(app)
  expect(calls).toHaveLength(7)
  const kept = JSON.stringify(calls) + app.logged.join("") + JSON.stringify(answers)
  expect(kept).not.toContain(key)
  expect(kept).not.toContain(key.slice(4))
  expect(kept).toContain("********")
})

test.each([
  ["our key in a brief", (key: string) => ({ brief: `Podcasts, my key is ${key}` })],
  ["our key as a name", (key: string) => ({ ext: { [key]: 1 } })],
  ["an API key by its name", () => ({ ext: { deep: [{ api_key: "x" }] } })],
  ["an access token", () => ({ filters: { ext: { google_access_token: "x" } } })],
  ["a bearer token", () => ({ brief: "Bearer abcdefghij0123456789" })],
  ["a JSON web token", () => ({ brief: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc" })],
])("a call with %s is refused, and none of its arguments are kept", async (_, argumentsWith) => {
  await using app = await startApp()
  const { key } = await givenBuyer(app)
  const args = {
    ...argumentsWith(key),
    filters: { countries: ["DE"], ...(argumentsWith(key) as { filters?: object }).filters },
  }
  const refused = await call(app, "get_products", args, { key })
  expect(refused.adcp_error).toMatchObject({ code: "CREDENTIAL_IN_ARGS", recovery: "terminal" })
  expect(await loggedCalls(app)).toMatchObject([
    { tool: "get_products", outcome: "CREDENTIAL_IN_ARGS", arguments: null, brief: null },
  ])
})

test("words that only look like credentials are welcome, and so are secrets where AdCP has them", async () => {
  await using app = await startApp()
  const { key } = await givenBuyer(app)
  for (const args of [
    { brief: "abi_tur and snake_case campaigns, alibaba_sponsored_30s" },
    { brief: "bearer bonds for cautious savers" },
    { property_list: { agent_url: "https://lists.example/", list_id: "l", auth_token: "secret" } },
    { push_notification_config: { url: "https://a.example/", authentication: { credentials: "x", api_key: "y" } } },
  ])
    expect((await call(app, "get_products", args, { key })).status).toBe("completed")
  const kept = JSON.stringify(await loggedCalls(app))
  expect(kept).toContain("snake_case")
  expect(kept).not.toContain("secret")
})

test("addresses for notifications are kept without user, password and query", async () => {
  await using app = await startApp()
  const url = "https://user:hunter2@hooks.example:8443/adcp/in?token=s3cret&x=1"
  await call(app, "get_products", { brief: "podcasts", push_notification_config: { url } })
  const [logged] = await loggedCalls(app)
  expect(logged?.arguments).toContain("hooks.example:8443/adcp/in")
  expect(logged?.arguments).not.toMatch(/hunter2|s3cret/)
})

test("long arguments are shortened, more so for strangers", async () => {
  await using app = await startApp()
  const { key } = await givenBuyer(app)
  const args = { ext: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field_${n}`, "x".repeat(1_000)])) }
  await call(app, "get_products", args, { key })
  await call(app, "get_products", args)
  const [strangers, buyers] = await loggedCalls(app)
  expect(buyers?.arguments?.length).toBeLessThan(9_000)
  expect(strangers?.arguments?.length).toBeLessThan(2_500)
})

test("refusals for a wrong key, for too many calls and for bad bodies are counted, and not logged", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: 1 } })
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: {} } }
  await post(app, body, { key: "wrong" })
  for (let n = 0; n < 3; n++) await post(app, body)
  await post(app, [])
  app.clock.advance({ hours: 1 })
  await post(app, body, { key: "wrong" })
  expect((await loggedCalls(app)).map(({ outcome }) => outcome)).toEqual(["completed"])
  expect(await refusedRequests(app)).toEqual([
    { way: "agent", status: 401, count: 2 },
    { way: "agent", status: 429, count: 2 },
    { way: "agent", status: 400, count: 1 },
  ])
})

test("requests that break the protocol are logged without their arguments, unless they came with a key", async () => {
  await using app = await startApp()
  const { id, key } = await givenBuyer(app)
  const params = { name: "no_such_tool", arguments: { brief: "long" } }
  await rpc(app, "tools/call", params)
  await rpc(app, "tools/call", params, { key })
  expect(await loggedCalls(app)).toMatchObject([
    { buyerKeyId: id, outcome: "-32602", arguments: '{"brief":"long"}' },
    { buyerKeyId: null, outcome: "-32602", arguments: null },
  ])
})

test("calls are deleted after thirty days, or as many as the operator chose", async () => {
  await using app = await startApp()
  await call(app, "get_products", { brief: "old" })
  app.clock.advance({ hours: 30 * 24 })
  await call(app, "get_products", { brief: "new" })
  await app.database.later.flush()
  await runJob(app, "upkeep")
  expect(await loggedBriefs(app)).toEqual(["new", "old"])
  app.clock.advance({ ms: 1 })
  await runJob(app, "upkeep")
  expect(await loggedBriefs(app)).toEqual(["new"])
  await chooseSettings(app, { logDays: 1 })
  app.clock.advance({ hours: 25 })
  await runJob(app, "upkeep")
  expect(await loggedBriefs(app)).toEqual([])
})

const loggedBriefs = async (app: TestApp) => (await loggedCalls(app)).map(({ brief }) => brief)
