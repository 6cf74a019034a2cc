import { pruneCallLog } from "./actions/prune-call-log.ts"
import type { AppParts } from "./app-parts.ts"
import type { Config } from "./config.ts"

const PRUNE_INTERVAL_MS = 3_600_000
const MEBIBYTE = 1_048_576

/** The one spelling of the agent's address that answers carry: what the operator named, else where it listens. */
export function agentAddress({ agentUrl, publicUrl, agentPort }: Config, listening: string): string {
  if (agentUrl !== null) return `${agentUrl}/`
  if (publicUrl === null || agentPort === null) return `${publicUrl ?? listening}/`
  const url = new URL(publicUrl)
  url.port = new URL(listening).port
  return url.href
}

/** Keeps the call log within its bounds from now on, and removes what is too old: now, and every hour. */
export function boundCallLog(parts: AppParts): Disposable {
  const { config, store, log } = parts
  const stop = new AbortController()
  store.agentCallLog.keepWithin({ rows: config.callLogRows, bytes: config.callLogMb * MEBIBYTE })
  const prune = () =>
    void pruneCallLog(parts, config.callLogDays, stop.signal).catch((cause) => log.error("call log not pruned", cause))
  prune()
  const timer = setInterval(prune, PRUNE_INTERVAL_MS)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      stop.abort()
    },
  }
}
