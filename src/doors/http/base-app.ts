import { Elysia } from "elysia"
import { failure } from "../../domain/failure.ts"
import type { Log } from "../../log/log.ts"
import { problem } from "./problem.ts"
import { metaOf } from "./request/request-meta.ts"
import { unexpected } from "./unexpected.ts"

/** The Elysia app that doors are mounted on. Answers unknown paths and unexpected errors. */
export function baseApp(log: Log) {
  // Otherwise Elysia misses the path of a URL with a host as short as "a.b".
  return new Elysia({ handler: { standardHostname: false } }).onError(({ code, error, request }) => {
    if (code === "NOT_FOUND") return problem(failure("not_found", "There is nothing at this address."), request)
    log.error("unexpected failure", error, { request: metaOf(request).id })
    return problem(unexpected(error), request)
  })
}
