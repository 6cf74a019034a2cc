import { ADCP_VERSION, adcpError } from "../../domain/adcp/tools/answer.ts"
import { failure, keyMissing, keyRefused, methodNotAllowed, overloaded } from "../../domain/failure.ts"
import { RATE_WINDOW_SECONDS } from "../../domain/limits.ts"
import { problem, UNAVAILABLE_RETRY_SECONDS } from "../http/problem.ts"
import { wantsPage } from "../http/wants-page.ts"
import type { Window } from "../http/wrong-keys.ts"
import { MODERN_VERSION } from "./modern.ts"
import type { ToolResult } from "./result.ts"
import type { HeaderFields, RefusedBody, RpcQuestion } from "./rpc.ts"
import { RATE_LIMITED, RATE_LIMITED_MODERN, REFUSED, refusedBy, rpcError } from "./rpc.ts"

// Refusals with an HTTP error status. Each is a JSON-RPC error too, so that every client can read it.

/** With AdCP's own error, which its clients look for. */
const faultOf = (message: string, error: unknown, code = REFUSED) => ({
  code,
  message,
  data: { adcp_version: ADCP_VERSION, adcp_error: error },
})

const refusing = (status: number, message: string) => (asked: RpcQuestion) =>
  rpcError(asked, { code: REFUSED, message }, status)

export const foreignOrigin = refusing(
  403,
  "Forbidden: this Host or Origin is not allowed here. The operator allows names with --public-url or --allow-origin",
)
export const notAcceptable = refusing(
  406,
  "Not Acceptable: send the header Accept: application/json, text/event-stream",
)

/** Versions of MCP before 2026-07-28 whose clients connect, newest first. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]
const refuseVersion = refusing(
  400,
  `Bad Request: no such MCP-Protocol-Version. Supported: ${[MODERN_VERSION, ...PROTOCOL_VERSIONS].join(", ")}`,
)

/** Undefined for a version that MCP has, and without a header. Without an id, as it was when this was refused before the body was read. */
export function unknownProtocolVersion({ headers }: Request): Response | undefined {
  const version = headers.get("mcp-protocol-version") || undefined
  if (version === undefined || PROTOCOL_VERSIONS.includes(version)) return undefined
  return refuseVersion({ id: null, isModern: false })
}

/** Without an id: the body was not read. AdCP reserves no code for a wrong key; -32028 is for a missing one. */
export function refusedKey(asked: RpcQuestion): Response {
  const error = adcpError("AUTH_INVALID", "The bearer key was not accepted.", {
    suggestion: "Check the key, or leave the Authorization header out to call without one.",
  })
  return rpcError(asked, faultOf("Invalid credentials", error), 401, keyRefused().headers)
}

/** For a tool that answers nobody without a key, as an HTTP refusal: what probes for it looks at the status. */
export function missingKey(asked: RpcQuestion, result: object, more: HeaderFields): Response {
  const { adcp_error } = (result as ToolResult).structuredContent
  return rpcError(asked, faultOf("A key is needed", adcp_error), 401, { ...more, ...keyMissing().headers })
}

/** Undefined if the request is within its rate limit. */
export function tooMany(asked: RpcQuestion, gate: Window): Response | undefined {
  const { admission, limit } = gate
  if (admission.allowed) return undefined
  const { retryAfterSeconds } = admission
  const error = adcpError("RATE_LIMITED", `Too many requests. Wait ${retryAfterSeconds} s, then send this one again.`, {
    retry_after: retryAfterSeconds,
    details: { limit, remaining: 0, window_seconds: RATE_WINDOW_SECONDS, scope: "global" },
  })
  const fault = faultOf("Rate limit exceeded", error, asked.isModern ? RATE_LIMITED_MODERN : RATE_LIMITED)
  return rpcError(asked, fault, 429, { ...gate.rate(), "Retry-After": String(retryAfterSeconds) })
}

/** Our failure before the call was looked at: without the database nobody can be admitted. */
export function serverFailed(asked: RpcQuestion): Response {
  const seconds = UNAVAILABLE_RETRY_SECONDS
  const error = adcpError("SERVICE_UNAVAILABLE", "Something went wrong on our side.", { retry_after: seconds })
  return rpcError(asked, faultOf("Service unavailable", error), 503, { "Retry-After": String(seconds) })
}

/** For a body that there is no memory for now. */
export const noRoom = (asked: RpcQuestion, more: HeaderFields) => refusedBody(asked, refusedBy(overloaded()), more)

export function refusedBody(asked: RpcQuestion, refused: RefusedBody, more: HeaderFields): Response {
  const { code, message, status, headers } = refused
  return rpcError(asked, { code, message }, status, { ...more, ...headers })
}

const pageFor = (needsKey: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Adbooth sales agent</title>
<h1>This is a sales agent</h1>
<p>Buyers' agents talk to this address with the POST method (MCP, AdCP 3.1). There is nothing to see here for a browser.</p>
<p>${Bun.escapeHTML(needsKey)}</p>
<ul>
<li><a href="/app">Sign in to the app</a></li>
<li><a href="/docs">Read the guides and the API reference</a></li>
</ul>
</html>
`

/** Only POST is allowed. Browsers get a page with links and whom to ask for a key, where the agent has a port of its own. */
export function wrongMethod(request: Request, needsKey: string): Response {
  const { headers, status } = methodNotAllowed("POST")
  if (!wantsPage(request))
    return problem(failure("method_not_allowed", "This address only accepts POST.", headers), request)
  const asPage = { ...headers, "Content-Type": "text/html; charset=utf-8" }
  return new Response(pageFor(needsKey), { status, headers: asPage })
}
