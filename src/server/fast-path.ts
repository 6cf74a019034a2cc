import type { Handle } from "../doors/http/lazy-door.ts"

/** An exact address and path, and what answers it. */
export type FastRoute = readonly [path: string, handle: Handle]

/**
 * Answers the few addresses that programs call all the time before Elysia's routing, which such a call would feel. Every one of them
 * is a route as well: without this file everything works as before, only more slowly.
 */
export function fastPath(routes: Iterable<FastRoute>, others: Handle): Handle {
  const byPath = new Map(routes)
  return (request) => {
    const { url } = request
    const handle = byPath.get(url.slice(url.indexOf("/", url.indexOf("//") + 2))) ?? others
    return handle(request)
  }
}
