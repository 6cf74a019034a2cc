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

export interface InFlight {
  /** Resolves with the response, or gives up when it is late or the caller has disconnected. */
  watch(request: Request, answer: Promise<Response>): Promise<Response>
  /** Gives up requests whose callers have disconnected, without waiting for the next regular check. */
  dropDisconnected(): void
}

interface Flight {
  readonly request: Request
  readonly meta: RequestMeta
  readonly giveUp: (why?: WhyGivenUp) => void
}

const CHECK_INTERVAL_MS = 1_000
// Checking all requests for every refused one would cost too much.
const DROP_INTERVAL_MS = 100

/** `timeoutMs` counts from the moment a request has arrived with its body. Bodies have deadlines of their own. */
export function inFlight(timeoutMs: number, onEnd: OnEnd): InFlight {
  const flights = new Set<Flight>()
  let droppedAt = Number.NEGATIVE_INFINITY

  const checkWithin = sharedTimer((now) => {
    for (const { request, meta, giveUp } of flights) {
      const { place, started, bodyArrivedAt = started } = meta
      if (request.signal.aborted) giveUp("gone")
      else if (place.arriveBy !== null) {
        if (now >= place.arriveBy) place.giveUp()
      } else if (now - bodyArrivedAt >= timeoutMs) giveUp("late")
    }
    return flights.size > 0
  })

  return {
    watch: (request, answer) =>
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
        checkWithin(timeoutMs)
        answer.then(
          (response) => (flights.delete(flight) ? resolve(onEnd.answered(request, response)) : discard(response)),
          (cause) => flights.delete(flight) && resolve(onEnd.failed(request, cause)),
        )
      }),
    dropDisconnected() {
      const now = performance.now()
      if (now - droppedAt < DROP_INTERVAL_MS) return
      droppedAt = now
      for (const { request, giveUp } of flights) if (request.signal.aborted) giveUp("gone")
    },
  }
}

/** A response that nobody waits for may still hold a file or a query open. */
function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined)
}

/**
 * One timer for many deadlines, because one each would cost every request. Call the returned function when a deadline is added: `check`
 * runs after that time or a second, whichever is sooner, then every second while it returns true.
 */
function sharedTimer(check: (now: number) => boolean): (ms: number) => void {
  let timer: NodeJS.Timeout | undefined

  function start(ms: number): void {
    timer = setTimeout(() => {
      timer = undefined
      // Rounded up: a timer may be a little early.
      if (check(Math.ceil(performance.now()))) start(CHECK_INTERVAL_MS)
    }, ms)
    timer.unref()
  }

  return (ms) => {
    if (timer === undefined) start(Math.min(ms, CHECK_INTERVAL_MS))
  }
}
