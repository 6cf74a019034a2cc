import type { Caller } from "../../domain/callers/fair-queue.ts"
import { keptUserAgent } from "../../domain/people/device.ts"
import { addressOf } from "../http/request/address-of.ts"
import type { Visit } from "./visit.ts"

/** Who asks for something expensive. Callers with the same address share their places, and lose them when they disconnect. */
export function callerOf(visit: Visit): Caller {
  const userAgent = keptUserAgent(visit.request.headers.get("user-agent"))
  return { name: clientAddressOf(visit), gone: visit.request.signal, userAgent }
}

/** The client's address, from the proxy only where it is trusted. */
function clientAddressOf({ request, context }: Visit): string {
  return addressOf(request, context.config.trustProxy)
}
