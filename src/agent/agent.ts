import type { Context } from "../actions/context.ts"
import type { RequestHandler } from "../http/limits.ts"
import { methodNotAllowed } from "../http/refusals.ts"
import { scopeOf } from "../http/scope.ts"
import { withCors } from "./cors.ts"
import { agentHandler } from "./handler.ts"
import { wellKnown } from "./well-known.ts"

/** The sales agent: one address, one JSON-RPC message in each POST, and no sessions. */
export function salesAgent(context: Context): RequestHandler {
  const answer = agentHandler(context)
  const withMethod: RequestHandler = (request) => {
    if (request.method !== "POST") throw methodNotAllowed("POST")
    return answer(request)
  }
  const root = withCors(context.config.allowOrigin, withMethod)
  return (request) => (scopeOf(request).path === "/" ? root(request) : wellKnown(context, request))
}
