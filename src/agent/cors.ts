import type { RequestHandler } from "../http/limits.ts"

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
