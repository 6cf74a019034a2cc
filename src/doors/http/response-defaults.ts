import { prefixSent } from "../../domain/keys/api-key.ts"
import { memoize } from "../../domain/memoize.ts"
import type { Log } from "../../log/log.ts"
import { REQUEST_ID } from "./headers.ts"
import { logPath } from "./request.ts"
import type { RequestMeta } from "./request-meta.ts"

// Most requests go to a few addresses. A URL has up to 16 KB.
const PATHS_KEPT = 20

export interface ResponseParts {
  readonly log: Log
  /** Added to every response that does not set them itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly observe?: (url: string, status: number, ms: number) => void
}

/** Adds default headers to each response, observes it and logs it. */
export function responseDefaults({ log, observe, headers }: ResponseParts) {
  const defaults = Object.entries(headers)
  const shownPath = memoize(PATHS_KEPT, logPath)

  function addDefaults({ headers }: Response, id: string): void {
    headers.set(REQUEST_ID, id)
    for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)
  }

  return ({ request, id, traceId: trace, started, authorization }: RequestMeta, response: Response): Response => {
    // Set already by readyHeaders.
    if (!response.headers.has(REQUEST_ID)) addDefaults(response, id)
    const { status } = response
    const ms = Math.round((performance.now() - started) * 100) / 100
    observe?.(request.url, status, ms)
    const key = prefixSent(authorization)
    log.request({ method: request.method, path: shownPath(request.url), status, ms, id, trace, key })
    return response
  }
}
