import { type BodyDeadlines, bodyDeadlines } from "../overload/body-deadlines.ts"

/** Whoever works on a request may say here what is to be forgotten when nobody waits for the answer any more. */
export interface GivenUp {
  onGivenUp?: () => void
}

/** What the server knows of a request beside the request itself. */
export interface RequestMeta extends GivenUp {
  readonly id: string
  /** The address of the other end of the connection; a proxy's, where there is one. Asking the system costs something. */
  readonly peer: () => string
  /** The name by which the caller is counted: the address, as far as the proxies are to be believed. */
  readonly caller: () => string
  /** Where whoever reads its body says so while it waits. */
  readonly bodies: BodyDeadlines
  /** When its body was complete, where it had to be waited for. */
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
