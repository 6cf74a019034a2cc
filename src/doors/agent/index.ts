import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import type { Handle } from "../http/lazy-door.ts"
import { wrongMethod } from "./front-page.ts"
import { type AgentSettings, agentHandler } from "./handler.ts"

/** The sales agent: one address, one JSON-RPC message per POST, no sessions. */
export function agentDoor(context: ReportContext, views: AgentViews, settings: AgentSettings): Handle {
  const answer = agentHandler(context, views, settings)
  return (request) => (request.method === "POST" ? answer(request) : wrongMethod(request))
}
