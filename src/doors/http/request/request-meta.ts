import { type BodyDeadlines, bodyDeadlines } from "../overload/body-deadlines.ts"

export interface GivenUp {
  /** Set by a handler to clean up when its request is given up. */
  onGivenUp?: () => void
}

/** What the server knows about a request besides the request itself. */
export interface RequestMeta extends GivenUp {
  readonly id: string
  /** The address of the connection, which may be a proxy's. A function, because asking the system takes time. */
  readonly peer: () => string
  /** The address that the request counts for (address-of.ts). */
  readonly caller: () => string
  readonly bodies: BodyDeadlines
  /** When the body was complete, if it did not arrive with the headers. */
  bodyArrivedAt?: number
}

const metas = new WeakMap<Request, RequestMeta>()
const NO_BODIES = bodyDeadlines(Number.POSITIVE_INFINITY)

export function setMeta(request: Request, meta: RequestMeta): void {
  metas.set(request, meta)
}

export function metaOf(request: Request): RequestMeta {
  return metas.get(request) ?? { id: "none", peer: () => "unknown", caller: () => "unknown", bodies: NO_BODIES }
}
