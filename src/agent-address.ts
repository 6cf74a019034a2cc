import { forgetOldCalls } from "./actions/log-agent-call.ts"
import type { AppParts } from "./app-parts.ts"
import type { Config } from "./config.ts"

const FORGET_INTERVAL_MS = 3_600_000

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
