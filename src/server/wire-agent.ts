import { type AgentViews, agentViews } from "../actions/catalogue/agent-views.ts"
import { BODY_BYTES_MAX } from "../domain/limits.ts"
import { agentDoor } from "../doors/agent/index.ts"
import { securityHeaders } from "../doors/http/headers.ts"
import type { Handle } from "../doors/http/lazy-door.ts"
import type { WrongKeys } from "../doors/http/wrong-keys.ts"
import { brandAddress, ownAddresses } from "./addresses.ts"
import type { Deps } from "./deps.ts"

/** What the sales agent shows. The addresses are asked for only after the server listens. */
export function viewsFor(parts: Deps, agentUrl: () => string, webUrl: () => string): AgentViews {
  const { agentDelivery } = parts.config
  const orderUrl = () => `${parts.config.publicUrl ?? webUrl()}/order/`
  return agentViews(parts, { agentUrl, orderUrl, brandAt: brandAddress(parts.config), agentDelivery })
}

export function wireAgent(parts: Deps, wrongKeys: WrongKeys, views: AgentViews): Handle {
  const { config } = parts
  return agentDoor(parts, views, {
    anonymousPerMinute: config.limitAgentAnonymous,
    keyedPerMinute: config.limitAgentKeyed,
    bodyBytesMax: BODY_BYTES_MAX,
    wrongKeys,
    allowedOrigins: ownAddresses(config),
    corsOrigins: config.allowOrigin,
    headers: securityHeaders(config.publicUrl),
  })
}
