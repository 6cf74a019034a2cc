import { peek } from "bun"
import { bodyTooLarge, type Failure, failure, overloaded } from "../../../domain/failure.ts"
import { BODY_SECONDS_MAX } from "../../../domain/limits.ts"
import { metaOf, type RequestMeta } from "../request/request-meta.ts"

export interface BodyLimits {
  readonly bytesMax: number
}

// A body that is too large by its Content-Length is read and discarded, so that the connection can be reused. Beyond this many times
// the limit, the connection is closed instead.
const DISCARD_FACTOR = 16
const CLOSE = { Connection: "close" }

/** The body of a request, or why it was refused. */
export async function readBody(request: Request, { bytesMax }: BodyLimits): Promise<Uint8Array | Failure> {
  const meta = metaOf(request)
  const { length, place } = meta
  const isAnnounced = Number.isFinite(length)
  if (isAnnounced && length > bytesMax)
    return { ...bodyTooLarge(bytesMax), headers: closeUnlessShort(request, bytesMax) }
  if (!place.take(Math.min(length, bytesMax))) return noRoom()

  // The runtime reads no more bytes than Content-Length says, so only a body without it needs counting.
  const body = isAnnounced ? request.bytes() : countedBody(request, bytesMax)
  // A small body mostly arrives with its headers and is not waited for.
  const arrived = peek(body)
  return arrived instanceof Uint8Array ? arrived : whole(body, meta)
}

function whole(body: Promise<Uint8Array | Failure>, meta: RequestMeta): Promise<Uint8Array | Failure> {
  return new Promise((resolve) => {
    const settle = (outcome: Uint8Array | Failure) => {
      meta.place.arrived()
      meta.bodyArrivedAt = performance.now()
      resolve(outcome)
    }
    if (!meta.place.waits(() => settle(bodyTimeout()))) settle(noRoom())
    // Rejected when the client disconnects: nobody reads this response.
    body.then(settle, () =>
      settle(failure("invalid_request", "The connection was closed before the whole body arrived.", CLOSE)),
    )
  })
}

/** For a response that does not wait for the body: a long body, or one without a length, is cut off instead of received. */
export function closeUnlessShort(request: Request, bytesMax: number): Readonly<Record<string, string>> {
  return metaOf(request).length > bytesMax * DISCARD_FACTOR ? CLOSE : {}
}

async function countedBody(request: Request, bytesMax: number): Promise<Uint8Array | Failure> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    size += read.value.length
    if (size > bytesMax) {
      // drain-body reads the rest.
      reader?.releaseLock()
      return { ...bodyTooLarge(bytesMax), headers: CLOSE }
    }
    chunks.push(read.value)
  }
  return Buffer.concat(chunks, size)
}

/** Whoever is refused while sending is told to come back, and cut off. */
export function noRoom(): Failure {
  const refused = overloaded()
  return { ...refused, headers: { ...refused.headers, ...CLOSE } }
}

function bodyTimeout(): Failure {
  const detail = `The body must arrive within ${BODY_SECONDS_MAX} s, and sooner when the server is busy. Send it again.`
  return failure("body_timeout", detail, CLOSE)
}
