import { type Failure, failure } from "../../domain/failure.ts"
import { StoreUnavailable } from "../../storage/port/unavailable.ts"

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
