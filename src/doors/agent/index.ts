import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import type { Handle } from "../http/lazy-door.ts"
import { corsFor } from "./cors.ts"
import { type AgentSettings, agentHandler } from "./handler.ts"
import { wrongMethod } from "./refusals.ts"

/** The sales agent: one address, one JSON-RPC message per POST, no sessions. */
export function agentDoor(context: ReportContext, views: AgentViews, settings: AgentSettings): Handle {
  const answer = agentHandler(context, views, settings)
  const plain: Handle = async (request) =>
    request.method === "POST" ? answer(request) : wrongMethod(request, (await views.words()).needsKey)
  // Most installations name no origin, and their calls need not pass through here.
  if (settings.corsOrigins.length === 0) return plain
  const cors = corsFor(settings.corsOrigins)
  return async (request) => cors.preflight(request) ?? cors.share(request, await plain(request))
}
