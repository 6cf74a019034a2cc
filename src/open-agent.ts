import { agentViews } from "./actions/agent-views.ts"
import type { AppParts } from "./app-parts.ts"
import type { Config } from "./config.ts"
import { agentDoor } from "./doors/agent/index.ts"
import type { Handle } from "./doors/http/lazy-door.ts"
import { securityHeaders } from "./doors/http/security-headers.ts"
import type { WrongKeys } from "./doors/http/wrong-keys.ts"

/** The sales agent with everything it needs. `agentUrl` is asked for once the server listens. */
export function openAgent(parts: AppParts, wrongKeys: WrongKeys, agentUrl: () => string): Handle {
  const { config } = parts
  return agentDoor(parts, agentViews(parts, agentUrl), {
    anonymousPerMinute: config.limitAgentAnonymous,
    keyedPerMinute: config.limitAgentKeyed,
    bodyBytesMax: config.maxBody,
    trustProxy: config.trustProxy,
    wrongKeys,
    allowedOrigins: allowedOrigins(config),
    headers: securityHeaders(config.publicUrl),
  })
}

/** Names by which the agent may be called, beside loopback and addresses in digits. */
function allowedOrigins({ publicUrl, agentUrl, allowOrigin, host }: Config): string[] {
  const own = [publicUrl, agentUrl].filter((address) => address !== null)
  const listening = URL.canParse(`http://${host}`) ? [`http://${host}`] : []
  return [...own, ...allowOrigin, ...listening]
}
