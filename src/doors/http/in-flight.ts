// Promise: every request that was let in ends within a deadline, answered, failed or given up, and gives its place back, once.
// Held by test/trust/overload.test.ts.
import type { Bounds } from "./bounds.ts"
import type { RequestMeta } from "./request-meta.ts"

export type WhyGivenUp = "late" | "gone"

/** Exactly one of these is called for each request, once. */
interface OnEnd {
  answered(meta: RequestMeta, response: Response): Response
  failed(meta: RequestMeta, cause: unknown): Response
  givenUp(meta: RequestMeta, why: WhyGivenUp): Response
}

const CHECK_INTERVAL_MS = 100

/**
 * The returned function resolves with the response, or gives up when it is late or the caller has disconnected. `timeoutMs` counts from the
 * moment a request has arrived with its body. One timer looks after all requests, and after all that callers are waited for: one each
 * would cost every request.
 */
export function inFlight(
  timeoutMs: number,
  { waiting }: Bounds,
  onEnd: OnEnd,
): (meta: RequestMeta, answer: Promise<Response>) => Promise<Response> {
  const flights = new Map<RequestMeta, (response: Response) => void>()
  let timer: NodeJS.Timeout | undefined

  function giveUp(meta: RequestMeta, why: WhyGivenUp): void {
    const resolve = flights.get(meta)
    if (flights.delete(meta)) resolve?.(onEnd.givenUp(meta, why))
  }

  function check(): void {
    // Rounded up: a timer may be a little early.
    const now = Math.ceil(performance.now())
    for (const held of waiting) held.look(now)
    for (const meta of flights.keys()) {
      const { request, waitsUntil, started, bodyArrivedAt = started } = meta
      if (request.signal.aborted) giveUp(meta, "gone")
      else if (waitsUntil === null && now - bodyArrivedAt >= timeoutMs) giveUp(meta, "late")
    }
    if (flights.size + waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (meta, answer) =>
    new Promise((resolve) => {
      flights.set(meta, resolve)
      timer ??= setInterval(check, Math.min(timeoutMs, meta.bodyMs, CHECK_INTERVAL_MS)).unref()
      answer.then(
        (response) => (flights.delete(meta) ? resolve(onEnd.answered(meta, response)) : discard(response)),
        (cause) => flights.delete(meta) && resolve(onEnd.failed(meta, cause)),
      )
    })
}

/** A response that nobody waits for may still hold a file or a query open. */
function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined)
}
