import { addressOf } from "../http/address-of.ts"
import type { Visit } from "./visit.ts"

/** Where a visitor comes from, as far as it is to be believed. */
export function clientAddressOf({ request, context }: Visit): string {
  return addressOf(request, context.config.trustProxy)
}
