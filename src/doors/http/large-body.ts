// Promise: answers that nobody reads take bounded memory, of a connection and in all.
// Held by test/trust/pipelined.test.ts and torture/parts/unread.ts.
import { metaOf } from "./request-meta.ts"

// Before a larger body Bun sends each header on its own, some 50 calls of the system. Before a stream of Bun's own kind it does not.
const SENT_AT_ONCE_MAX = 15_000

// Where an answer is ready in the call in which its request arrived, its bytes take 30 microseconds less than a stream: bytes they are
// while few answers can be waiting for their readers, which bounds them well enough.
const READY_BYTES_MAX = 131_072
const PENDING_MAX = 64

/** The body of an answer that is made in the call in which its request arrived. */
export function readyBodyOf(content: string | Uint8Array<ArrayBuffer>, request: Request): BodyInit {
  const isReady = content.length <= READY_BYTES_MAX && metaOf(request).pendingRequests <= PENDING_MAX
  return isReady ? content : bodyOf(content, request)
}

// What the runtime keeps of an answer besides ours, until it is read.
const SLICE_BYTES = 65_536

/**
 * The body of an answer that was waited for. A large one counts as held until its caller has read it, and the connection can ask for nothing else meanwhile:
 * the runtime closes one that does. Without the waiting the runtime would keep what nobody reads without a bound.
 */
export function bodyOf(content: string | Uint8Array<ArrayBuffer>, request: Request): BodyInit {
  if (content.length < SENT_AT_ONCE_MAX) return content
  // A copy, as a response makes one: the code that made the bytes may overwrite them.
  const bytes = Buffer.from(content)
  // What the types do not say: writing gives a promise where the caller has to read before there is place for all of it.
  const source = { type: "direct", pull: (sink: Sink) => send(bytes, sink, request) }
  return new ReadableStream(source as unknown as UnderlyingSource)
}

type Bytes = Buffer<ArrayBuffer>
type Sink = { write(bytes: Bytes): unknown; end(): unknown }

function send(bytes: Bytes, sink: Sink, request: Request): Promise<void> | undefined {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    const sent = sink.write(bytes.subarray(from, from + SLICE_BYTES))
    if (sent instanceof Promise) return sendRest(sent, bytes, from + SLICE_BYTES, sink, request)
  }
  sink.end()
  return undefined
}

/** Each slice when the one before is read, or the connection closed. Rejected, which closes the connection, where there is no room for it, or it is read too slowly. */
async function sendRest(first: Promise<unknown>, bytes: Bytes, next: number, sink: Sink, request: Request) {
  const meta = metaOf(request)
  const dropped = Promise.withResolvers<void>()
  // Without a reason: the runtime would print it.
  const drop = () => dropped.reject()
  if (!meta.holdAnswer(bytes.length)) drop()
  const isRead = (sent: unknown) => {
    meta.waits(drop)
    return Promise.race([Promise.resolve(sent).catch(() => undefined), dropped.promise])
  }
  try {
    await isRead(first)
    for (let from = next; from < bytes.length && !request.signal.aborted; from += SLICE_BYTES)
      await isRead(sink.write(bytes.subarray(from, from + SLICE_BYTES)))
    sink.end()
  } finally {
    meta.leave()
  }
}
