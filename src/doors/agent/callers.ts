import type { Context } from "../../actions/context.ts"
import { authenticateAgent } from "../../actions/keys/authenticate.ts"
import type { Cidr } from "../../domain/client-address.ts"
import { AGENT_OTHER_METHODS_FACTOR } from "../../domain/limits.ts"
import { type MaybePromise, thenMaybe } from "../../domain/maybe-promise.ts"
import { type RateLimiter, rateLimiter } from "../../domain/rate-limit.ts"
import { addressOf } from "../http/address-of.ts"
import { secretOf } from "../http/bearer.ts"
import { rateHeaders, rateLeft, ratePolicy } from "../http/rate-headers.ts"
import { readyHeaders } from "../http/ready-headers.ts"
import type { Window } from "../http/wrong-keys.ts"

/** Who calls: a key, or an address without one. */
export type Caller = Keyed | Anonymous

interface Keyed {
  readonly agentKeyId: string
  readonly address: null
}

interface Anonymous {
  readonly agentKeyId: null
  readonly address: string
}

/** Null when a key was shown that does not work here. Such a caller is never taken for an anonymous one. */
export function callerOf(request: Request, context: Context, trusted: readonly Cidr[]): MaybePromise<Caller | null> {
  if (!request.headers.has("authorization")) return { agentKeyId: null, address: addressOf(request, trusted) }
  return thenMaybe(
    authenticateAgent(context, secretOf(request, undefined) ?? ""),
    (key) => key && { agentKeyId: key.id, address: null },
  )
}

export interface CallerLimits {
  readonly anonymousPerMinute: number
  readonly keyedPerMinute: number
  readonly random: Context["random"]
  /** What every response carries. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Gate extends Window {
  /** All headers of an answer to the request of this id. */
  ready(id: string): Headers
}

export interface CallerGates {
  /** Takes one request of a caller. Only tool calls count as calls; everything else has a wider window of its own. */
  pass(caller: Caller, isCall: boolean, now: number): Gate
  /** Takes one with a long body before it is read. There is room for all that the other two windows let pass. */
  long(caller: Caller, now: number): Gate
}

export function callerGates({ anonymousPerMinute, keyedPerMinute, random, headers }: CallerLimits): CallerGates {
  const [seed = 0] = new Uint32Array(random(4).slice().buffer)
  const gateOf = (name: string, limit: number) => windowGate(name, rateLimiter({ limit, seed }), headers)
  const gatesOf = (limit: number) => ({
    calls: gateOf("calls", limit),
    others: gateOf("other", limit * AGENT_OTHER_METHODS_FACTOR),
    long: gateOf("long", limit * (1 + AGENT_OTHER_METHODS_FACTOR)),
  })
  const keyed = gatesOf(keyedPerMinute)
  const anonymous = gatesOf(anonymousPerMinute)
  const of = ({ agentKeyId }: Caller) => (agentKeyId === null ? anonymous : keyed)

  return {
    pass: (caller, isCall, now) =>
      (isCall ? of(caller).calls : of(caller).others)(caller.agentKeyId ?? caller.address, now),
    long: (caller, now) => of(caller).long(caller.agentKeyId ?? caller.address, now),
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
