import { admitAddress, admitBuyerKey, findBuyerKey } from "../actions/buyer-keys/admit.ts"
import type { Context } from "../actions/context.ts"
import type { Admission, RateWindow } from "../domain/callers/rate-limit.ts"
import { countedAs } from "../http/client-address.ts"
import { bearerOf, rateHeaders } from "../http/headers.ts"
import { scopeOf } from "../http/scope.ts"

/** A valid key, or the address of a caller without one. */
export interface Caller {
  readonly buyerKeyId: string | null
  readonly address: string
}

/** Identifies the caller. Null for a wrong key, because such a caller is never treated as one without a key. */
export async function callerOf(context: Context, request: Request): Promise<Caller | null> {
  const { address } = scopeOf(request)
  if (!request.headers.has("authorization")) return { buyerKeyId: null, address }
  const buyerKeyId = await findBuyerKey(context, bearerOf(request, undefined) ?? "")
  return buyerKeyId === null ? null : { buyerKeyId, address }
}

export interface Gate {
  readonly admission: Admission
  readonly window: RateWindow
  readonly headers: Readonly<Record<string, string>>
}

/** The methods besides tools/call share a window of their own, so that pings never use up a caller's calls. */
const OTHER_METHODS_FACTOR = 10

/** Counts a request of a caller. */
export async function gateOf(context: Context, { buyerKeyId, address }: Caller, isCall: boolean): Promise<Gate> {
  const { limitAgentKeyed, limitAgentAnonymous } = context.config
  const limit = buyerKeyId === null ? limitAgentAnonymous : limitAgentKeyed
  const window = isCall ? { name: "calls", limit } : { name: "other", limit: limit * OTHER_METHODS_FACTOR }
  const admission =
    buyerKeyId === null
      ? await admitAddress(context, countedAs(address), window)
      : await admitBuyerKey(context, buyerKeyId, window)
  return { admission, window, headers: rateHeaders(window, admission) }
}
