import { turns } from "../http/turns.ts"

/**
 * Putting a page together takes some milliseconds. Of many visits that arrive together each one is answered in a turn of the event loop
 * of its own, so that reports, calls and probes come in between.
 */
export const ownTurn = turns()
