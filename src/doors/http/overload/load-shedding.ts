import { type Failure, failure } from "../../../domain/failure.ts"

export interface LoadLimits {
  /** Requests in flight. */
  readonly requestsMax: number
  /** Body bytes in flight. */
  readonly bytesMax: number
  /** The largest body. One without a Content-Length counts as this large. */
  readonly bodyBytesMax: number
  /** How long a body may take under overload. */
  readonly slowBodyMs: number
  /** How long a response may take after the whole request has arrived. */
  readonly answerMs: number
}

export interface LoadShedder {
  /** The bytes reserved for a request, to pass to `leave` when it is answered; null when there is no room. */
  enter(request: Request): number | null
  leave(bytes: number): void
}

/** Bounds requests and body bytes in flight. Beyond that a request is refused at once, so that it does not slow down the others. */
export function loadShedding({ requestsMax, bytesMax, bodyBytesMax }: LoadLimits): LoadShedder {
  let requests = 0
  let bytes = 0
  return {
    enter(request) {
      const size = Math.min(bodySize(request), bodyBytesMax)
      // One request is always admitted, even above the byte limit.
      if (requests >= requestsMax || (requests > 0 && bytes + size > bytesMax)) return null
      requests++
      bytes += size
      return size
    },
    leave(size) {
      requests--
      bytes -= size
    },
  }
}

function bodySize({ method, headers }: Request): number {
  if (method === "GET" || method === "HEAD") return 0
  const announced = headers.get("content-length")
  if (announced !== null) return Number(announced)
  return headers.has("transfer-encoding") ? Number.POSITIVE_INFINITY : 0
}

export function overloaded(): Failure {
  return failure("unavailable", "The server is overloaded. Wait a second, then send this request again.", {
    "Retry-After": "1",
  })
}
