import { agentViews } from "../actions/catalogue/views.ts"
import type { Context } from "../actions/context.ts"
import { adagentsJson, brandJson } from "../domain/adcp/adagents.ts"
import { canonicalOf, customSchema, FOREIGN_FORMAT_ID, foreignSchema } from "../domain/adcp/catalogue/format-options.ts"
import { methodNotAllowed, notFound } from "../http/problem.ts"
import { scopeOf } from "../http/request.ts"
import type { RequestHandler } from "../http/server.ts"
import { agentHandler } from "./handler.ts"

const PREFLIGHT_SECONDS = 7_200
const EXPOSED = "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id"
const ACCEPTED =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, Traceparent"

/** Lets web pages of the origins that the operator named call the agent. Other origins get no CORS headers. */
export function withCors(named: readonly string[], handle: RequestHandler): RequestHandler {
  const origins = new Set(named.map((url) => new URL(url).origin))

  return async (request) => {
    const origin = request.headers.get("origin")
    if (origin === null || !origins.has(origin)) return handle(request)
    const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method")
    const response = isPreflight ? new Response(null, { status: 204, headers: PREFLIGHT }) : await handle(request)
    response.headers.set("Access-Control-Allow-Origin", origin)
    response.headers.set("Access-Control-Expose-Headers", EXPOSED)
    response.headers.append("Vary", "Origin")
    return response
  }
}

const PREFLIGHT = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers": ACCEPTED,
  "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
}

const HEADERS = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" }

/** The files that others fetch: adagents.json and brand.json if the operator filled them in, and schemas of custom formats. */
export async function wellKnown(context: Context, request: Request): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed("GET")
  const { pathname } = new URL(request.url)
  const formatId = /^\/formats\/([\w-]+)\.json$/.exec(pathname)?.[1]
  if (formatId !== undefined) return formatSchema(context, formatId)
  const listing = await agentViews(context).listing()
  if (pathname === "/.well-known/adagents.json" && listing.domains.length > 0)
    return Response.json(adagentsJson(listing), { headers: HEADERS })
  // The schema of brand.json wants the agent's address to begin with https.
  const isEncrypted = listing.agentUrl.startsWith("https:")
  if (pathname === "/.well-known/brand.json" && listing.company !== null && isEncrypted)
    return Response.json(brandJson(listing), { headers: HEADERS })
  throw notFound()
}

/** Serves the schema that a custom format's `format_schema` refers to, byte by byte. */
async function formatSchema(context: Context, formatId: string): Promise<Response> {
  const { own, agentUrl } = await agentViews(context).catalogue()
  const headers = { ...HEADERS, "Content-Type": "application/schema+json" }
  if (formatId === FOREIGN_FORMAT_ID) return new Response(foreignSchema(agentUrl).text, { headers })
  const format = own.get(formatId)
  if (format === undefined || canonicalOf(format).kind !== "custom") throw notFound()
  return new Response(customSchema(format, agentUrl).text, { headers })
}

/** The sales agent: one address, one JSON-RPC message in each POST, and no sessions. */
export function salesAgent(context: Context): RequestHandler {
  const answer = agentHandler(context)
  const withMethod: RequestHandler = (request) => {
    if (request.method !== "POST") throw methodNotAllowed("POST")
    return answer(request)
  }
  const root = withCors(context.config.allowOrigin, withMethod)
  return (request) => (scopeOf(request).path === "/" ? root(request) : wellKnown(context, request))
}
