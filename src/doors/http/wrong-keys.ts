import type { Context } from "../../actions/context.ts"
import { admitCaller } from "../../actions/keys/admit.ts"
import type { Admission, RateWindow } from "../../domain/callers/rate-limit.ts"
import { WRONG_KEYS_PER_MINUTE } from "../../domain/limits.ts"
import { rateHeaders } from "./headers.ts"
import { metaOf } from "./request-meta.ts"

/** A caller's rate window after this request. */
export interface Window {
  readonly admission: Admission
  readonly limit: number
  /** The rate limit headers. */
  rate(): Record<string, string>
}

/** Counts a request with a wrong key for its address. Beyond the limit it is answered 429 instead of 401. */
export type WrongKeys = (request: Request) => Promise<Window>

const WINDOW: RateWindow = { name: "wrong-keys", limit: WRONG_KEYS_PER_MINUTE }

export const wrongKeys =
  (context: Context): WrongKeys =>
  async (request) => {
    const meta = metaOf(request)
    const admission = await admitCaller(context, WINDOW, meta.address)
    return { admission, limit: WINDOW.limit, rate: () => rateHeaders(WINDOW, admission) }
  }
