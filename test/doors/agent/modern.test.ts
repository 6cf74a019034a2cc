import { expect, test } from "bun:test"
import { version } from "../../../package.json"
import { AGENT_VALUES_ANONYMOUS_MAX } from "../../../src/domain/limits.ts"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenBuyers, givenProduct, post } from "./buyer.ts"

// MCP 2026-07-28 on the wire.

const PV = "io.modelcontextprotocol/protocolVersion"
const CC = "io.modelcontextprotocol/clientCapabilities"
const META = { [PV]: "2026-07-28", [CC]: {} }

type Headers = Record<string, string | undefined>

interface Sent {
  readonly params?: object
  readonly meta?: unknown
  /** Instead of those that the request should have; undefined leaves one out. */
  readonly headers?: Headers
  readonly id?: string | number
  readonly key?: string
}

/** A request as the specification wants it, but for what is said. */
async function send(app: TestApp, method: string, { params = {}, meta = META, headers = {}, id = 7, key }: Sent = {}) {
  const { name } = params as { name?: string }
  const right = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...(name && { "Mcp-Name": name }) }
  const all = Object.entries({ ...right, ...headers }).filter(([, value]) => value !== undefined)
  const body = { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }
  const response = await post(app, body, { key, headers: Object.fromEntries(all) as Record<string, string> })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, answer: JSON.parse(text) as Json }
}

const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "adbooth", version } }

test("server/discover says the revision, what there is and how long that holds, without a key", async () => {
  await using app = await startApp()
  const { status, answer } = await send(app, "server/discover", { id: "probe" })
  expect([status, answer]).toEqual([
    200,
    {
      jsonrpc: "2.0",
      id: "probe",
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        instructions: expect.stringContaining("get_adcp_capabilities"),
        ttlMs: 300_000,
        cacheScope: "public",
        _meta: serverInfo,
      },
    },
  ])
})

test("tools/list is the list of the older revisions, with how long it holds", async () => {
  await using app = await startApp()
  const { answer } = await send(app, "tools/list")
  const older = (await (await post(app, { jsonrpc: "2.0", id: 7, method: "tools/list" })).json()) as Json
  const { tools, ...rest } = answer.result
  expect(tools).toEqual(older.result.tools)
  expect(rest).toEqual({ resultType: "complete", ttlMs: 300_000, cacheScope: "public", _meta: serverInfo })
})

test("a call has the result of the older revisions, complete, each time it is asked", async () => {
  await using app = await startApp()
  const { Buyer: key = "" } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["DE"] } })
  const params = { name: "get_products", arguments: { brief: "banner" } }
  const older = async () => {
    const response = await post(app, { jsonrpc: "2.0", id: 7, method: "tools/call", params }, { key })
    return response.text()
  }
  const first = await older()
  const modern = await send(app, "tools/call", { params, key })
  // From the cache by now, where both are put around the same bytes.
  for (let i = 0; i < 3; i++) {
    expect((await send(app, "tools/call", { params, key })).text).toBe(modern.text)
    expect(await older()).toBe(first)
  }
  const { result } = JSON.parse(first)
  expect(modern.answer).toEqual({
    jsonrpc: "2.0",
    id: 7,
    result: { resultType: "complete", ...result, _meta: serverInfo },
  })
})

test("a failed call is complete too", async () => {
  await using app = await startApp()
  const params = { name: "get_products", arguments: { adcp_major_version: 2 } }
  const { status, answer } = await send(app, "tools/call", { params })
  expect([status, answer.result.isError, answer.result.resultType]).toEqual([200, true, "complete"])
})

