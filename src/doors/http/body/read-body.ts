import { peek } from "bun"
import { bodyTooLarge, type Failure, failure } from "../../../domain/failure.ts"
import { BODY_SECONDS_MAX } from "../../../domain/limits.ts"
import { metaOf, type RequestMeta } from "../request/request-meta.ts"

export interface BodyLimits {
  readonly bytesMax: number
  readonly secondsMax?: number
}

// A body that is too large by its Content-Length is read and discarded, so that the connection can be reused. Beyond this many times
// the limit, the connection is closed instead.
const DISCARD_FACTOR = 16
const CLOSE = { Connection: "close" }

/** The body of a request, or why it was refused. */
export async function readBody(
  request: Request,
  { bytesMax, secondsMax = BODY_SECONDS_MAX }: BodyLimits,
): Promise<Uint8Array | Failure> {
  const announced = request.headers.get("content-length")
  if (announced !== null && Number(announced) > bytesMax) return refuse(bytesMax, Number(announced))

  // Bun reads no more bytes than Content-Length says, so only a body without it needs counting.
  const body = announced === null ? countedBody(request, bytesMax) : request.bytes()
  // A small body mostly arrives with its headers and needs no deadline.
  const arrived = peek(body)
  return arrived instanceof Uint8Array ? arrived : within(secondsMax, body, metaOf(request))
}

function within(
  seconds: number,
  body: Promise<Uint8Array | Failure>,
  meta: RequestMeta,
): Promise<Uint8Array | Failure> {
  return new Promise((resolve) => {
    const arrived = meta.bodies.add(meta.caller(), () => settle(bodyTimeout(seconds)), seconds * 1_000)
    const settle = (outcome: Uint8Array | Failure) => {
      arrived()
      meta.bodyArrivedAt = performance.now()
      resolve(outcome)
    }
    // Rejected when the client disconnects: nobody reads this response.
    body.then(settle, () =>
      settle(failure("invalid_request", "The connection was closed before the whole body arrived.", CLOSE)),
    )
  })
}

/** For a response that does not wait for the body: a long body, or one without a length, is cut off instead of received. */
export function closeUnlessShort(request: Request, bytesMax: number): Readonly<Record<string, string>> {
  const announced = request.headers.get("content-length")
  const isShort =
    announced === null ? !request.headers.has("transfer-encoding") : !isVeryLarge(Number(announced), bytesMax)
  return isShort ? {} : CLOSE
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

function refuse(bytesMax: number, size: number): Failure {
  const refused = bodyTooLarge(bytesMax)
  return isVeryLarge(size, bytesMax) ? { ...refused, headers: CLOSE } : refused
}

function isVeryLarge(size: number, bytesMax: number): boolean {
  return size > bytesMax * DISCARD_FACTOR
}

function bodyTimeout(seconds: number): Failure {
  const detail = `The body must arrive within ${seconds} s, and sooner when the server is busy. Send it again.`
  return failure("body_timeout", detail, CLOSE)
}
