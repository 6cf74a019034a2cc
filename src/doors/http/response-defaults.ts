import type { Log } from "../../log/log.ts"
import { drainThenClose } from "./body/drain-body.ts"
import { REQUEST_ID } from "./headers/ready-headers.ts"
import { logPath } from "./request/log-path.ts"

export interface ResponseParts {
  readonly log: Log
  /** Added to every response that does not say otherwise itself. */
  readonly headers: Readonly<Record<string, string>>
  /** Told about every answer. */
  readonly observe?: (url: string, status: number, ms: number) => void
}

/** Adds what every answer carries, tells who watches, and writes its line into the log. */
export function responseDefaults({ log, observe, headers }: ResponseParts) {
  const defaults = Object.entries(headers)

  function dress(response: Response, id: string): void {
    response.headers.set(REQUEST_ID, id)
    for (const [name, value] of defaults) if (!response.headers.has(name)) response.headers.set(name, value)
  }

  return (request: Request, response: Response, id: string, started: number): Response => {
    // Doors that are asked often dress their answers themselves.
    if (!response.headers.has(REQUEST_ID)) dress(response, id)
    const { status } = response
    const ms = Math.round((performance.now() - started) * 100) / 100
    observe?.(request.url, status, ms)
    log.request({ method: request.method, path: logPath(request.url), status, ms, id })
    return status >= 400 && response.headers.get("connection") === "close"
      ? drainThenClose(request, response)
      : response
  }
}
