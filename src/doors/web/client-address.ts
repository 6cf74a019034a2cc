import type { Caller } from "../../domain/callers/fair-queue.ts"
import { keptUserAgent } from "../../domain/people/device.ts"
import { metaOf } from "../http/request/request-meta.ts"
import type { Visit } from "./visit.ts"

/** Who asks for something expensive. Callers with the same address share their places, and lose them when they disconnect. */
export function callerOf(visit: Visit): Caller {
  const userAgent = keptUserAgent(visit.request.headers.get("user-agent"))
  return { name: metaOf(visit.request).address, gone: visit.request.signal, userAgent }
}
