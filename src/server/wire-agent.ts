import { agentViews } from "../actions/catalogue/agent-views.ts"
import { BODY_BYTES_MAX } from "../domain/limits.ts"
import { agentDoor } from "../doors/agent/index.ts"
import { securityHeaders } from "../doors/http/headers.ts"
import type { Handle } from "../doors/http/lazy-door.ts"
import type { WrongKeys } from "../doors/http/wrong-keys.ts"
import { brandUrl, ownAddresses } from "./addresses.ts"
import type { Deps } from "./deps.ts"

/** The sales agent with everything it needs. `agentUrl` is called only after the server listens. */
export function wireAgent(parts: Deps, wrongKeys: WrongKeys, agentUrl: () => string, webUrl: () => string): Handle {
  const { config } = parts
  const orderUrl = () => `${config.publicUrl ?? webUrl()}/order/`
  const { publishAdagents: publishedDomains, agentContact: contact, agentDelivery } = config
  const views = agentViews(parts, {
    agentUrl,
    orderUrl,
    publishedDomains,
    contact,
    brandUrl: brandUrl(config),
    agentDelivery,
  })
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
