import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { join } from "node:path"
import { ADCPMultiAgentClient } from "@adcp/sdk"
import { Client as SecondClient, StreamableHTTPClientTransport as SecondTransport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { expectValid, type Json, type Tool } from "../../domain/adcp/schema/answers.ts"
import { startApp, type TestApp, temporaryFolder } from "../../harness.ts"
import { givenBuyers, givenProduct } from "./buyer.ts"

// The clients that buyers really use, not imitations of ours.

const TOOLS: Tool[] = ["get_adcp_capabilities", "get_products", "list_creative_formats"]
const callers = ["anonymous", "keyed"] as const
const modules = join(import.meta.dir, "..", "..", "..", "node_modules")

async function given(caller: (typeof callers)[number]) {
  const app = await startApp()
  const { Buyer } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["DE"] } })
  return { app, key: caller === "keyed" ? Buyer : undefined, expected: caller === "keyed" ? 1 : 0 }
}

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
  "@modelcontextprotocol/client": async (app, key) => {
    const client = new SecondClient({ name: "test", version: "1" })
    await client.connect(new SecondTransport(new URL("/", app.url), headersFor(key)))
    return client as McpClient
  },
  "@modelcontextprotocol/client that first tries MCP 2026-07-28": async (app, key) => {
    const client = new SecondClient({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } })
    await client.connect(new SecondTransport(new URL("/", app.url), headersFor(key)))
    return client as McpClient
  },
}

for (const [name, connect] of Object.entries(mcpClients)) {
  test.each([...callers])(
    `${name} lists the tools and calls all three, %s`,
    async (caller) => {
      const { app, key, expected } = await given(caller)
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
    },
    30_000,
  )
}

test.each([...callers])(
  "@adcp/sdk calls all three tools and reads every answer, %s",
  async (caller) => {
    const { app, key, expected } = await given(caller)
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
  },
  20_000,
)

/** Runs a program of a package with the Bun that runs this test. Into a file, because some leave before a pipe is empty. */
async function run(program: string, ...args: string[]): Promise<{ code: number; out: string }> {
  using folder = temporaryFolder()
  const file = Bun.file(join(folder.path, "out"))
  const env = { ...process.env, NO_COLOR: "1" }
  const child = Bun.spawn([process.execPath, join(modules, program), ...args], { stdout: file, stderr: "ignore", env })
  const code = await child.exited
  return { code, out: await file.text() }
}

test.each([...callers])(
  "the MCP Inspector's command line lists the tools and calls all three, %s",
  async (caller) => {
    const { app, key, expected } = await given(caller)
    await using _ = app
    const inspect = async (...args: string[]) => {
      const header = key ? ["--header", `Authorization: Bearer ${key}`] : []
      const program = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
      const { code, out } = await run(
        program,
        "--cli",
        `${app.url}/`,
        "--transport",
        "http",
        ...header,
        "--method",
        ...args,
      )
      expect([code, code === 0 ? "" : out]).toEqual([0, ""])
      return JSON.parse(out.slice(out.indexOf("{"))) as Json
    }
    expect((await inspect("tools/list")).tools.map((tool: Json) => tool.name)).toEqual(TOOLS)
    for (const tool of TOOLS) {
      const payload = expectValid(tool, (await inspect("tools/call", "--tool-name", tool)).structuredContent)
      if (tool === "get_products") expect(payload.products).toHaveLength(expected)
    }
  },
  60_000,
)

describe("the scenarios of @modelcontextprotocol/conformance that fit a server with tools only", () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test.each(["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])(
    "%s passes",
    async (scenario) => {
      const url = `${app.url.replace("127.0.0.1", "localhost")}/`
      const { code, out } = await run(
        "@modelcontextprotocol/conformance/dist/index.js",
        "server",
        "--url",
        url,
        "--scenario",
        scenario,
      )
      expect([code, out]).toEqual([0, expect.stringContaining("0 failed")])
    },
    30_000,
  )
})
