import { limitCallLog } from "../actions/operations/limit-call-log.ts"
import { pruneActivity } from "../actions/operations/prune-activity.ts"
import { pruneCallLog } from "../actions/operations/prune-call-log.ts"
import { takeLease } from "../actions/operations/serving.ts"
import type { Deps } from "../server/deps.ts"

const PRUNE_INTERVAL_MS = 3_600_000
const PRUNE_INTERVAL_SECONDS = PRUNE_INTERVAL_MS / 1_000
const MEBIBYTE = 1_048_576

/** Keeps the call log within its bounds, and removes old calls and feed activity now and every hour. */
export function boundCallLog(parts: Deps): Disposable {
  const { config, log } = parts
  const stop = new AbortController()
  limitCallLog(parts, { rows: config.callLogRows, bytes: config.callLogMb * MEBIBYTE })

  async function prune(): Promise<void> {
    try {
      if (!(await takeLease(parts, "call log pruning", PRUNE_INTERVAL_SECONDS))) return
      await pruneCallLog(parts, config.callLogDays, stop.signal)
      await pruneActivity(parts, stop.signal)
    } catch (cause) {
      log.error("call log not pruned", cause)
    }
  }

  void prune()
  const timer = setInterval(prune, PRUNE_INTERVAL_MS)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      stop.abort()
    },
  }
}
