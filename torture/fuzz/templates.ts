import { toolListings } from "../../src/doors/agent/tools.ts"
import { FEEDS } from "../../src/doors/ingest/feeds.ts"
import { routes } from "../../src/doors/web/routes.ts"
import type { Booth } from "../harness/booth.ts"
import { notifications, requests } from "./engine-messages.ts"
import { sampleOf, wrongOnes } from "./from-schema.ts"

/** A request that makes sense, from which odd ones are made. */
export interface Template {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A JSON value, the fields of a form, or nothing. */
  readonly json?: unknown
  readonly fields?: readonly string[]
  /** The same JSON value with one part wrong, for every part that its schema names. */
  readonly variants?: readonly unknown[]
}

const MCP = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" }
const OTHER_PATHS = [
  "/healthz",
  "/readyz",
  "/docs",
  "/docs/reasons",
  "/openapi.json",
  "/",
  "/.well-known/agent.json",
  "/app/style.css",
  "/nothing",
]

// Copies of the whole database for each of thousands of requests would only test the disk.
const LEFT_OUT = (path: string) => path.includes("/backup")

/** Every endpoint, in groups that get an equal share: the feeds, the agent's methods and tools, both by their schemas, the pages, the rest. */
export function templates(
  booth: Booth,
  cookie: string,
  fieldsOf: ReadonlyMap<string, readonly string[]>,
): Template[][] {
  return [feeds(booth), agent(booth), bySchema(booth), pages(booth, cookie, fieldsOf), others()]
}

function feeds({ ingestKey, packageIds }: Booth): Template[] {
  const headers = { Authorization: `Bearer ${ingestKey}`, "Content-Type": "application/json" }
  const post = (path: string, json: unknown) => ({ method: "POST", path: `/api/ingest/${path}`, headers, json })
  const [first, second] = packageIds
  return [
    post("delivery/metrics", {
      items: [
        { package_id: first, impressions: 5, as_of: "2026-11-01" },
        { package_id: second, downloads: 1.5, as_of: "2026-11-01T10:00:00+02:00" },
      ],
    }),
    post("affiliate/codes", { codes: [{ packageId: first, code: "SAVE", slug: "save" }] }),
    post("affiliate/metrics", {
      metrics: [{ code: "SAVE", date: "2026-11-01", clicks: 1, conversions: 1, conversionValue: 1.25 }],
    }),
  ]
}

function agent({ agentKey }: Booth): Template[] {
  const rpc = (method: string, params?: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    ...(params !== undefined && { params }),
  })
  const tool = (name: string, args: unknown) => rpc("tools/call", { name, arguments: args })
  const bodies = [
    rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } }),
    rpc("tools/list"),
    rpc("ping"),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    tool("get_adcp_capabilities", {}),
    tool("get_products", {
      buying_mode: "brief",
      brief: "podcast in Germany",
      filters: { countries: ["DE"], channels: ["podcast"] },
    }),
    tool("get_products", {
      buying_mode: "wholesale",
      pagination: { max_results: 1 },
      fields: ["product_id"],
      context: { a: 1 },
    }),
    tool("get_products", {
      buying_mode: "refine",
      refine: [{ scope: "product", product_id: "p1", action: "include" }],
    }),
    tool("list_creative_formats", { name_search: "video", pagination: { max_results: 3 }, adcp_major_version: 3 }),
  ]
  return bodies.flatMap((json) => [
    { method: "POST", path: "/", headers: MCP, json },
    { method: "POST", path: "/", headers: { ...MCP, Authorization: `Bearer ${agentKey}` }, json },
  ])
}

/** What the schemas of the protocol engine, of the tools and of the feeds describe. */
function bySchema({ ingestKey, agentKey }: Booth): Template[] {
  const feed = { Authorization: `Bearer ${ingestKey}`, "Content-Type": "application/json" }
  const keyed = { ...MCP, Authorization: `Bearer ${agentKey}` }
  return [
    ...[...requests, ...toolCalls].map(({ method, params }) => {
      const message = (some: unknown) => ({ jsonrpc: "2.0", id: 1, method, params: some })
      return template("/", method === "tools/call" ? keyed : MCP, params, message)
    }),
    ...notifications.map(({ method, params }) =>
      template("/", MCP, params, (some) => ({ jsonrpc: "2.0", method, params: some })),
    ),
    ...FEEDS.map(({ path, batch }) => template(path, feed, sampleOf(batch.schema), (some) => some)),
  ]
}

const listings = await toolListings({ offersDelivery: async () => true })
const toolCalls = listings.map(({ name, inputSchema }) => ({
  method: "tools/call",
  params: { name, arguments: sampleOf(inputSchema) },
}))

function template(
  path: string,
  headers: Template["headers"],
  value: unknown,
  body: (some: unknown) => unknown,
): Template {
  return { method: "POST", path, headers, json: body(value), variants: wrongOnes(value).map(body).toArray() }
}

function pages({ packageIds }: Booth, Cookie: string, fieldsOf: ReadonlyMap<string, readonly string[]>): Template[] {
  const values: Readonly<Record<string, string>> = {
    ":org": "acme-audio",
    ":slug": "acme-audio",
    ":campaign": "torture",
    ":package": packageIds[0] ?? "",
    ":product": "p1",
    ":format": "acme_cover",
    ":user": "1",
    ":code": "SAVE",
  }
  return routes
    .filter(({ path }) => !LEFT_OUT(path))
    .map(({ method, path }) => {
      const filled = path.replaceAll(/:\w+/g, (name) => values[name] ?? "x")
      if (method === "GET") return { method, path: filled, headers: { Cookie } }
      const headers = { Cookie, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" }
      return { method, path: filled, headers, fields: fieldsOf.get(filled) ?? [] }
    })
}

function others(): Template[] {
  return OTHER_PATHS.map((path) => ({ method: "GET", path, headers: {} }))
}
