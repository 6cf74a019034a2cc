import { expect, test } from "bun:test"
import { version } from "../../package.json"
import { givenShown, MODERN, modernMeta, post, productOf } from "../harness/agent/agent.ts"
import type { Json } from "../harness/agent/official.ts"
import { startApp, type TestApp } from "../harness/app.ts"

// MCP 2026-07-28 on the wire.

const PV = "io.modelcontextprotocol/protocolVersion"
const CC = "io.modelcontextprotocol/clientCapabilities"
const META = modernMeta()
const SERVER_INFO = { "io.modelcontextprotocol/serverInfo": { name: "adbooth", version } }

interface Sent {
  readonly params?: object
  readonly meta?: unknown
  /** Instead of the ones that the request should have. Undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly id?: string | number
  readonly key?: string
}

/** A request as the specification wants it, apart from what is given. */
async function send(app: TestApp, method: string, { params = {}, meta = META, headers = {}, id = 7, key }: Sent = {}) {
  const { name } = params as { name?: string }
  const right = { "MCP-Protocol-Version": MODERN, "Mcp-Method": method, ...(name && { "Mcp-Name": name }) }
  const all = Object.entries({ ...right, ...headers }).filter(([, value]) => value !== undefined)
  const body = { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }
  const response = await post(app, body, { key, headers: Object.fromEntries(all) as Record<string, string> })
  const answer: Json = await response.json()
  return { status: response.status, headers: response.headers, answer }
}

test("server/discover gives the revision, the capabilities and their lifetime, without a key", async () => {
  await using app = await startApp()
  const { status, answer } = await send(app, "server/discover", { id: "probe" })
  const result = {
    resultType: "complete",
    supportedVersions: [MODERN],
    capabilities: { tools: {} },
    instructions: expect.stringContaining("get_adcp_capabilities"),
    ttlMs: 300_000,
    cacheScope: "public",
    _meta: SERVER_INFO,
  }
  expect([status, answer]).toEqual([200, { jsonrpc: "2.0", id: "probe", result }])
})

test("tools/list is the same as in older revisions, with its lifetime", async () => {
  await using app = await startApp()
  const { answer } = await send(app, "tools/list")
  const older: Json = await (await post(app, { jsonrpc: "2.0", id: 7, method: "tools/list" })).json()
  const { tools, ...rest } = answer.result
  expect(tools).toEqual(older.result.tools)
  expect(rest).toEqual({ resultType: "complete", ttlMs: 300_000, cacheScope: "public", _meta: SERVER_INFO })
})

test("a call has the result of the older revisions, complete", async () => {
  await using app = await startApp()
  const { key } = await givenShown(app, [productOf("p")])
  const params = { name: "get_products", arguments: { brief: "banner" } }
  const older: Json = await (await post(app, { jsonrpc: "2.0", id: 7, method: "tools/call", params }, { key })).json()
  const { answer } = await send(app, "tools/call", { params, key })
  expect(answer.result).toEqual({ resultType: "complete", ...older.result, _meta: SERVER_INFO })
})

test("a failed call is complete as well", async () => {
  await using app = await startApp()
  const params = { name: "get_products", arguments: { adcp_major_version: 2 } }
  const { status, answer } = await send(app, "tools/call", { params })
  expect([status, answer.result.isError, answer.result.resultType]).toEqual([200, true, "complete"])
})

const CALL = { params: { name: "get_adcp_capabilities", arguments: {} } }

// Each one is also wrong in a later way, if it can be.
const REFUSALS: readonly (readonly [what: string, method: string, sent: Sent, status: number, code: number])[] = [
  ["no version in _meta", "tools/list", { meta: { [CC]: {} } }, 400, -32602],
  ["no _meta", "tools/list", { meta: null }, 400, -32602],
  ["a version that isn't a text", "tools/list", { meta: { ...META, [PV]: 5 } }, 400, -32602],
  ["no capabilities", "tools/list", { meta: { [PV]: MODERN } }, 400, -32602],
  ["capabilities that are a list", "tools/list", { meta: { ...META, [CC]: [] } }, 400, -32602],
  ["another version in the header", "tools/list", { headers: { "MCP-Protocol-Version": "2025-11-25" } }, 400, -32020],
  ["an odd version in the header", "tools/list", { headers: { "MCP-Protocol-Version": "x" } }, 400, -32020],
  ["no version in the header", "tools/list", { headers: { "MCP-Protocol-Version": undefined } }, 400, -32020],
  ["no method in the header", "tools/list", { headers: { "Mcp-Method": undefined } }, 400, -32020],
  ["another method in the header", "tools/list", { headers: { "Mcp-Method": "Tools/List" } }, 400, -32020],
  ["no name in the header", "tools/call", { ...CALL, headers: { "Mcp-Name": undefined } }, 400, -32020],
  ["another name in the header", "tools/call", { ...CALL, headers: { "Mcp-Name": "get_products" } }, 400, -32020],
  ["a badly encoded name", "tools/call", { ...CALL, headers: { "Mcp-Name": "=?base64?x?=" } }, 400, -32020],
  ["initialize", "initialize", {}, 404, -32601],
  ["ping", "ping", {}, 404, -32601],
  ["prompts", "prompts/list", {}, 404, -32601],
  ["tasks", "tasks/get", {}, 404, -32601],
  ["subscriptions", "subscriptions/listen", {}, 404, -32601],
  ["an unknown tool", "tools/call", { params: { name: "create_media_buy" } }, 200, -32602],
  ["arguments that are a list", "tools/call", { params: { name: "get_products", arguments: [] } }, 200, -32602],
  ["params without a name", "tools/call", {}, 200, -32602],
]

test.each(REFUSALS)("%s is refused with the ID of the request (%s)", async (_what, method, sent, status, code) => {
  await using app = await startApp()
  const refused = await send(app, method, sent)
  const error = expect.objectContaining({ code })
  expect([refused.status, refused.answer]).toEqual([status, { jsonrpc: "2.0", id: 7, error }])
})

test("a later version is refused with the one that is served", async () => {
  await using app = await startApp()
  const sent = { meta: { ...META, [PV]: "2027-01-01" }, headers: { "MCP-Protocol-Version": "2027-01-01" } }
  const { status, answer } = await send(app, "server/discover", sent)
  const data = { supported: [MODERN], requested: "2027-01-01" }
  expect([status, answer.error.code, answer.error.data]).toEqual([400, -32022, data])
})

test("a name may be encoded, with space around it", async () => {
  await using app = await startApp()
  const encoded = `=?base64?${Buffer.from(CALL.params.name).toString("base64")}?=`
  const { status } = await send(app, "tools/call", { ...CALL, headers: { "Mcp-Name": ` ${encoded} ` } })
  expect(status).toBe(200)
})

test("an ID that isn't known is left out", async () => {
  await using app = await startApp()
  const headers = { "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/list" }
  const responses = [
    await post(app, {}, { key: "aba_wrong", headers }),
    await post(app, "{", { headers }),
    await post(app, {}, { headers: { ...headers, Accept: "text/html" } }),
    await post(app, {}, { headers: { ...headers, Origin: "https://elsewhere.example" } }),
  ]
  expect(responses.map(({ status }) => status)).toEqual([401, 400, 406, 403])
  for (const response of responses) expect(Object.keys((await response.json()) as Json)).toEqual(["jsonrpc", "error"])
})

test("over the limit, the code is outside of the reserved range, and the older revisions keep theirs", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: 1 } })
  await send(app, "tools/call", CALL)
  const { status, headers, answer } = await send(app, "tools/call", CALL)
  expect([status, answer.id, answer.error.code, headers.get("retry-after")]).toEqual([429, 7, 429, "60"])
  expect(answer.error.data.adcp_error).toMatchObject({ code: "RATE_LIMITED", retry_after: 60 })
  const older: Json = await (
    await post(app, { jsonrpc: "2.0", id: 7, method: "tools/call", params: CALL.params })
  ).json()
  expect(older.error.code).toBe(-32029)
})

test("a refused request counts", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: 1 } })
  const { headers } = await send(app, "tools/call", { ...CALL, headers: { "Mcp-Name": "x" } })
  expect(headers.get("ratelimit")).toContain("r=0")
  expect((await send(app, "tools/call", CALL)).status).toBe(429)
})

test("a notification is accepted without an answer", async () => {
  await using app = await startApp()
  const headers = { "MCP-Protocol-Version": MODERN }
  const response = await post(app, { jsonrpc: "2.0", method: "notifications/cancelled" }, { headers })
  expect([response.status, await response.text()]).toEqual([202, ""])
})
