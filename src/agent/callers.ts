import type { Context } from "../actions/context.ts"
import { admitAddress, admitBuyerKey, findBuyerKey } from "../actions/keys.ts"
import { ADCP_VERSION, AdcpError, type AdcpErrorBody } from "../domain/adcp/tools/answer.ts"
import type { Admission, RateWindow } from "../domain/rate-limit.ts"
import { bearerOf, rateHeaders } from "../http/headers.ts"
import { keyMissing, keyRefused } from "../http/problem.ts"
import { countedAs, scopeOf } from "../http/request.ts"
import { MODERN_VERSION } from "./modern.ts"
import { REFUSED, RpcRefused } from "./rpc.ts"

/** A valid key, or the address of a caller without one. */
export interface Caller {
  readonly buyerKeyId: string | null
  readonly address: string
}

/** Identifies the caller. Null for a wrong key, because such a caller is never treated as one without a key. */
export async function callerOf(context: Context, request: Request): Promise<Caller | null> {
  const { address } = scopeOf(request)
  if (!request.headers.has("authorization")) return { buyerKeyId: null, address }
  const buyerKeyId = await findBuyerKey(context, bearerOf(request, undefined) ?? "")
  return buyerKeyId === null ? null : { buyerKeyId, address }
}

export interface Gate {
  readonly admission: Admission
  readonly window: RateWindow
  readonly headers: Readonly<Record<string, string>>
}

/** The methods besides tools/call share a window of their own, so that pings never use up a caller's calls. */
const OTHER_METHODS_FACTOR = 10

/** Counts a request of a caller. */
export async function gateOf(context: Context, { buyerKeyId, address }: Caller, isCall: boolean): Promise<Gate> {
  const { limitAgentKeyed, limitAgentAnonymous } = context.config
  const limit = buyerKeyId === null ? limitAgentAnonymous : limitAgentKeyed
  const window = isCall ? { name: "calls", limit } : { name: "other", limit: limit * OTHER_METHODS_FACTOR }
  const admission =
    buyerKeyId === null
      ? await admitAddress(context, countedAs(address), window)
      : await admitBuyerKey(context, buyerKeyId, window)
  return { admission, window, headers: rateHeaders(window, admission) }
}

// Refusals with an HTTP error status. Each is a JSON-RPC error as well, so that every client can read it.

/** AdCP's clients look for its own error. */
const withAdcpError = (message: string, error: AdcpErrorBody, code: number = REFUSED) => ({
  code,
  message,
  data: { adcp_version: ADCP_VERSION, adcp_error: error },
})

export const foreignOrigin = () =>
  new RpcRefused(403, {
    code: REFUSED,
    message:
      "Forbidden: this Host or Origin isn't allowed. The operator allows names with --public-url or --allow-origin",
  })

export const notAcceptable = () =>
  new RpcRefused(406, {
    code: REFUSED,
    message: "Not Acceptable: send the header Accept: application/json, text/event-stream",
  })

/** Revisions of MCP before 2026-07-28 whose clients connect, newest first. */
const OLDER_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]

/** Refuses a version that no revision of MCP has. A missing header is fine. */
export function checkOlderVersion({ headers }: Request): void {
  const version = headers.get("mcp-protocol-version")
  if (!version || OLDER_VERSIONS.includes(version)) return
  const supported = [MODERN_VERSION, ...OLDER_VERSIONS].join(", ")
  const message = `Bad Request: no revision of MCP has this MCP-Protocol-Version. Supported: ${supported}`
  throw new RpcRefused(400, { code: REFUSED, message })
}

/** Wrong, revoked and malformed keys get the same answer. */
export function wrongKey(): RpcRefused {
  const { body } = new AdcpError("AUTH_INVALID", "The bearer key was not accepted.", {
    suggestion: "Check the key, or leave the Authorization header out to call without one.",
  })
  return new RpcRefused(401, withAdcpError("Invalid credentials", body), keyRefused().headers)
}

/** For a tool that needs a key. Programs that probe for it look at the status. */
export const missingKey = (error: AdcpErrorBody, headers: Gate["headers"]): RpcRefused =>
  new RpcRefused(401, withAdcpError("A key is needed", error), { ...headers, ...keyMissing().headers })

/** AdCP reserves this code, but MCP 2026-07-28 forbids it and wants codes outside of JSON-RPC's range. */
const RATE_LIMITED = -32_029
const RATE_LIMITED_MODERN = 429

export function tooMany({ admission, window, headers }: Gate, isModern: boolean): RpcRefused {
  const seconds = admission.retryAfterSeconds
  const { body } = new AdcpError("RATE_LIMITED", `Too many requests. Wait ${seconds} s, then send this one again.`, {
    retry_after: seconds,
    details: { limit: window.limit, remaining: 0, window_seconds: 60, scope: "global" },
  })
  const error = withAdcpError("Rate limit exceeded", body, isModern ? RATE_LIMITED_MODERN : RATE_LIMITED)
  return new RpcRefused(429, error, { ...headers, "Retry-After": String(seconds) })
}

const RETRY_SECONDS = 5

/** Our own failure before the call was read. Without the database, we can't check any key. */
export function unavailable(): RpcRefused {
  const { body } = new AdcpError("SERVICE_UNAVAILABLE", "Something went wrong on our side.", {
    retry_after: RETRY_SECONDS,
  })
  return new RpcRefused(503, withAdcpError("Service unavailable", body), { "Retry-After": String(RETRY_SECONDS) })
}
