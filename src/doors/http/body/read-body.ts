import { peek } from "bun"
import { bodyTooLarge, type Failure, failure } from "../../../domain/failure.ts"
import { BODY_SECONDS_MAX } from "../../../domain/limits.ts"
import { metaOf, type RequestMeta } from "../request/request-meta.ts"

export interface BodyLimits {
  readonly bytesMax: number
  readonly secondsMax?: number
}

// A body that is announced as too large is still let come in and thrown away up to so many times the limit, and the connection goes
// on. Beyond that it is closed.
const DISCARD_FACTOR = 16
const CLOSE = { Connection: "close" }

/** The bytes of a request's body, counted as they arrive, or why they were not taken. */
export async function readBody(
  request: Request,
  { bytesMax, secondsMax = BODY_SECONDS_MAX }: BodyLimits,
): Promise<Uint8Array | Failure> {
  const announced = request.headers.get("content-length")
  if (announced !== null && Number(announced) > bytesMax) return refuse(bytesMax, Number(announced))

  // The server hands over as many bytes as were announced and no more, so that only an unannounced body needs counting.
  const body = announced === null ? countedBody(request, bytesMax) : request.bytes()
  // A small body mostly arrives with its headers: then there is nothing to wait for, and no time to watch.
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
    // The caller may go away in the middle of its body: whatever is answered then, nobody reads it.
    body.then(settle, () => settle(failure("invalid_request", "The connection ended before the body did.", CLOSE)))
  })
}

/** For an answer that does not wait for the body: one that is long or has no stated end would go on and on. */
export function closeUnlessShort(request: Request, bytesMax: number): Readonly<Record<string, string>> {
  const announced = request.headers.get("content-length")
  const isShort =
    announced === null ? !request.headers.has("transfer-encoding") : !isEndless(Number(announced), bytesMax)
  return isShort ? {} : CLOSE
}

async function countedBody(request: Request, bytesMax: number): Promise<Uint8Array | Failure> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    size += read.value.length
    if (size > bytesMax) {
      // What is left is for whoever ends the connection.
      reader?.releaseLock()
      return { ...bodyTooLarge(bytesMax), headers: CLOSE }
    }
    chunks.push(read.value)
  }
  return Buffer.concat(chunks, size)
}

function refuse(bytesMax: number, size: number): Failure {
  const refused = bodyTooLarge(bytesMax)
  return isEndless(size, bytesMax) ? { ...refused, headers: CLOSE } : refused
}

function isEndless(size: number, bytesMax: number): boolean {
  return size > bytesMax * DISCARD_FACTOR
}

function bodyTimeout(seconds: number): Failure {
  const detail = `The body has to arrive within ${seconds} s, and sooner when much is going on. Send it again.`
  return failure("body_timeout", detail, CLOSE)
}
