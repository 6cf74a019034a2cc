import type { RequestMeta } from "./request-meta.ts"

// So many requests make a turn in which it is worth asking who sent the next one, fewer where they have taken long: asking takes two
// microseconds.
const REQUESTS_UNASKED = 64
const SLOW_REQUESTS_UNASKED = 8
const MS_UNASKED = 5
// Of a large answer so much counts as one more.
const BYTES_OF_A_REQUEST = 8_192

/**
 * Whether a request is one of many that one connection sent without waiting for answers. The runtime hands over everything in a receive
 * buffer, thousands of requests, before anybody else has a turn; only an answer that closes the connection ends that. Whoever sent them
 * sends the rest again on a new connection, as HTTP asks of those who do so.
 */
export function pipelined() {
  let count = 0
  let since = 0
  let last = ""
  const turn = () => {
    count = 0
    last = ""
  }
  return {
    isMore(meta: RequestMeta): boolean {
      if (count++ === 0) {
        since = meta.started
        setImmediate(turn)
      }
      const isLong = count > SLOW_REQUESTS_UNASKED && meta.started - since >= MS_UNASKED
      if (count <= REQUESTS_UNASKED && !isLong) return false
      const { connection } = meta
      const isSame = connection === last
      last = connection
      return isSame
    },
    answered({ answerBytes }: RequestMeta): void {
      if (count > 0) count += Math.floor(answerBytes / BYTES_OF_A_REQUEST)
    },
  }
}
