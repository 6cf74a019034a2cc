import { expect, spyOn, test } from "bun:test"
import { ADCPMultiAgentClient } from "@adcp/sdk"
import { Client as SecondClient, StreamableHTTPClientTransport as SecondTransport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { expectValid, type Json } from "../../domain/adcp/schema/answers.ts"
import type { TestApp } from "../../harness.ts"
import { callers, givenOfficial, TOOLS } from "./official.ts"

// The clients that buyers really use, not imitations of ours.

const headersFor = (key: string | undefined) => ({
  requestInit: { headers: key ? { Authorization: `Bearer ${key}` } : {} },
})

interface McpClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

const mcpClients: Record<string, (app: TestApp, key: string | undefined) => Promise<McpClient>> = {
  "the client of @modelcontextprotocol/sdk": async (app, key) => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(new URL("/", app.url), headersFor(key)) as Transport)
    return client
  },
  "@modelcontextprotocol/client as it is": connectSecond(undefined, "legacy"),
  "@modelcontextprotocol/client that knows only older revisions": connectSecond("legacy", "legacy"),
  "@modelcontextprotocol/client that finds out": connectSecond("auto", "modern"),
  "@modelcontextprotocol/client that speaks only MCP 2026-07-28": connectSecond({ pin: "2026-07-28" }, "modern"),
}

type Mode = "auto" | "legacy" | { pin: string } | undefined

function connectSecond(mode: Mode, era: "modern" | "legacy") {
  return async (app: TestApp, key: string | undefined) => {
    const options = mode === undefined ? {} : { versionNegotiation: { mode } }
    const client = new SecondClient({ name: "test", version: "1" }, options)
    await client.connect(new SecondTransport(new URL("/", app.url), headersFor(key)))
    // One that falls back would pass everything else too.
    expect(client.getProtocolEra()).toBe(era)
    return client as McpClient
  }
}

for (const [name, connect] of Object.entries(mcpClients)) {
  test.each([...callers])(`${name} lists the tools and calls all three, %s`, async (caller) => {
    const { app, key, expected } = await givenOfficial(caller)
    await using _ = app
    const client = await connect(app, key)
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(TOOLS)
    for (const tool of TOOLS) {
      const result = (await client.callTool({ name: tool, arguments: { context: { tool } } })) as Json
      const payload = expectValid(tool, result.structuredContent)
      expect(payload).toMatchObject({ adcp_version: "3.1", status: "completed", context: { tool } })
      if (tool === "get_products") expect(payload.products).toHaveLength(expected)
    }
    const refused = (await client.callTool({ name: "get_products", arguments: { adcp_major_version: 2 } })) as Json
    expect([refused.isError, refused.structuredContent.adcp_error.code]).toEqual([true, "VERSION_UNSUPPORTED"])
    await client.close()
  })
}

test.each([...callers])("@adcp/sdk calls all three tools and reads every answer, %s", async (caller) => {
  const { app, key, expected } = await givenOfficial(caller)
  await using _ = app
  const complaints = spyOn(console, "warn").mockImplementation(() => {})
  const agent = { id: "booth", name: "Booth", agent_uri: `${app.url}/`, protocol: "mcp" as const }
  const client = new ADCPMultiAgentClient([key ? { ...agent, auth_token: key } : agent]).agent("booth")
  const capabilities = (await client.getAdcpCapabilities({})) as Json
  const products = (await client.getProducts({ brief: "a banner", buying_mode: "brief" })) as Json
  const formats = (await client.listCreativeFormats({})) as Json
  expect([capabilities.success, products.success, formats.success]).toEqual([true, true, true])
  expect(products.data.products).toHaveLength(expected)
  expect(formats.data.formats.length).toBeGreaterThanOrEqual(40)
  expect(complaints.mock.calls.filter(([text]) => String(text).includes("validation failed"))).toEqual([])
  complaints.mockRestore()
})
