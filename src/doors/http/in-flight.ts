import type { RequestMeta } from "./request-meta.ts"

// A handler may never finish. Its request must not count as in flight forever, so every admitted request ends: answered, failed or
// given up.

/** Too late, disconnected, or others needed the room before its body was read. */
export type WhyGivenUp = "late" | "gone" | "crowded"

/** Exactly one of these is called for each request, once. */
interface OnEnd {
  answered(meta: RequestMeta, response: Response): Response
  failed(meta: RequestMeta, cause: unknown): Response
  givenUp(meta: RequestMeta, why: WhyGivenUp): Response
}

const CHECK_INTERVAL_MS = 1_000

/**
 * The returned function resolves with the response, or gives up when it is late or the caller has disconnected. `timeoutMs` counts from the
 * moment a request has arrived with its body. Bodies have deadlines of their own. One timer looks after all requests: one each would cost
 * every request.
 */
export function inFlight(
  timeoutMs: number,
  onEnd: OnEnd,
): (meta: RequestMeta, answer: Promise<Response>) => Promise<Response> {
  const flights = new Map<RequestMeta, (response: Response) => void>()
  const crowded = (meta: RequestMeta) => giveUp(meta, "crowded")
  let timer: NodeJS.Timeout | undefined

  function giveUp(meta: RequestMeta, why: WhyGivenUp): void {
    const resolve = flights.get(meta)
    if (flights.delete(meta)) resolve?.(onEnd.givenUp(meta, why))
  }

  function check(): void {
    // Rounded up: a timer may be a little early.
    const now = Math.ceil(performance.now())
    for (const meta of flights.keys()) {
      const { request, arriveBy, started, bodyArrivedAt = started } = meta
      if (request.signal.aborted) giveUp(meta, "gone")
      else if (arriveBy !== null) {
        if (now >= arriveBy) meta.giveUp()
      } else if (now - bodyArrivedAt >= timeoutMs) giveUp(meta, "late")
    }
    if (flights.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (meta, answer) =>
    new Promise((resolve) => {
      flights.set(meta, resolve)
      // Unless the body is already being read.
      meta.onDropped ??= crowded
      timer ??= setInterval(check, Math.min(timeoutMs, CHECK_INTERVAL_MS)).unref()
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
