import { expect, test } from "bun:test"
import { createAgentKey } from "../../../src/actions/keys/keys.ts"
import { mint } from "../../../src/domain/keys/api-key.ts"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { officialComplaints, officialIsHere } from "../../domain/adcp/schema/official.ts"
import { givenIngestKey, givenOrganization } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, post, rpc } from "./buyer.ts"

const toolCall = { jsonrpc: "2.0", id: "x1", method: "tools/call", params: { name: "get_products", arguments: {} } }

test("a key that is wrong, malformed, revoked or of the other kind is refused, never taken for anonymous", async () => {
  await using app = await startApp()
  const ingestKey = await givenIngestKey(app, await givenOrganization(app))
  const made = await createAgentKey(app, "revoked", "test")
  await app.store.agentKeys.revoke(made?.record.id ?? "", { actor: "test", at: app.clock() })
  const stranger = mint("agent", app.random)
  const headers = [
    "Bearer nonsense",
    "Bearer",
    "Bearer ",
    "",
    "Basic dXNlcjpwYXNz",
    `bearer ${stranger}`,
    `Bearer ${ingestKey}`,
    `Bearer ${made?.secret}`,
    `Bearer ${made?.secret} x`,
  ]
  const answers: string[] = []
  for (const Authorization of headers) {
    const response = await post(app, toolCall, { headers: { Authorization } })
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="adbooth", error="invalid_token"')
    answers.push(await response.text())
  }
  expect(new Set(answers).size).toBe(1)
  const { id, error } = JSON.parse(answers[0] ?? "")
  expect([id, error.data.adcp_error.code, error.data.adcp_error.recovery]).toEqual([null, "AUTH_INVALID", "terminal"])
  if (officialIsHere) expect(officialComplaints("core/error.json", error.data.adcp_error)).toEqual([])
})

test("a key that is revoked during a run stops at once", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
  expect((await call(app, "get_products", {}, { key })).products).toHaveLength(1)
  const [listed] = await app.store.agentKeys.list()
  await app.store.agentKeys.revoke(listed?.prefix ?? "", { actor: "test", at: app.clock() })
  expect((await post(app, toolCall, { key })).status).toBe(401)
})

test("the thirty-first anonymous call of a minute is refused, and admitted after Retry-After", async () => {
  await using app = await startApp()
  for (let n = 0; n < 30; n++) expect((await post(app, toolCall)).status).toBe(200)
  app.clock.advance({ seconds: 20 })
  const response = await post(app, toolCall)
  expect(response.status).toBe(429)
  expect(response.headers.get("retry-after")).toBe("40")
  expect(response.headers.get("ratelimit")).toBe('"calls";r=0;t=40')
  const { id, error } = (await response.json()) as Json
  expect([id, error.code]).toEqual(["x1", -32029])
  expect(error.data.adcp_error).toMatchObject({
    code: "RATE_LIMITED",
    recovery: "transient",
    retry_after: 40,
    details: { limit: 30, window_seconds: 60 },
  })
  if (officialIsHere) {
    expect(officialComplaints("core/error.json", error.data.adcp_error)).toEqual([])
    expect(officialComplaints("error-details/rate-limited.json", error.data.adcp_error.details)).toEqual([])
  }
  app.clock.advance({ seconds: 40 })
  expect((await post(app, toolCall)).status).toBe(200)
})

test("a key has its own three hundred calls, whatever its address has used", async () => {
  await using app = await startApp()
  const { A, B } = await givenBuyers(app, [], { A: {}, B: {} })
  for (let n = 0; n < 30; n++) await post(app, toolCall)
  for (let n = 0; n < 300; n++) expect((await post(app, toolCall, { key: A })).status).toBe(200)
  expect((await post(app, toolCall, { key: A })).status).toBe(429)
  expect((await post(app, toolCall, { key: B })).status).toBe(200)
  expect((await post(app, toolCall)).status).toBe(429)
})

test("only tools/call counts as a call; everything else shares ten times the limit", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: "3" } })
  for (let n = 0; n < 27; n++) await rpc(app, "ping")
  await rpc(app, "tools/list")
  expect((await post(app, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202)
  expect((await post(app, "{")).status).toBe(400)
  expect((await post(app, { jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(429)
  expect((await post(app, toolCall)).status).toBe(200)
})

test("calls are counted by the address that a trusted proxy names, and by no other", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: "1", trustProxy: "127.0.0.1" } })
  const from = (address: string) => post(app, toolCall, { headers: { "X-Forwarded-For": address } })
  expect([
    (await from("203.0.113.1")).status,
    (await from("203.0.113.1")).status,
    (await from("203.0.113.2")).status,
  ]).toEqual([200, 429, 200])
  await using direct = await startApp({ options: { limitAgentAnonymous: "1" } })
  const statuses = [
    await post(direct, toolCall, { headers: { "X-Forwarded-For": "203.0.113.1" } }),
    await post(direct, toolCall, { headers: { "X-Forwarded-For": "203.0.113.2" } }),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([200, 429])
})
