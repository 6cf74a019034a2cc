import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import type { Handle } from "../http/lazy-door.ts"
import { type AgentSettings, agentHandler } from "./handler.ts"
import { wrongMethod } from "./refusals.ts"

/** The sales agent: one address, one JSON-RPC message per POST, no sessions. */
export function agentDoor(context: ReportContext, views: AgentViews, settings: AgentSettings): Handle {
  const answer = agentHandler(context, views, settings)
  const plain: Handle = async (request) =>
    request.method === "POST" ? answer(request) : wrongMethod(request, (await views.words()).needsKey)
  // Most installations name no origin, and their calls need not pass through here.
  if (settings.corsOrigins.length === 0) return plain
  const cors = corsFor(settings.corsOrigins)
  return async (request) => cors.preflight(request) ?? cors.share(request, await plain(request))
}

// For web pages that talk to the agent themselves: only origins that the operator named with --allow-origin.

const PREFLIGHT_SECONDS = 7_200 // the longest that Chromium caches it
const EXPOSED = "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id"
const ACCEPTED =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, Traceparent"

function corsFor(named: readonly string[]) {
  const origins = new Set(named.map((address) => new URL(address).origin))

  function originOf(request: Request): string | undefined {
    const origin = request.headers.get("origin")
    return origin !== null && origins.has(origin) ? origin : undefined
  }

  return {
    preflight(request: Request): Response | undefined {
      const origin = request.headers.has("access-control-request-method") ? originOf(request) : undefined
      if (origin === undefined || request.method !== "OPTIONS") return undefined
      const headers = {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": ACCEPTED,
        "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
        Vary: "Origin",
      }
      return new Response(null, { status: 204, headers })
    },
    /** Lets a page of a named origin read the response. */
    share(request: Request, response: Response): Response {
      const origin = originOf(request)
      if (origin === undefined) return response
      response.headers.set("Access-Control-Allow-Origin", origin)
      response.headers.set("Access-Control-Expose-Headers", EXPOSED)
      response.headers.append("Vary", "Origin")
      return response
    },
  }
}
