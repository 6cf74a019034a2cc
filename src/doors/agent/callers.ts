import { authenticateAgent } from "../../actions/authenticate.ts"
import type { Context } from "../../actions/context.ts"
import { type Cidr, clientAddress } from "../../domain/client-address.ts"
import { AGENT_OTHER_METHODS_FACTOR } from "../../domain/limits.ts"
import { type Admission, type RateLimiter, rateLimiter } from "../../domain/rate-limit.ts"
import { type Soon, soon } from "../../domain/soon.ts"
import { secretOf } from "../http/bearer.ts"
import { rateHeaders, rateLeft, ratePolicy } from "../http/rate-headers.ts"
import { readyHeaders } from "../http/ready-headers.ts"
import { metaOf } from "../http/request-meta.ts"

/** Who calls: a key, or an address without one. */
export type Caller = Keyed | Anonymous

interface Keyed {
  readonly agentKeyId: string
  readonly address: null
  readonly isRefused: false
}

interface Anonymous {
  readonly agentKeyId: null
  readonly address: string
  /** A key was shown that does not work here. Such a caller is never taken for an anonymous one. */
  readonly isRefused: boolean
}

export function callerOf(request: Request, context: Context, trusted: readonly Cidr[]): Soon<Caller> {
  const { headers } = request
  const address = () => clientAddress(metaOf(request).peer(), headers.get("x-forwarded-for"), trusted)
  if (!headers.has("authorization")) return { agentKeyId: null, address: address(), isRefused: false }
  return soon(authenticateAgent(context, secretOf(request, undefined) ?? ""), (key) =>
    key === null
      ? { agentKeyId: null, address: address(), isRefused: true }
      : { agentKeyId: key.id, address: null, isRefused: false },
  )
}

export interface CallerLimits {
  readonly anonymousPerMinute: number
  readonly keyedPerMinute: number
  readonly random: Context["random"]
  /** What every response carries. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Gate {
  readonly admission: Admission
  readonly limit: number
  /** What the caller learns about its window. */
  rate(): Record<string, string>
  /** All headers of an answer to the request of this id. */
  ready(id: string): Headers
}

/** Takes one request of a caller. Only tool calls count as calls; everything else has a wider window of its own. */
export function callerGates({ anonymousPerMinute, keyedPerMinute, random, headers }: CallerLimits) {
  const [seed = 0] = new Uint32Array(random(4).slice().buffer)
  const gateOf = (name: string, limit: number) => windowGate(name, rateLimiter({ limit, seed }), headers)
  const pair = (limit: number) => ({
    calls: gateOf("calls", limit),
    others: gateOf("other", limit * AGENT_OTHER_METHODS_FACTOR),
  })
  const keyed = pair(keyedPerMinute)
  const anonymous = pair(anonymousPerMinute)

  return ({ agentKeyId, address }: Caller, isCall: boolean, now: number): Gate => {
    const gates = agentKeyId === null ? anonymous : keyed
    return (isCall ? gates.calls : gates.others)(agentKeyId ?? address, now)
  }
}

function windowGate(name: string, limiter: RateLimiter, headers: CallerLimits["headers"]) {
  const { limit } = limiter
  const ready = readyHeaders({ ...headers, "Content-Type": "application/json", ...ratePolicy(name, limiter) })
  return (caller: string, now: number): Gate => {
    const admission = limiter.admit(caller, now)
    return {
      admission,
      limit,
      rate: () => rateHeaders(name, limiter, admission),
      ready: (id) => ready(id, rateLeft(name, admission)),
    }
  }
}
