import { expect, test } from "bun:test"
import { call, post, rpc } from "../harness/agent/agent.ts"
import { startApp } from "../harness/app.ts"

const BODY_BYTES_MAX = 1_048_576

const TOOLS_LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" }

test.each(["GET", "DELETE", "PUT", "PATCH"])("%s answers 405 with Allow: POST", async (method) => {
  await using app = await startApp()
  const response = await app.fetch("/", { method })
  expect(response.status).toBe(405)
  expect(response.headers.get("allow")).toBe("POST")
})

test("a browser gets the same 405 with a page that points to the app and the guides", async () => {
  await using app = await startApp()
  const response = await app.fetch("/", { headers: { Accept: "text/html,application/xhtml+xml" } })
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
  const page = await response.text()
  expect(page).toContain('href="/app"')
  expect(page).toContain('href="/docs"')
})

test.each([
  ["nothing", undefined],
  ["application/json", "application/json"],
  ["text/event-stream", "text/event-stream"],
  ["*/*", "*/*"],
])("Accept with %s answers 406", async (_, accept) => {
  await using app = await startApp()
  const headers = { "Content-Type": "application/json", ...(accept ? { Accept: accept } : { Accept: "" }) }
  const response = await app.fetch("/", { method: "POST", headers, body: JSON.stringify(TOOLS_LIST) })
  expect(response.status).toBe(406)
  expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } })
})

test("Accept may name both types in any order, with parameters, in any letter case", async () => {
  await using app = await startApp()
  const accept = "Text/Event-Stream;q=0.5 , */*, APPLICATION/JSON; charset=utf-8"
  expect((await post(app, TOOLS_LIST, { headers: { Accept: accept } })).status).toBe(200)
})

test.each([
  ["a batch", "[]", 400, -32600],
  ["a batch of one", JSON.stringify([TOOLS_LIST]), 400, -32600],
  ["broken JSON", "{", 400, -32700],
  ["nothing", "", 400, -32700],
  ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), 400, -32700],
  ["a JSON text", '"x"', 400, -32600],
  ["null", "null", 400, -32600],
  ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
  ["an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
  ["an id of many digits", `{"jsonrpc":"2.0","id":${"1".repeat(1_001)},"method":"ping"}`, 400, -32600],
  ["an id of a million digits", `{"jsonrpc":"2.0","id":${"1".repeat(1_000_000)},"method":"ping"}`, 400, -32600],
  ["a long id", `{"jsonrpc":"2.0","id":"${"x".repeat(1_001)}","method":"ping"}`, 400, -32600],
  ["a method that isn't a text", '{"jsonrpc":"2.0","id":1,"method":5}', 400, -32600],
])("a body of %s is refused as JSON-RPC says", async (_, body, status, code) => {
  await using app = await startApp()
  const response = await post(app, body)
  expect(response.status).toBe(status)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } })
})

test("a body of another type is refused with 415, and a body that's too large with 413 and the limit", async () => {
  await using app = await startApp()
  expect((await post(app, TOOLS_LIST, { headers: { "Content-Type": "text/plain" } })).status).toBe(415)
  const large = await post(app, { ...TOOLS_LIST, params: { x: "x".repeat(BODY_BYTES_MAX) } })
  expect(large.status).toBe(413)
  expect(JSON.stringify(await large.json())).toContain(String(BODY_BYTES_MAX))
})

test.each([7, 0, -3, "seven", "", "7"])("the id %p is echoed as sent", async (id) => {
  await using app = await startApp()
  expect((await rpc(app, "ping", undefined, { id })).id).toBe(id)
})

test("an id with more digits than a number holds comes back digit by digit", async () => {
  await using app = await startApp()
  const response = await post(app, '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}')
  expect(await response.text()).toBe('{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}')
})

test("numbers in a context come back digit by digit", async () => {
  await using app = await startApp()
  const context = '{"order":1234567890123456789,"list":[{"share":0.10000000000000000001}],"far":1e400,"near":1.5}'
  for (const more of ["", ',"adcp_major_version":2']) {
    const params = `{"name":"get_products","arguments":{"context":${context}${more}}}`
    const response = await post(app, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
    expect(await response.text()).toEndWith(`"context":${context}}}}`)
  }
})

test("two callers with the same id at the same time get their own answers", async () => {
  await using app = await startApp()
  const contexts = Array.from({ length: 20 }, (_, n) => ({ n }))
  const answers = await Promise.all(
    contexts.map((context) => call(app, "get_adcp_capabilities", { context }, { id: "same" })),
  )
  expect(answers.map((answer) => answer.context)).toEqual(contexts)
})

test("notifications, and answers to questions that we never asked, get 202 and no body", async () => {
  await using app = await startApp()
  const notices = [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    { jsonrpc: "2.0", method: "no/such/notification" },
    { jsonrpc: "2.0", id: 1, result: {} },
  ]
  for (const notice of notices) {
    const response = await post(app, notice)
    expect([response.status, await response.text()]).toEqual([202, ""])
  }
})

test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
  "initialize works for MCP %s and leaves no session",
  async (protocolVersion) => {
    await using app = await startApp()
    const { result } = await rpc(app, "initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    })
    expect(result).toMatchObject({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "adbooth" } })
  },
)

test("initialize for an unknown revision, or one without initialize, gets one that we support", async () => {
  await using app = await startApp()
  for (const protocolVersion of ["2026-07-28", "2031-01-01"]) {
    const { result } = await rpc(app, "initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    })
    expect(result.protocolVersion).toBe("2025-11-25")
  }
})

test("a tool is called without initialize, with or without MCP-Protocol-Version", async () => {
  await using app = await startApp()
  for (const version of ["2025-06-18", "2025-03-26", ""]) {
    await call(app, "get_adcp_capabilities", {}, { headers: { "MCP-Protocol-Version": version } })
  }
})

test.each([
  ["an unknown method", "resources/list", undefined, -32601],
  ["an unknown tool", "tools/call", { name: "create_media_buy", arguments: {} }, -32602],
  ["a tool with a name from the prototype", "tools/call", { name: "constructor", arguments: {} }, -32602],
  ["a call without a name", "tools/call", { arguments: {} }, -32602],
  ["a call without params", "tools/call", undefined, -32602],
  ["arguments that are a list", "tools/call", { name: "get_products", arguments: [] }, -32602],
  ["arguments that are null", "tools/call", { name: "get_products", arguments: null }, -32602],
  ["params that are a list", "ping", [1], -32602],
  ["initialize without params", "initialize", {}, -32602],
  ["a call that wants a task", "tasks/list", {}, -32601],
])("%s is a plain JSON-RPC error", async (_, method, params, code) => {
  await using app = await startApp()
  expect((await rpc(app, method, params)).error).toEqual({ code, message: expect.any(String) })
})

test("arguments may be left out", async () => {
  await using app = await startApp()
  const { result } = await rpc(app, "tools/call", { name: "get_products" })
  expect(result.structuredContent.products).toEqual([])
})

test("every response carries the headers of a careful server", async () => {
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" } })
  const { headers } = await post(app, TOOLS_LIST, { headers: { Host: "ads.example.com" } })
  expect(Object.fromEntries(headers)).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-request-id": expect.any(String),
  })
})
