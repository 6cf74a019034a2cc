import { expect } from "bun:test"
import { changeFormat, deleteFormat, hideFormat } from "../../../src/actions/catalogue/formats.ts"
import { previewAnswer } from "../../../src/actions/catalogue/preview.ts"
import {
  changeOpenings,
  changeProduct,
  deleteProduct,
  openingsVersion,
  productVersion,
} from "../../../src/actions/catalogue/products.ts"
import type { Context } from "../../../src/actions/context.ts"
import { createBuyerKey, revokeBuyerKey } from "../../../src/actions/keys.ts"
import { type AgentSettings, changeAgentSettings } from "../../../src/actions/settings.ts"
import { createSecret } from "../../../src/domain/api-key.ts"
import { findCalls, type StoredCall } from "../../../src/storage/catalogue/calls.ts"
import { openingsOfProduct, productById } from "../../../src/storage/catalogue/catalogue.ts"
import { refusalsSince } from "../../../src/storage/operations/settings.ts"
import type { TestApp } from "../app.ts"
import { type Json, problemsOfAnswer, type Tool } from "./official.ts"

// A buyer's agent that speaks HTTP itself, and the operator who shows it products.

/** Changes the operator's settings of the sales agent. */
export async function chooseSettings(context: Context, changes: Partial<AgentSettings>): Promise<void> {
  const saved = await changeAgentSettings(context, "test", changes)
  if (saved !== "saved") throw new Error(JSON.stringify(saved))
}

export const addFormat = (context: Context, format: Json) => changeFormat(context, "test", format, null)
export const hideFormatOf = (context: Context, id: string) => hideFormat(context, "test", id)
export const restoreFormat = (context: Context, id: string) => deleteFormat(context, "test", id)

export const MCP_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }

/** A product with what AdCP requires. */
export const PLAIN_PRODUCT = {
  product_id: "plain",
  name: "Homepage banner",
  description: "A banner on the homepage.",
  publisher_properties: [{ publisher_domain: "news.example.com", selection_type: "all" }],
  channels: ["display"],
  delivery_type: "guaranteed",
  format_ids: [{ id: "display_300x250_image" }],
  pricing_options: [{ pricing_option_id: "cpm", pricing_model: "cpm", currency: "EUR", fixed_price: 12 }],
  reporting_capabilities: {
    available_reporting_frequencies: ["daily"],
    expected_delay_minutes: 240,
    timezone: "UTC",
    supports_webhooks: false,
    available_metrics: ["impressions", "clicks"],
    date_range_support: "date_range",
  },
}

export const productOf = (product_id: string, fields: object = {}): Json => ({
  ...PLAIN_PRODUCT,
  product_id,
  name: `Product ${product_id}`,
  ...fields,
})

export interface Buyer {
  readonly id: string
  readonly key: string
  readonly prefix: string
}

let labels = 0

/** A buyer key that acts for an organization, or for none. */
export async function givenBuyer(context: Context, buyerId: number | null = null): Promise<Buyer> {
  const created = await createBuyerKey(context, "test", { label: `Buyer ${labels++}`, buyerId })
  if ("errors" in created) throw new Error(JSON.stringify(created.errors))
  return created
}

/** Adds products and shows them to a new key, in these territories by product or everywhere. */
export async function givenShown(
  context: Context,
  products: readonly Json[],
  territories: Readonly<Record<string, readonly string[]>> = {},
): Promise<Buyer> {
  const buyer = await givenBuyer(context)
  for (const product of products) {
    await givenProduct(context, product)
    await show(context, buyer, product.product_id, territories[product.product_id] ?? ["*"])
  }
  return buyer
}

export async function givenProduct(context: Context, product: Json, sellerId: number | null = null): Promise<void> {
  const saved = await changeProduct(context, "test", { product, sellerId }, null)
  if (typeof saved === "string" || "problems" in saved) throw new Error(JSON.stringify(saved))
}

