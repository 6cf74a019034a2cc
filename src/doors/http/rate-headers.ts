import { RATE_WINDOW_SECONDS } from "../../domain/limits.ts"
import type { Admission, RateLimiter } from "../../domain/rate-limit.ts"

// What a caller learns about its window, after the IETF draft on RateLimit header fields.

export function rateHeaders(name: string, limiter: RateLimiter, admission: Admission): Record<string, string> {
  return { ...ratePolicy(name, limiter), ...rateLeft(name, admission) }
}

/** The rule, which is the same for every caller. */
export function ratePolicy(name: string, { limit }: RateLimiter) {
  return { "RateLimit-Policy": `"${name}";q=${limit};w=${RATE_WINDOW_SECONDS}` }
}

/** What is left of it. */
export function rateLeft(name: string, admission: Admission) {
  const remaining = admission.allowed ? admission.remaining : 0
  const seconds = admission.allowed ? admission.resetSeconds : admission.retryAfterSeconds
  return { RateLimit: `"${name}";r=${remaining};t=${seconds}` }
}
