import { Elysia } from "elysia"
import { failure } from "../../domain/failure.ts"
import type { Log } from "../../log/log.ts"
import { problem, unexpected } from "./problem.ts"
import { metaOf } from "./request-meta.ts"

/** What doors are put into: it answers when none of them does. */
export function baseApp(log: Log) {
  // Also where the host is as short as "a.b": otherwise the path would be looked for behind it.
  return new Elysia({ handler: { standardHostname: false } }).onError(({ code, error, request }) => {
    if (code === "NOT_FOUND") return problem(failure("not_found", "There is nothing at this address."), request)
    log.error("unexpected failure", error, { request: metaOf(request).id })
    return problem(unexpected(error), request)
  })
}
