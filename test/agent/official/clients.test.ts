import { expect, spyOn, test } from "bun:test"
import { ADCPMultiAgentClient } from "@adcp/sdk"
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { givenShown, productOf } from "../../harness/agent/agent.ts"
import { type Json, problemsOfAnswer, TOOLS } from "../../harness/agent/official.ts"
import { startApp, type TestApp } from "../../harness/app.ts"

// The clients that buyers really use.

const CALLERS = ["anonymous", "keyed"] as const

/** A server with one product, and the key that sees it or none. */
async function givenServer(caller: (typeof CALLERS)[number]) {
  const app = await startApp()
  const { key } = await givenShown(app, [productOf("p")])
  return caller === "keyed" ? { app, key, expected: 1 } : { app, key: undefined, expected: 0 }
}

const withKey = (key: string | undefined) => ({
  requestInit: { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } },
})

interface McpClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

type Connect = (app: TestApp, key: string | undefined) => Promise<McpClient>
type Mode = "auto" | "legacy" | { pin: string } | undefined

function newClient(mode: Mode, era: "modern" | "legacy"): Connect {
  return async (app, key) => {
    const options = mode === undefined ? {} : { versionNegotiation: { mode } }
    const client = new NewClient({ name: "test", version: "1" }, options)
    await client.connect(new NewTransport(new URL("/", app.url), withKey(key)))
    // A client that falls back would pass everything else, too.
    expect(client.getProtocolEra()).toBe(era)
    return client as McpClient
  }
}

const CLIENTS: Readonly<Record<string, Connect>> = {
  "@modelcontextprotocol/sdk": async (app, key) => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(new URL("/", app.url), withKey(key)) as Transport)
    return client
  },
  "@modelcontextprotocol/client as it is": newClient(undefined, "legacy"),
  "@modelcontextprotocol/client for older revisions": newClient("legacy", "legacy"),
  "@modelcontextprotocol/client that finds out": newClient("auto", "modern"),
  "@modelcontextprotocol/client for MCP 2026-07-28": newClient({ pin: "2026-07-28" }, "modern"),
}

for (const [name, connect] of Object.entries(CLIENTS)) {
  test.each([...CALLERS])(`${name} lists the tools and calls all three, %s`, async (caller) => {
    const { app, key, expected } = await givenServer(caller)
    await using _ = app
    const client = await connect(app, key)
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([...TOOLS])
    for (const tool of TOOLS) {
      const { structuredContent } = (await client.callTool({ name: tool, arguments: { context: { tool } } })) as Json
      expect(problemsOfAnswer(tool, structuredContent)).toEqual([])
      expect(structuredContent).toMatchObject({ adcp_version: "3.1", status: "completed", context: { tool } })
      if (tool === "get_products") expect(structuredContent.products).toHaveLength(expected)
    }
    const refused = (await client.callTool({ name: "get_products", arguments: { adcp_major_version: 2 } })) as Json
    expect([refused.isError, refused.structuredContent.adcp_error.code]).toEqual([true, "VERSION_UNSUPPORTED"])
    await client.close()
  })
}

test.each([...CALLERS])("@adcp/sdk calls all three tools and reads every answer, %s", async (caller) => {
  const { app, key, expected } = await givenServer(caller)
  await using _ = app
  const warnings = spyOn(console, "warn").mockImplementation(() => {})
  const agent = { id: "booth", name: "Booth", agent_uri: `${app.url}/`, protocol: "mcp" as const }
  const client = new ADCPMultiAgentClient([key === undefined ? agent : { ...agent, auth_token: key }]).agent("booth")
  const capabilities = (await client.getAdcpCapabilities({})) as Json
  const products = (await client.getProducts({ brief: "a banner", buying_mode: "brief" })) as Json
  const formats = (await client.listCreativeFormats({})) as Json
  expect([capabilities.success, products.success, formats.success]).toEqual([true, true, true])
  expect(products.data.products).toHaveLength(expected)
  expect(formats.data.formats.length).toBeGreaterThanOrEqual(40)
  expect(warnings.mock.calls.filter(([text]) => String(text).includes("validation failed"))).toEqual([])
  warnings.mockRestore()
})
