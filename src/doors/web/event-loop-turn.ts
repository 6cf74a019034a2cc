import { onePerTick } from "../http/overload/one-per-tick.ts"

/** Rendering a page takes a few milliseconds: one per tick, so that a burst of visits does not delay reports, calls and probes. */
export const eventLoopTurn = onePerTick()
