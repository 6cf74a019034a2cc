import { authenticateAgent } from "../../actions/authenticate.ts"
import type { Context } from "../../actions/context.ts"
import { type Cidr, clientAddress } from "../../domain/client-address.ts"
import { AGENT_OTHER_METHODS_FACTOR } from "../../domain/limits.ts"
import { type Admission, type RateLimiter, rateLimiter } from "../../domain/rate-limit.ts"
import { secretOf } from "../http/bearer.ts"
import { rateHeaders } from "../http/rate-headers.ts"
import { metaOf } from "../http/request-meta.ts"

/** Who calls: a key, or an address without one. */
export interface Caller {
  readonly agentKeyId: string | null
  readonly address: string
  /** A key was shown that does not work here. Such a caller is never taken for an anonymous one. */
  readonly isRefused: boolean
}

export async function callerOf(request: Request, context: Context, trusted: readonly Cidr[]): Promise<Caller> {
  const address = clientAddress(metaOf(request).peer(), request.headers.get("x-forwarded-for"), trusted)
  if (!request.headers.has("authorization")) return { agentKeyId: null, address, isRefused: false }
  const key = await authenticateAgent(context, secretOf(request, undefined) ?? "")
  return { agentKeyId: key?.id ?? null, address, isRefused: key === null }
}

export interface CallerLimits {
  readonly anonymousPerMinute: number
  readonly keyedPerMinute: number
  readonly random: Context["random"]
}

export interface Gate {
  readonly admission: Admission
  readonly limit: number
  readonly headers: Record<string, string>
}

/** Takes one request of a caller. Only tool calls count as calls; everything else has a wider window of its own. */
export function callerGates({ anonymousPerMinute, keyedPerMinute, random }: CallerLimits) {
  const [seed = 0] = new Uint32Array(random(4).slice().buffer)
  const pair = (limit: number) => ({
    calls: rateLimiter({ limit, seed }),
    others: rateLimiter({ limit: limit * AGENT_OTHER_METHODS_FACTOR, seed }),
  })
  const keyed = pair(keyedPerMinute)
  const anonymous = pair(anonymousPerMinute)

  return ({ agentKeyId, address }: Caller, isCall: boolean, now: number): Gate => {
    const limiters = agentKeyId === null ? anonymous : keyed
    const limiter: RateLimiter = isCall ? limiters.calls : limiters.others
    const admission = limiter.admit(agentKeyId ?? address, now)
    return { admission, limit: limiter.limit, headers: rateHeaders(isCall ? "calls" : "other", limiter, admission) }
  }
}
