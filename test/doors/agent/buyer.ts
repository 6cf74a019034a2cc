import { expect } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { expectValid, type Json, prepareSchemas, type Tool } from "../../domain/adcp/schema/answers.ts"
import { plainProduct } from "../../domain/adcp/schema/documents.ts"
import { officialComplaints, officialIsHere } from "../../domain/adcp/schema/official.ts"
import type { TestApp } from "../../harness.ts"

// A buyer's agent that speaks HTTP itself, and looks at every answer with the official schemas.

export const MCP_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }

export interface Wish {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  readonly id?: string | number
}

export async function post(app: TestApp, body: unknown, { key, headers }: Wish = {}): Promise<Response> {
  const text = typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body)
  const bearer = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  return app.fetch("/", { method: "POST", headers: { ...MCP_HEADERS, ...bearer, ...headers }, body: text })
}

/** The answer to one JSON-RPC request, with what every one of them promises. */
export async function rpc(app: TestApp, method: string, params?: unknown, wish: Wish = {}): Promise<Json> {
  const id = wish.id ?? 1
  const response = await post(app, { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }, wish)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(response.headers.get("mcp-session-id")).toBeNull()
  const answer = (await response.json()) as Json
  expect(answer).toMatchObject({ jsonrpc: "2.0", id })
  const error = answer.error?.data?.adcp_error
  if (error !== undefined && officialIsHere) expect(officialComplaints("core/error.json", error)).toEqual([])
  return answer
}

/** The payload of a tool, valid by the official schemas, errors included. */
export async function call(
  app: TestApp,
  tool: Tool,
  args: Record<string, unknown> = {},
  wish: Wish = {},
): Promise<Json> {
  prepareSchemas(tool)
  const { result } = await rpc(app, "tools/call", { name: tool, arguments: args }, wish)
  const payload = expectValid(tool, result.structuredContent)
  expect(result.isError ?? false).toBe(payload.status === "failed")
  if (result.isError) expect(JSON.parse(result.content[0].text)).toEqual({ adcp_error: payload.adcp_error })
  else expect(result.content[0].text).toStartWith(payload.message)
  expect(payload.adcp_version).toBe("3.1")
  expect(payload.context).toEqual(args["context"] as Json)
  return payload
}

export function givenProduct(product_id: string, fields: object = {}): object {
  return { ...plainProduct, product_id, name: `Product ${product_id}`, ...fields }
}

/** Imports products, and makes a key for each label with what is opened to it. Hands back the keys by label. */
export async function givenBuyers(
  app: TestApp,
  products: object[],
  buyers: Record<string, Record<string, string[]>>,
): Promise<Record<string, string>> {
  const agent_keys = Object.entries(buyers).map(([label, opened]) => ({
    label,
    opened: Object.entries(opened).map(([product_id, territories]) => ({ product_id, territories })),
  }))
  const outcome = await importCatalogue(app, { products, agent_keys }, "test")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return Object.fromEntries(outcome.secrets)
}

/** Everything that the call log holds, newest first. */
export async function loggedCalls(app: TestApp) {
  await app.store.flushWriteBuffer()
  return (await app.store.agentCallLog.search({}, { before: null, limit: 1000 })).calls
}
