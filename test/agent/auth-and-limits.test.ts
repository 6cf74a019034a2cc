import { expect, test } from "bun:test"
import { ask, givenBuyer, givenShown, post, productOf, revoke, rpc, strangerKey } from "../harness/agent/agent.ts"
import { hasOfficial, type Json, officialProblems } from "../harness/agent/official.ts"
import { startApp } from "../harness/app.ts"
import { givenKey } from "../harness/data/ingest.ts"

const CALL = { jsonrpc: "2.0", id: "x1", method: "tools/call", params: { name: "get_products", arguments: {} } }

test("a key that is wrong, malformed, revoked or of the other kind is refused, and never treated as anonymous", async () => {
  await using app = await startApp()
  const revoked = await givenBuyer(app)
  await revoke(app, revoked)
  const headers = [
    "Bearer nonsense",
    "Bearer",
    "Bearer ",
    "",
    "Basic dXNlcjpwYXNz",
    `bearer ${strangerKey()}`,
    `Bearer ${await givenKey(app)}`,
    `Bearer ${revoked.key}`,
    `Bearer ${revoked.key} x`,
  ]
  const answers: string[] = []
  for (const Authorization of headers) {
    const response = await post(app, CALL, { headers: { Authorization } })
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="adbooth", error="invalid_token"')
    answers.push(await response.text())
  }
  expect(new Set(answers).size).toBe(1)
  const { id, error } = JSON.parse(answers[0] ?? "")
  const { adcp_error } = error.data
  expect([id, adcp_error.code, adcp_error.recovery]).toEqual([null, "AUTH_INVALID", "terminal"])
  if (hasOfficial) expect(officialProblems("core/error.json", adcp_error)).toEqual([])
})

test("a revoked key stops at once", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p")])
  expect((await ask(app, buyer)).products).toHaveLength(1)
  await revoke(app, buyer)
  expect((await post(app, CALL, buyer)).status).toBe(401)
})

test("the thirty-first anonymous call of a minute is refused, and admitted after Retry-After", async () => {
  await using app = await startApp()
  for (let n = 0; n < 30; n++) expect((await post(app, CALL)).status).toBe(200)
  app.clock.advance({ seconds: 20 })
  const response = await post(app, CALL)
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "40"])
  expect(response.headers.get("ratelimit")).toBe('"calls";r=0;t=40')
  const { id, error }: Json = await response.json()
  const { adcp_error } = error.data
  expect([id, error.code]).toEqual(["x1", -32029])
  const details = { limit: 30, remaining: 0, window_seconds: 60 }
  expect(adcp_error).toMatchObject({ code: "RATE_LIMITED", recovery: "transient", retry_after: 40, details })
  if (hasOfficial) {
    expect(officialProblems("core/error.json", adcp_error)).toEqual([])
    expect(officialProblems("error-details/rate-limited.json", adcp_error.details)).toEqual([])
  }
  app.clock.advance({ seconds: 40 })
  expect((await post(app, CALL)).status).toBe(200)
})

test("a key has its own three hundred calls, whatever its address has used", async () => {
  await using app = await startApp()
  const [one, other] = [await givenBuyer(app), await givenBuyer(app)]
  for (let n = 0; n < 30; n++) await post(app, CALL)
  for (let n = 0; n < 300; n++) expect((await post(app, CALL, one)).status).toBe(200)
  expect((await post(app, CALL, one)).status).toBe(429)
  expect((await post(app, CALL, other)).status).toBe(200)
  expect((await post(app, CALL)).status).toBe(429)
})

test("only tools/call counts as a call, and everything else shares ten times the limit", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: 3 } })
  for (let n = 0; n < 27; n++) await rpc(app, "ping")
  await rpc(app, "tools/list")
  expect((await post(app, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202)
  expect((await post(app, "{")).status).toBe(400)
  expect((await post(app, { jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(429)
  expect((await post(app, CALL)).status).toBe(200)
})

test("calls are counted by the address that a trusted proxy names, and by no other", async () => {
  const statusesOf = async (trustProxy: string[]) => {
    await using app = await startApp({ options: { limitAgentAnonymous: 1, trustProxy } })
    const from = async (address: string) => (await post(app, CALL, { headers: { "X-Forwarded-For": address } })).status
    return [await from("203.0.113.1"), await from("203.0.113.1"), await from("203.0.113.2")]
  }
  expect(await statusesOf(["127.0.0.1"])).toEqual([200, 429, 200])
  expect(await statusesOf([])).toEqual([200, 429, 429])
})
