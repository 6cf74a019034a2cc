// The runtime hands over everything in a receive buffer, thousands of requests of one connection, and then goes on with the next one: only
// an answer that closes the connection ends that. Who sent them sends the rest again on a new connection, as HTTP asks of those who do so.
const CLOSE_AFTER_MS = 20
const CLOSE_AFTER_REQUESTS = 256
const CLOSE_AFTER_BYTES = 1_048_576
const PAUSE_AFTER_MS = 50

/** Bounds what is answered in one turn of the event loop. */
export function turnWatch(pauseAccepting: () => void) {
  let count = 0
  let bytes = 0
  let since = 0
  let isPaused = false
  const turn = () => {
    count = 0
    bytes = 0
    isPaused = false
  }
  return {
    /** Whether the connection of a request that begins now is to be closed after its answer. */
    isLast(now: number): boolean {
      if (count++ === 0) {
        since = now
        setImmediate(turn)
      }
      const ms = now - since
      if (ms > PAUSE_AFTER_MS && !isPaused) {
        isPaused = true
        pauseAccepting()
      }
      return ms > CLOSE_AFTER_MS || count > CLOSE_AFTER_REQUESTS || bytes > CLOSE_AFTER_BYTES
    },
    answered(answerBytes: number): void {
      bytes += answerBytes
    },
  }
}
