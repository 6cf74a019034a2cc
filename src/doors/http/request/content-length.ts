import { type Failure, failure } from "../../../domain/failure.ts"

/**
 * The bytes of a body as announced: 0 without a body, infinite where they are not announced. Null for a length that is repeated ("3, 3")
 * or has anything but digits.
 */
export function contentLength({ headers }: Request): number | null {
  const announced = headers.get("content-length")
  if (announced === null) return headers.has("transfer-encoding") ? Number.POSITIVE_INFINITY : 0
  return /^\d{1,15}$/.test(announced) ? Number(announced) : null
}

export function wrongLength(): Failure {
  const detail = "The header Content-Length must be sent once, with nothing but digits."
  return failure("invalid_request", detail, { Connection: "close" })
}
