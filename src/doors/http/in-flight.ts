import { metaOf, type RequestMeta } from "./request-meta.ts"

// A handler may never finish. Its request must not count as in flight forever, so every admitted request ends: answered, failed or
// given up.

/** Too late, disconnected, or others needed the room before its body was read. */
export type WhyGivenUp = "late" | "gone" | "crowded"

/** Exactly one of these is called for each request, once. */
export interface OnEnd {
  answered(request: Request, response: Response): Response
  failed(request: Request, cause: unknown): Response
  givenUp(request: Request, why: WhyGivenUp): Response
}

interface Flight {
  readonly request: Request
  readonly meta: RequestMeta
  readonly giveUp: (why?: WhyGivenUp) => void
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
): (request: Request, answer: Promise<Response>) => Promise<Response> {
  const flights = new Set<Flight>()
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    // Rounded up: a timer may be a little early.
    const now = Math.ceil(performance.now())
    for (const { request, meta, giveUp } of flights) {
      const { place, started, bodyArrivedAt = started } = meta
      if (request.signal.aborted) giveUp("gone")
      else if (place.arriveBy !== null) {
        if (now >= place.arriveBy) place.giveUp()
      } else if (now - bodyArrivedAt >= timeoutMs) giveUp("late")
    }
    if (flights.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (request, answer) =>
    new Promise((resolve) => {
      const meta = metaOf(request)
      const flight: Flight = {
        request,
        meta,
        giveUp(why = "crowded") {
          flights.delete(flight)
          resolve(onEnd.givenUp(request, why))
        },
      }
      flights.add(flight)
      // Unless the body is already being read.
      meta.place.onGivenUp ??= flight.giveUp
      timer ??= setInterval(check, Math.min(timeoutMs, CHECK_INTERVAL_MS)).unref()
      answer.then(
        (response) => (flights.delete(flight) ? resolve(onEnd.answered(request, response)) : discard(response)),
        (cause) => flights.delete(flight) && resolve(onEnd.failed(request, cause)),
      )
    })
}

/** A response that nobody waits for may still hold a file or a query open. */
function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined)
}
