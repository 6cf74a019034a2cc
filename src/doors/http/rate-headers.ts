import { RATE_WINDOW_SECONDS } from "../../domain/limits.ts"
import type { Admission, RateLimiter } from "../../domain/rate-limit.ts"

/** What a caller learns about its window, after the IETF draft on RateLimit header fields. */
export function rateHeaders(name: string, { limit }: RateLimiter, admission: Admission): Record<string, string> {
  const remaining = admission.allowed ? admission.remaining : 0
  const seconds = admission.allowed ? admission.resetSeconds : admission.retryAfterSeconds
  return {
    "RateLimit-Policy": `"${name}";q=${limit};w=${RATE_WINDOW_SECONDS}`,
    RateLimit: `"${name}";r=${remaining};t=${seconds}`,
  }
}
