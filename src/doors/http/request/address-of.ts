import { type Cidr, clientAddress } from "../../../domain/callers/client-address.ts"
import { metaOf } from "./request-meta.ts"

/** The name by which the caller of a request is counted, as far as the proxies are to be believed. */
export function addressOf(request: Request, trusted: readonly Cidr[]): string {
  return clientAddress(metaOf(request).peer(), request.headers.get("x-forwarded-for"), trusted)
}
