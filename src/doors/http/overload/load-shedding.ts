import { type Failure, failure } from "../../../domain/failure.ts"

export interface LoadLimits {
  /** Requests that are being answered at a time. */
  readonly requestsMax: number
  /** Bytes of bodies that are held at a time. */
  readonly bytesMax: number
  /** The largest body; one whose size is not announced counts as such. */
  readonly bodyBytesMax: number
  /** How long a body may take once somebody else has to be refused. */
  readonly slowBodyMs: number
  /** How long an answer may take once the whole request is there. */
  readonly answerMs: number
}

export interface LoadShedder {
  /** The bytes that are set aside for a request, to be given back when it is answered; null when there is no room for it. */
  enter(request: Request): number | null
  leave(bytes: number): void
}

/** Bounds what is going on at a time: beyond that a request is refused at once instead of making all the others slower. */
export function loadShedding({ requestsMax, bytesMax, bodyBytesMax }: LoadLimits): LoadShedder {
  let requests = 0
  let bytes = 0
  return {
    enter(request) {
      const size = Math.min(bodySize(request), bodyBytesMax)
      // Somebody is always let in, however large the largest body is set.
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
  return failure("unavailable", "Too much is going on here. Wait a second, then send this request again.", {
    "Retry-After": "1",
  })
}
