import { agentViews } from "./actions/agent-views.ts"
import { forgetOldCalls } from "./actions/log-agent-call.ts"
import type { AppParts } from "./app.ts"
import type { Config } from "./config.ts"
import { formatMoment } from "./domain/moment.ts"
import { agentDoor } from "./doors/agent/index.ts"
import { wellKnown } from "./doors/agent/well-known.ts"

const FORGET_INTERVAL_MS = 3_600_000

/** The sales agent with everything it needs. `agentUrl` is asked for once the server listens. */
export function openAgent(parts: AppParts, agentUrl: () => string) {
  const { config } = parts
  const views = agentViews(parts, agentUrl)
  return {
    door: agentDoor(parts, views, {
      anonymousPerMinute: config.limitAgentAnonymous,
      keyedPerMinute: config.limitAgentKeyed,
      bodyBytesMax: config.maxBody,
      trustProxy: config.trustProxy,
      allowedOrigins: allowedOrigins(config),
    }),
    published: wellKnown({
      domains: config.publishAdagents,
      brand: config.publishBrand,
      agentUrl,
      since: formatMoment(parts.clock()),
    }),
  }
}

/** Names by which the agent may be called, beside loopback and addresses in digits. */
function allowedOrigins({ publicUrl, agentUrl, allowOrigin, host }: Config): string[] {
  const own = [publicUrl, agentUrl].filter((address) => address !== null)
  const listening = URL.canParse(`http://${host}`) ? [`http://${host}`] : []
  return [...own, ...allowOrigin, ...listening]
}

/** The one spelling of the agent's address that answers carry: what the operator named, else where it listens. */
export function agentAddress({ agentUrl, publicUrl, agentPort }: Config, listening: string): string {
  if (agentUrl !== null) return `${agentUrl}/`
  if (publicUrl === null || agentPort === null) return `${publicUrl ?? listening}/`
  const url = new URL(publicUrl)
  url.port = new URL(listening).port
  return url.href
}

/** Keeps the call log to the days that the operator wants: now, and every hour from now on. */
export function forgetCallsRegularly(parts: AppParts): Disposable {
  const forget = () =>
    void forgetOldCalls(parts, parts.config.callLogDays).catch((cause) =>
      parts.log.error("old calls not forgotten", cause),
    )
  forget()
  const timer = setInterval(forget, FORGET_INTERVAL_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
