import type { Cidr } from "../../domain/client-address.ts"
import { WRONG_KEYS_PER_MINUTE } from "../../domain/limits.ts"
import { type Admission, rateLimiter } from "../../domain/rate-limit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { addressOf } from "./address-of.ts"
import { rateHeaders } from "./rate-headers.ts"

/** A caller's window, after one more request of it. */
export interface Window {
  readonly admission: Admission
  readonly limit: number
  /** What the caller learns about its window. */
  rate(): Record<string, string>
}

/** Counts a request with a wrong key by the address that it came from. Beyond the limit it is refused as one too many. */
export type WrongKeys = (request: Request, now: Moment) => Window

export function wrongKeys(trusted: readonly Cidr[], random: (bytes: number) => Uint8Array): WrongKeys {
  const [seed = 0] = new Uint32Array(random(4).slice().buffer)
  const limiter = rateLimiter({ limit: WRONG_KEYS_PER_MINUTE, seed })
  return (request, now) => {
    const admission = limiter.admit(addressOf(request, trusted), now)
    return { admission, limit: limiter.limit, rate: () => rateHeaders("wrong-keys", limiter, admission) }
  }
}
