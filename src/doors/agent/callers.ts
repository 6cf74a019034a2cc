import type { Context } from "../../actions/context.ts"
import { admitAgent, admitCaller } from "../../actions/keys/admit.ts"
import type { Admission, RateWindow } from "../../domain/callers/rate-limit.ts"
import { type Fingerprint, fingerprintIfValid } from "../../domain/keys/api-key.ts"
import { AGENT_OTHER_METHODS_FACTOR } from "../../domain/limits.ts"
import { rateHeaders, readyHeaders, secretOf } from "../http/headers.ts"
import { metaOf } from "../http/request-meta.ts"
import type { Window } from "../http/wrong-keys.ts"

/** Before authentication: an unchecked key, or the address of a caller without one. */
export type Visitor =
  | { readonly fingerprint: Fingerprint; readonly address: null }
  | { readonly fingerprint: null; readonly address: string }

/** Null for a malformed key: such a caller is never treated as anonymous. */
export function visitorOf(request: Request): Visitor | null {
  if (!request.headers.has("authorization")) return { fingerprint: null, address: metaOf(request).address }
  const fingerprint = fingerprintIfValid(secretOf(request) ?? "", "agent")
  return fingerprint === null ? null : { fingerprint, address: null }
}

/** After authentication: a valid key, or the address of a caller without one. */
export type Caller =
  | { readonly agentKeyId: string; readonly address: null }
  | { readonly agentKeyId: null; readonly address: string }

export interface CallerLimits {
  readonly anonymousPerMinute: number
  readonly keyedPerMinute: number
  readonly headers: Readonly<Record<string, string>>
}

export interface Gate extends Window {
  readonly caller: Caller
  ready(id: string): Headers
}

/**
 * Counts a request in one of the visitor's rate windows; null for an invalid key. Tool calls count as "calls", everything else in the
 * wider window "other". A request with a long body is also counted before it is read, in "long", which is as wide as both together.
 */
export type CallerGates = (visitor: Visitor, kind: WindowKind) => Promise<Gate | null>

export type WindowKind = "calls" | "other" | "long"

export function callerGates(context: Context, limits: CallerLimits): CallerGates {
  const gateOf = (name: string, limit: number) => windowGate({ name, limit }, limits.headers)
  const gatesOf = (limit: number) => ({
    calls: gateOf("calls", limit),
    other: gateOf("other", limit * AGENT_OTHER_METHODS_FACTOR),
    long: gateOf("long", limit * (1 + AGENT_OTHER_METHODS_FACTOR)),
  })
  const keyed = gatesOf(limits.keyedPerMinute)
  const anonymous = gatesOf(limits.anonymousPerMinute)

  return async ({ fingerprint, address }, kind) => {
    if (fingerprint === null) {
      const { window, gate } = anonymous[kind]
      return gate({ agentKeyId: null, address }, await admitCaller(context, window, address))
    }
    const { window, gate } = keyed[kind]
    const admitted = await admitAgent(context, fingerprint, window)
    return admitted && gate({ agentKeyId: admitted.key.id, address: null }, admitted.admission)
  }
}

function windowGate(window: RateWindow, headers: CallerLimits["headers"]) {
  const ready = readyHeaders(headers, window)
  const gate = (caller: Caller, admission: Admission): Gate => ({
    caller,
    admission,
    limit: window.limit,
    rate: () => rateHeaders(window, admission),
    ready: (id) => ready(id, admission),
  })
  return { window, gate }
}
