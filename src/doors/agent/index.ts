import { Elysia } from "elysia"
import type { AgentViews } from "../../actions/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import { type AgentSettings, answerer } from "./answerer.ts"
import { wrongMethod } from "./front-page.ts"

/** The sales agent: one address, one JSON-RPC message for each POST, no sessions. */
export function agentDoor(context: ReportContext, views: AgentViews, settings: AgentSettings) {
  const answer = answerer(context, views, settings)
  return new Elysia()
    .post("/", ({ request }) => answer(request), { parse: "none" })
    .all("/", ({ request }) => wrongMethod(request), { parse: "none" })
}
