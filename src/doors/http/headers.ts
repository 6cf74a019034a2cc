import type { Admission, RateWindow } from "../../domain/callers/rate-limit.ts"
import { RATE_WINDOW_SECONDS } from "../../domain/limits.ts"

/** For every response that does not set them itself. HSTS only when the public address uses TLS. */
export function securityHeaders(publicUrl: string | null): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    ...(publicUrl?.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
  }
}

export const REQUEST_ID = "X-Request-Id"

/**
 * Complete headers for frequent responses, faster than setting each: the fixed ones are copied as a whole. The request id marks them as
 * complete, so that the listener adds nothing (docs/decisions/0006).
 */
export function readyHeaders<Name extends string>(
  fixed: Readonly<Record<string, string>>,
): (id: string, changing: Readonly<Record<Name, string>>) => Headers {
  const base = new Headers(fixed)
  return (id, changing) => {
    const headers = new Headers(base)
    headers.set(REQUEST_ID, id)
    for (const name in changing) headers.set(name, changing[name])
    return headers
  }
}

// As in the IETF draft on RateLimit header fields.

export function rateHeaders(window: RateWindow, admission: Admission): Record<string, string> {
  return { ...ratePolicy(window), ...rateLeft(window, admission) }
}

export function ratePolicy({ name, limit }: RateWindow) {
  return { "RateLimit-Policy": `"${name}";q=${limit};w=${RATE_WINDOW_SECONDS}` }
}

export function rateLeft({ name }: RateWindow, admission: Admission) {
  const remaining = admission.allowed ? admission.remaining : 0
  const seconds = admission.allowed ? admission.resetSeconds : admission.retryAfterSeconds
  return { RateLimit: `"${name}";r=${remaining};t=${seconds}` }
}

/**
 * The bearer token of a request: null without one, "" when it is malformed. `found` comes from @elysiajs/bearer, which also looks in
 * the query, where keys would end up in proxy logs, and accepts only one spelling of "Bearer". So only the header counts, in any case.
 */
export function secretOf(request: Request, found: string | undefined): string | null {
  const header = request.headers.get("authorization")
  if (header === null || !/^bearer(?: |$)/i.test(header)) return null
  const secret = (header.startsWith("Bearer") && found ? found : header.slice("bearer".length)).trim()
  return secret.includes(" ") ? "" : secret
}
