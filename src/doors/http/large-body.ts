import { metaOf } from "./request-meta.ts"

// Before a larger body Bun sends each header on its own, unless the answer is ready in the call in which its request arrived: some 50
// calls of the system, 170 microseconds. Before a stream of Bun's own kind it does not.
const SENT_AT_ONCE_MAX = 15_000

// Where it is ready in that call, a stream takes 30 microseconds more than the bytes: bytes it is while few answers can be waiting for
// their readers. So many, each as long as a request counts for, are bounded well enough.
const READY_BYTES_MAX = 131_072
const PENDING_MAX = 64

/** The body of an answer that is made in the call in which its request arrived. */
export function readyBodyOf(content: Uint8Array<ArrayBuffer>, request: Request): BodyInit {
  const meta = metaOf(request)
  if (content.length > READY_BYTES_MAX || meta.pendingRequests > PENDING_MAX) return bodyOf(content, request)
  meta.answerBytes = content.length
  return content
}

/**
 * The body of an answer that was waited for. Until its caller has read it, it takes room, and the connection can ask for nothing else: the
 * runtime closes one that does. Without the waiting it would take the stream for sent, and keep what nobody reads without a bound.
 */
export function bodyOf(content: string | Uint8Array<ArrayBuffer>, request: Request): BodyInit {
  if (content.length < SENT_AT_ONCE_MAX) return content
  metaOf(request).answerBytes = content.length
  // A copy, as a response makes one: whoever made the bytes may use their place again.
  const kept = typeof content === "string" ? content : new Uint8Array(content)
  const source: Bun.DirectUnderlyingSource = {
    type: "direct",
    pull(sink) {
      // What the types do not say: a promise where the caller has to read before there is place for all of it.
      const sent: unknown = sink.write(kept)
      if (!(sent instanceof Promise)) return void sink.end()
      return untilRead(sent, content.length, request).then(() => void sink.end())
    },
  }
  return new ReadableStream(source as unknown as UnderlyingSource)
}

/** Resolves when it is read, or the connection is closed. Rejected, which closes the connection, where others need the room. */
function untilRead(sent: Promise<unknown>, bytes: number, request: Request): Promise<void> {
  const meta = metaOf(request)
  return new Promise((resolve, reject) => {
    // Without a reason: the runtime would print it.
    const drop = () => reject()
    if (!meta.holdAnswer(bytes, drop)) drop()
    const finish = () => {
      meta.leave()
      resolve()
    }
    sent.then(finish, finish)
  })
}
