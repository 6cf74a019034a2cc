import { metaOf } from "../request/request-meta.ts"
import { sharedTimer } from "./shared-timer.ts"

// Work on a request may fail in a way that never ends it. It must not keep its place for that: every request that was let in is
// answered or ended, whatever the door below does.

export type WhyGivenUp = "late" | "gone"

/** What becomes of a request in the end. Exactly one of them is called, and once. */
export interface Landing {
  answered(response: Response): Response
  failed(cause: unknown): Response
  givenUp(why: WhyGivenUp): Response
}

export interface InFlight {
  /** The answer to a request that is being worked on. It may be given up: when it is late, or when its caller has gone. */
  watch(request: Request, answer: Promise<Response>, landing: Landing): Promise<Response>
  /** Gives up on those whose callers have gone, without waiting for the next regular look. */
  relieve(): void
}

interface Flight {
  readonly request: Request
  readonly since: number
  readonly giveUp: (why: WhyGivenUp) => void
}

// Whether a caller is still there is asked of the slow ones only, and not for every request that is refused: it costs something.
const RELIEVE_EVERY_MS = 100

/** `patienceMs` counts from the arrival of a request, including its body. */
export function inFlight(patienceMs: number): InFlight {
  const flights = new Set<Flight>()
  let relievedAt = Number.NEGATIVE_INFINITY

  const lookWithin = sharedTimer((now) => {
    for (const { request, since, giveUp } of flights) {
      if (request.signal.aborted) giveUp("gone")
      else if (now - (metaOf(request).bodyArrivedAt ?? since) >= patienceMs) giveUp("late")
    }
    return flights.size > 0
  })

  return {
    watch: (request, answer, landing) =>
      new Promise((resolve) => {
        const flight: Flight = {
          request,
          since: performance.now(),
          giveUp(why) {
            flights.delete(flight)
            metaOf(request).onGivenUp?.()
            resolve(landing.givenUp(why))
          },
        }
        flights.add(flight)
        lookWithin(patienceMs)
        answer.then(
          (response) => (flights.delete(flight) ? resolve(landing.answered(response)) : discard(response)),
          (cause) => flights.delete(flight) && resolve(landing.failed(cause)),
        )
      }),
    relieve() {
      const now = performance.now()
      if (now - relievedAt < RELIEVE_EVERY_MS) return
      relievedAt = now
      for (const { request, giveUp } of flights) if (request.signal.aborted) giveUp("gone")
    },
  }
}

/** An answer that nobody waits for any more may still hold a file or a query open. */
function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined)
}
