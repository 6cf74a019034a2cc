import { type Cidr, clientAddress } from "../../../domain/callers/client-address.ts"
import { metaOf } from "./request-meta.ts"

/** The address that a request counts for: from X-Forwarded-For behind trusted proxies, else that of the connection. */
export function addressOf(request: Request, trusted: readonly Cidr[]): string {
  return clientAddress(metaOf(request).peer(), request.headers.get("x-forwarded-for"), trusted)
}
