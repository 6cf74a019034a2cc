import { scheduler } from "node:timers/promises"
import { pruneActivity } from "../actions/delivery/note-feed-request.ts"
import { renewDays } from "../actions/delivery/renew-days.ts"
import { callLogDays } from "../actions/operations/agent-settings.ts"
import { flushWriteBuffer, pruneCallLog } from "../actions/operations/call-log.ts"
import { cleanCalls } from "../actions/operations/clean-calls.ts"
import { takeLease } from "../actions/operations/serving.ts"
import { endOrders } from "../actions/sale/answer-order.ts"
import { sweepUploads } from "../actions/upload/sweep.ts"
import type { JobContext } from "./job-context.ts"
import { singleRun } from "./single-run.ts"

// The longest that buffered writes, such as "key last used", wait for another commit to share.
const NOTES_INTERVAL_MS = 5_000
const DAYS_INTERVAL_MS = 10_000
// Outdated days are read from the reports meanwhile: this part of the time is for others.
const DAYS_PAUSE_SHARE = 0.8
const PRUNE_INTERVAL_MS = 3_600_000
const PRUNE_INTERVAL_SECONDS = PRUNE_INTERVAL_MS / 1_000

/**
 * What the server does by itself: it writes what is buffered, cleans and removes old calls, and works out days anew after a change of a
 * time zone.
 */
export function upkeep(parts: JobContext): AsyncDisposable {
  const { log } = parts
  const stop = new AbortController()

  async function prune(): Promise<void> {
    if (!(await takeLease(parts, "upkeep", PRUNE_INTERVAL_SECONDS))) return
    await cleanCalls(parts, stop.signal)
    await pruneCallLog(parts, await callLogDays(parts.store), stop.signal)
    await pruneActivity(parts, stop.signal)
    await sweepUploads(parts, stop.signal)
    await endOrders(parts, "time")
  }

  async function renewAllDays(): Promise<void> {
    for (;;) {
      const began = performance.now()
      if (stop.signal.aborted || !(await renewDays(parts))) return
      const pauseMs = ((performance.now() - began) * DAYS_PAUSE_SHARE) / (1 - DAYS_PAUSE_SHARE)
      await scheduler.wait(pauseMs, { signal: stop.signal }).catch(() => undefined)
    }
  }

  const warn = (event: string) => (cause: unknown) => log.warn(event, { cause: String(cause) })
  const notes = singleRun(() => flushWriteBuffer(parts), warn("write buffer not flushed"))
  const pruning = singleRun(prune, (cause) => log.error("upkeep failed", cause))
  const days = singleRun(renewAllDays, warn("days not renewed"))
  const timers = [
    setInterval(notes.start, NOTES_INTERVAL_MS),
    setInterval(pruning.start, PRUNE_INTERVAL_MS),
    setInterval(days.start, DAYS_INTERVAL_MS),
  ]
  void pruning.start()
  void days.start()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      for (const timer of timers) clearInterval(timer)
      await days.running()
    },
  }
}