const call = { params: { name: "get_adcp_capabilities", arguments: {} } }
const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`

const refusals: [what: string, method: string, sent: Sent, status: number, code: number][] = [
  ["no version in _meta", "tools/list", { meta: { [CC]: {} } }, 400, -32602],
  ["no _meta", "tools/list", { meta: null }, 400, -32602],
  ["a version that is no text", "tools/list", { meta: { ...META, [PV]: 5 } }, 400, -32602],
  ["no capabilities", "tools/list", { meta: { [PV]: "2026-07-28" } }, 400, -32602],
  ["capabilities that are a list", "tools/list", { meta: { ...META, [CC]: [] } }, 400, -32602],
  ["another version in the header", "tools/list", { headers: { "MCP-Protocol-Version": "2025-11-25" } }, 400, -32020],
  ["no such version in the header", "tools/list", { headers: { "MCP-Protocol-Version": "x" } }, 400, -32020],
  ["no version in the header", "tools/list", { headers: { "MCP-Protocol-Version": undefined } }, 400, -32020],
  ["no method in the header", "tools/list", { headers: { "Mcp-Method": undefined } }, 400, -32020],
  ["another method in the header", "tools/list", { headers: { "Mcp-Method": "Tools/List" } }, 400, -32020],
  ["no name in the header", "tools/call", { ...call, headers: { "Mcp-Name": undefined } }, 400, -32020],
  ["another name in the header", "tools/call", { ...call, headers: { "Mcp-Name": "get_products" } }, 400, -32020],
  ["a name that is badly encoded", "tools/call", { ...call, headers: { "Mcp-Name": "=?base64?x?=" } }, 400, -32020],
  ...[
    "initialize",
    "ping",
    "logging/setLevel",
    "prompts/list",
    "resources/read",
    "tasks/get",
    "subscriptions/listen",
  ].map((method): [string, string, Sent, number, number] => [method, method, {}, 404, -32601]),
  ["an unknown tool", "tools/call", { params: { name: "create_media_buy" } }, 200, -32602],
  ["arguments that are a list", "tools/call", { params: { name: "get_products", arguments: [] } }, 200, -32602],
  ["params without a name", "tools/call", {}, 200, -32602],
]

test.each(refusals)("%s is refused with the id of the request (%s)", async (_what, method, sent, status, code) => {
  await using app = await startApp()
  const refused = await send(app, method, sent)
  expect([refused.status, refused.answer]).toEqual([
    status,
    { jsonrpc: "2.0", id: 7, error: expect.objectContaining({ code }) },
  ])
})

test("a later version is refused with the one that is served", async () => {
  await using app = await startApp()
  const sent = { meta: { ...META, [PV]: "2027-01-01" }, headers: { "MCP-Protocol-Version": "2027-01-01" } }
  const { status, answer } = await send(app, "server/discover", sent)
  expect([status, answer.error.code, answer.error.data]).toEqual([
    400,
    -32022,
    { supported: ["2026-07-28"], requested: "2027-01-01" },
  ])
})

test("a name may be encoded, with space around it", async () => {
  await using app = await startApp()
  const { status } = await send(app, "tools/call", {
    ...call,
    headers: { "Mcp-Name": ` ${encoded(call.params.name)} ` },
  })
  expect(status).toBe(200)
})

test("where the id is not known it is left out", async () => {
  await using app = await startApp()
  const headers = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" }
  const wrongKey = await post(app, {}, { key: "aba_wrong", headers })
  const badJson = await post(app, "{", { headers })
  const badAccept = await post(app, {}, { headers: { ...headers, Accept: "text/html" } })
  const foreign = await post(app, {}, { headers: { ...headers, Origin: "https://elsewhere.example" } })
  const responses = [wrongKey, badJson, badAccept, foreign]
  expect(responses.map(({ status }) => status)).toEqual([401, 400, 406, 403])
  for (const response of responses) expect(Object.keys((await response.json()) as Json)).toEqual(["jsonrpc", "error"])
})

test("over the limit the code is outside of the reserved range, and the older revisions keep theirs", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: "1" } })
  await send(app, "tools/call", call)
  const { status, headers, answer } = await send(app, "tools/call", call)
  expect([status, answer.id, answer.error.code]).toEqual([429, 7, 429])
  expect(headers.get("retry-after")).toBe("60")
  expect(answer.error.data.adcp_error).toMatchObject({ code: "RATE_LIMITED", retry_after: 60 })
  const older = await post(app, { jsonrpc: "2.0", id: 7, method: "tools/call", params: call.params })
  expect(((await older.json()) as Json).error.code).toBe(-32029)
})

test("a refused request counts", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: "1" } })
  const { headers } = await send(app, "tools/call", { ...call, headers: { "Mcp-Name": "x" } })
  expect(headers.get("ratelimit")).toContain("r=0")
  expect((await send(app, "tools/call", call)).status).toBe(429)
})

test.each(["before", "after"])(
  "a call with too many arguments is refused in its revision, with _meta %s them",
  async (place) => {
    await using app = await startApp()
    const list = `"arguments":{"fields":[${Array(AGENT_VALUES_ANONYMOUS_MAX + 1)
      .fill("1")
      .join(",")}]}`
    const meta = `"_meta":${JSON.stringify(META)}`
    const params = place === "before" ? `${meta},${list}` : `${list},${meta}`
    const headers = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "get_products",
    }
    const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_products",${params}}}`
    const response = await post(app, body, { headers })
    const { id, result } = (await response.json()) as Json
    expect([response.status, id, result.resultType, result.structuredContent.adcp_error.code]).toEqual([
      200,
      7,
      "complete",
      "INVALID_REQUEST",
    ])
  },
)

test("a notification is accepted without an answer", async () => {
  await using app = await startApp()
  const headers = { "MCP-Protocol-Version": "2026-07-28" }
  const response = await post(app, { jsonrpc: "2.0", method: "notifications/cancelled" }, { headers })
  expect([response.status, await response.text()]).toEqual([202, ""])
})
