// Promise: of many requests that one connection sends at once, few are answered before anybody else has a turn; the rest is sent again on a
// new connection, as HTTP asks of those who do not wait for answers. Held by test/trust/pipelined.test.ts and torture/parts/pipeline.ts.
import type { RequestMeta } from "./request-meta.ts"

// The runtime hands over everything in a receive buffer, thousands of requests, and then goes on with the next one: only an answer that
// closes the connection ends that. So much makes a turn in which it is worth asking for the connection of a request, which takes two
// microseconds. Without the time, long answers would fill what the system holds for the caller, and the closing would wait for that.
const UNASKED_MS = 20
const UNASKED_REQUESTS = 64
const PAUSE_AFTER_MS = 50

/** Bounds what is answered in one turn of the event loop. */
export function turnWatch(pauseAccepting: () => void) {
  let count = 0
  let since = 0
  let last: number | null = null
  let isPaused = false
  const turn = () => {
    count = 0
    last = null
    isPaused = false
  }
  /** Whether the connection of a request is to be closed after its answer. */
  return (meta: RequestMeta): boolean => {
    if (count++ === 0) {
      since = meta.started
      setImmediate(turn)
    }
    const ms = meta.started - since
    if (ms > PAUSE_AFTER_MS && !isPaused) {
      isPaused = true
      pauseAccepting()
    }
    if (ms <= UNASKED_MS && count <= UNASKED_REQUESTS) return false
    // One that sends the next request as well does not wait for answers; all others are not to be closed for being many.
    const before = last
    last = meta.peerPort
    return last === before
  }
}
