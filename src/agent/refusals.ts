import { ADCP_VERSION } from "../domain/adcp/tools/answer.ts"
import { AdcpError, type AdcpErrorBody } from "../domain/adcp/tools/errors.ts"
import { keyMissing, keyRefused } from "../http/refusals.ts"
import type { Gate } from "./callers.ts"
import { MODERN_VERSION } from "./modern.ts"
import { REFUSED, RpcRefused } from "./rpc.ts"

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