/** Replaces a product. Returns what is wrong with it. */
export async function editProduct(context: Context, product: Json): Promise<unknown> {
  const stored = await productById(context.database.read, product.product_id)
  if (stored === null) throw new Error(`The product ${product.product_id} doesn't exist.`)
  return changeProduct(context, "test", { product, sellerId: stored.sellerId }, productVersion(stored))
}

export const removeProduct = (context: Context, productId: string) => deleteProduct(context, "test", productId)

/** Changes what is stored of a product, as somebody with access to the database could. */
export const breakProduct = ({ database }: Context, productId: string, body: string) =>
  database.transact((tx) => tx.rows("UPDATE product SET body = $1 WHERE product_id = $2", [body, productId], {}))

export async function show(context: Context, { id }: Buyer, productId: string, territories: readonly string[]) {
  const version = openingsVersion(await openingsOfProduct(context.database.read, productId))
  return changeOpenings(context, "test", productId, [{ buyerKeyId: id, territories }], version)
}

export const revoke = (context: Context, { id }: Buyer) => revokeBuyerKey(context, "test", id)

/** A key of the right form that nobody has. */
export const strangerKey = () => createSecret("buyer")

/** "Ask as this buyer would". Null is a caller without a key. */
export const preview = (context: Context, buyer: Buyer | null, args: object) =>
  previewAnswer(context, buyer?.id ?? null, { ...args })

export interface Sending {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** The ID of a JSON-RPC request. */
  readonly id?: string | number
}

/** Posts a body: a text or bytes as they are, anything else as JSON. */
export function post(app: TestApp, body: unknown, { key, headers }: Sending = {}): Promise<Response> {
  const bearer = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const text = typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body)
  return app.fetch("/", { method: "POST", headers: { ...MCP_HEADERS, ...bearer, ...headers }, body: text })
}

/** The answer to one JSON-RPC request. */
export async function rpc(app: TestApp, method: string, params?: unknown, sending: Sending = {}): Promise<Json> {
  const id = sending.id ?? 1
  const response = await post(app, { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) }, sending)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(response.headers.get("mcp-session-id")).toBeNull()
  const answer: Json = await response.json()
  expect(answer).toMatchObject({ jsonrpc: "2.0", id })
  return answer
}

/** The payload of a tool. Every payload is valid by the official schemas, errors included. */
export async function call(app: TestApp, tool: Tool, args: object = {}, sending: Sending = {}): Promise<Json> {
  const { result } = await rpc(app, "tools/call", { name: tool, arguments: args }, sending)
  const payload = result.structuredContent
  expect(problemsOfAnswer(tool, payload)).toEqual([])
  expect(result.isError ?? false).toBe(payload.status === "failed")
  expect(payload.adcp_version).toBe("3.1")
  return payload
}

/** Asks for products with a key. */
export const ask = (app: TestApp, { key }: Pick<Buyer, "key">, args: object = {}): Promise<Json> =>
  call(app, "get_products", args, { key })

export const idsIn = ({ products }: Json): string[] => products.map(({ product_id }: Json) => product_id)

/** The text of a tool's result. */
export async function textOf(app: TestApp, tool: Tool, args: object = {}, sending: Sending = {}): Promise<string> {
  const { result } = await rpc(app, "tools/call", { name: tool, arguments: args }, sending)
  return result.content.map(({ text }: Json) => text).join("\n")
}

/** Everything in the call log, newest first. */
export async function loggedCalls({ database }: Context): Promise<StoredCall[]> {
  await database.later.flush()
  return findCalls(database.read, { count: 1_000 })
}

/** What was refused, by way in and status. */
export async function refusedRequests({ database }: Context) {
  await database.later.flush()
  return refusalsSince(database.read, 0)
}

/** The headers and `_meta` of MCP 2026-07-28. */
export const MODERN = "2026-07-28"

export const modernMeta = (version: unknown = MODERN) => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
})

export const modernHeaders = (method: string, name?: string) => ({
  "MCP-Protocol-Version": MODERN,
  "Mcp-Method": method,
  ...(name !== undefined && { "Mcp-Name": name }),
})
