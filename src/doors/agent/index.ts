import type { AgentViews } from "../../actions/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import type { Handle } from "../http/lazy-door.ts"
import { type AgentSettings, answerer } from "./answerer.ts"
import { wrongMethod } from "./front-page.ts"

/** The sales agent: one address, one JSON-RPC message for each POST, no sessions. */
export function agentDoor(context: ReportContext, views: AgentViews, settings: AgentSettings): Handle {
  const answer = answerer(context, views, settings)
  return (request) => (request.method === "POST" ? answer(request) : wrongMethod(request))
}
