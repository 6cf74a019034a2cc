import { type AwaitedBodies, awaitedBodies } from "./awaited-bodies.ts"

/** What the server knows of a request beside the request itself. */
export interface RequestMeta {
  readonly id: string
  /** The address of the other end of the connection; a proxy's, where there is one. Asking the system costs something. */
  readonly peer: () => string
  /** Where whoever reads its body says so while it waits. */
  readonly bodies: AwaitedBodies
}

const metas = new WeakMap<Request, RequestMeta>()
const UNKNOWN: RequestMeta = { id: "none", peer: () => "unknown", bodies: awaitedBodies(Number.POSITIVE_INFINITY) }

export function setMeta(request: Request, meta: RequestMeta): void {
  metas.set(request, meta)
}

export function metaOf(request: Request): RequestMeta {
  return metas.get(request) ?? UNKNOWN
}
