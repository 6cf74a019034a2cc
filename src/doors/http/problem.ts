import { type Failure, problemOf } from "../../domain/failure.ts"
import { metaOf } from "./request/request-meta.ts"

/** A refused request as RFC 9457 problem details. The only place where a failure becomes a response. */
export function problem(failed: Failure, request: Request, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problemOf(failed, metaOf(request).id)), {
    status: failed.status,
    headers: { "Content-Type": "application/problem+json", ...headers, ...failed.headers },
  })
}
