import type { RequestMeta, When } from "./request-meta.ts"

// So many requests make a turn in which it is worth asking who sent the next one, fewer where they have taken long: asking takes two
// microseconds.
const REQUESTS_UNASKED = 64
const SLOW_REQUESTS_UNASKED = 8
const MS_UNASKED = 5
// After so long the requests of others wait for a later turn. Not sooner: their answers then take longer to send.
const MS_OF_A_TURN = 20
// Of a large answer so much counts as one more.
const BYTES_OF_A_REQUEST = 8_192

/**
 * Answers to many requests in one turn would keep everybody else waiting: those of many connections are left for later turns. The runtime
 * also hands over everything in a receive buffer, thousands of requests of one connection; only an answer that closes the connection ends
 * that. Whoever sent them sends the rest again on a new connection, as HTTP asks of those who do so.
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
    whenToAnswer(meta: RequestMeta): When {
      if (count++ === 0) {
        since = meta.started
        setImmediate(turn)
      }
      const ms = meta.started - since
      const isLong = count > SLOW_REQUESTS_UNASKED && ms >= MS_UNASKED
      if (count <= REQUESTS_UNASKED && !isLong) return "now"
      const { connection } = meta
      const isSame = connection === last
      last = connection
      if (isSame) return "last"
      return ms >= MS_OF_A_TURN ? "later" : "now"
    },
    answered({ answerBytes }: RequestMeta): void {
      if (count > 0) count += Math.floor(answerBytes / BYTES_OF_A_REQUEST)
    },
  }
}
