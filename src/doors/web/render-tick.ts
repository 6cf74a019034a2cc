import { onePerTick } from "../http/overload/one-per-tick.ts"

/**
 * Rendering a page takes a few milliseconds. When many visits arrive together, each is answered in a turn of the event loop of its
 * own, so that reports, calls and probes are not kept waiting.
 */
export const renderTick = onePerTick()
