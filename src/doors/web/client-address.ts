import { clientAddress } from "../../domain/client-address.ts"
import { metaOf } from "../http/request-meta.ts"
import type { Visit } from "./visit.ts"

/** Where a visitor comes from, as far as it is to be believed. */
export function clientAddressOf({ request, context }: Visit): string {
  return clientAddress(metaOf(request).peer(), request.headers.get("x-forwarded-for"), context.config.trustProxy)
}
