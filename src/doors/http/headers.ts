import type { Admission, RateWindow } from "../../domain/callers/rate-limit.ts"
import { RATE_WINDOW_SECONDS } from "../../domain/limits.ts"
import { metaOf } from "./request-meta.ts"

/** For every response that does not set them itself. HSTS only when the public address uses TLS. */
export const securityHeaders = (publicUrl: string | null): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
  ...(publicUrl?.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
})

export const REQUEST_ID = "X-Request-Id"

/**
 * Complete headers for frequent JSON responses, faster than setting each. The request id marks them as complete, so that the listener
 * adds nothing (docs/decisions/0006). One object for all of them: give it to a response at once, which copies it.
 */
export function readyHeaders(
  fixed: Readonly<Record<string, string>>,
  window: RateWindow,
): (id: string, admission: Admission) => Headers {
  const headers = new Headers({ "Content-Type": "application/json", ...fixed, ...ratePolicy(window) })
  return (id, admission) => {
    headers.set(REQUEST_ID, id)
    headers.set(RATE_LEFT, rateLeft(window, admission))
    return headers
  }
}

// As in the IETF draft on RateLimit header fields.

const RATE_LEFT = "RateLimit"

export const rateHeaders = (window: RateWindow, admission: Admission): Record<string, string> => ({
  ...ratePolicy(window),
  [RATE_LEFT]: rateLeft(window, admission),
})

const ratePolicy = ({ name, limit }: RateWindow) => ({
  "RateLimit-Policy": `"${name}";q=${limit};w=${RATE_WINDOW_SECONDS}`,
})

function rateLeft({ name }: RateWindow, admission: Admission): string {
  const remaining = admission.allowed ? admission.remaining : 0
  const seconds = admission.allowed ? admission.resetSeconds : admission.retryAfterSeconds
  return `"${name}";r=${remaining};t=${seconds}`
}

/**
 * The bearer token of a request: null without one, "" when it is malformed. `found` comes from @elysiajs/bearer, which also looks in
 * the query, where keys would end up in proxy logs, and accepts only one spelling of "Bearer". So only the header counts, in any case.
 */
export function secretOf(request: Request, key?: string): string | null {
  const header = metaOf(request).authorization
  if (header === null || !/^bearer(?: |$)/i.test(header)) return null
  const secret = (header.startsWith("Bearer") && key ? key : header.slice("bearer".length)).trim()
  return secret.includes(" ") ? "" : secret
}
