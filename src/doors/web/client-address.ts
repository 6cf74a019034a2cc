import type { Caller } from "../../domain/fair-queue.ts"
import { addressOf } from "../http/address-of.ts"
import type { Visit } from "./visit.ts"

/** Who asks for something costly: shares its places with others of the same address, and loses them by leaving. */
export function callerOf(visit: Visit): Caller {
  return { name: clientAddressOf(visit), gone: visit.request.signal }
}

/** Where a visitor comes from, as far as it is to be believed. */
function clientAddressOf({ request, context }: Visit): string {
  return addressOf(request, context.config.trustProxy)
}
