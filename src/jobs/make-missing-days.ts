import { makeDays } from "../actions/delivery/make-days.ts"
import type { Deps } from "../server/deps.ts"

const INTERVAL_MS = 10_000

/** Makes the closing totals of days that are missing after an upgrade, a withdrawal or a change of a time zone. */
export function makeMissingDays(parts: Deps): AsyncDisposable {
  const stop = new AbortController()
  let running: Promise<void> | undefined

  function wake(): void {
    running ??= makeDays(parts, stop.signal)
      .catch((cause) => parts.log.warn("days not made", { cause: String(cause) }))
      .finally(() => {
        running = undefined
      })
  }

  wake()
  const timer = setInterval(wake, INTERVAL_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stop.abort()
      await running
    },
  }
}
