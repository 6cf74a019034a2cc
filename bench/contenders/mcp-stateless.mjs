// The MCP SDK on Node in its documented stateless pattern: a server and a transport for each request, behind Express.
// Usage: mcp-stateless.mjs CATALOGUE.json, a file with `formats` and `products`.
import { readFileSync } from "node:fs"
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { z } from "zod"

const { formats, products } = JSON.parse(readFileSync(process.argv[2], "utf8"))

function result(message, payload) {
  const structuredContent = { adcp_version: "3.1", status: "completed", message, ...payload }
  return { content: [{ type: "text", text: message }], structuredContent }
}

function createServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" })
  const formatArguments = { name_search: z.string().optional(), max_width: z.number().int().optional() }
  server.registerTool("list_creative_formats", { inputSchema: formatArguments }, async () =>
    result(`${formats.length} formats.`, { formats }),
  )
  const productArguments = { buying_mode: z.enum(["brief", "wholesale", "refine"]), brief: z.string().optional() }
  server.registerTool("get_products", { inputSchema: productArguments }, async () =>
    result(`${products.length} products.`, { products, cache_scope: "public" }),
  )
  return server
}

const app = createMcpExpressApp()
app.post("/", async (request, response) => {
  const server = createServer()
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  response.on("close", () => {
    transport.close()
    server.close()
  })
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
})

const listener = app.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${listener.address().port}`),
)
