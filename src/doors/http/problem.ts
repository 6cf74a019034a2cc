import { type Failure, failure, problemOf } from "../../domain/failure.ts"
import { StoreUnavailable } from "../../storage/port/unavailable.ts"
import { metaOf } from "./request-meta.ts"

/** A refused request as RFC 9457 problem details. The only place where a failure becomes a response. */
export const problem = (failed: Failure, request: Request, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(problemOf(failed, metaOf(request).id)), {
    status: failed.status,
    headers: { "Content-Type": "application/problem+json", ...headers, ...failed.headers },
  })

export const UNAVAILABLE_RETRY_SECONDS = 5

/** What is answered where something was thrown: the cause itself is for the log. */
export function unexpected(cause: unknown): Failure {
  if (!(cause instanceof StoreUnavailable))
    return failure("internal_error", "Something went wrong on our side. It has been logged.")
  return failure(
    "unavailable",
    "The database cannot be reached at the moment. Send this request again in a few seconds.",
    {
      "Retry-After": String(UNAVAILABLE_RETRY_SECONDS),
    },
  )
}

/** Read by nobody: only for the log, as nginx does. */
export const disconnected = () => new Response(null, { status: 499 })
