import type { Handle } from "../doors/http/lazy-door.ts"

export type FastRoute = readonly [path: string, handle: Handle]

/**
 * Handles the busiest paths before Elysia's router, whose cost they would feel. They are routes as well: without this file everything
 * still works, only slower.
 */
export function fastPath(routes: Iterable<FastRoute>, others: Handle): Handle {
  const byPath = new Map(routes)
  return (request) => {
    const { url } = request
    const handle = byPath.get(url.slice(url.indexOf("/", url.indexOf("//") + 2))) ?? others
    return handle(request)
  }
}
