import { onePerTick } from "../http/overload/one-per-tick.ts"

/** Called between the steps of a slow page, so that reports that came in meanwhile do not wait for all of it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Rendering a page takes a few milliseconds: one per tick, so that a burst of visits does not delay reports, calls and probes. */
export const eventLoopTurn = onePerTick()
