import type { Admission, RateWindow } from "../../../domain/callers/rate-limit.ts"
import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"

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
