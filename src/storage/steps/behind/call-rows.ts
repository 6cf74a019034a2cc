import type { NewCall } from "../../port/store.ts"
import type { Behind } from "./write-behind.ts"

const FLUSHED_AT = 262_144
// The size of a call without its texts.
const CALL_BYTES = 300

/** Calls for the log, by their bytes: many small ones or a few large ones are flushed at a time. */
export const CALLS: Behind<NewCall> = {
  sizeOf: (call) =>
    CALL_BYTES + (call.arguments === null ? 0 : Buffer.byteLength(call.arguments)) + (call.demand?.length ?? 0),
  room: 16 * FLUSHED_AT,
  flushedAt: FLUSHED_AT,
}

/** What came of a call, in SQL. The demand is JSON that we wrote: inside a text of it each quote would be escaped. */
export const CALL_RESULT = `CASE WHEN outcome <> 'completed' THEN 'refused' WHEN demand LIKE '%"matched":0,%' THEN 'nothing'
  WHEN demand IS NOT NULL THEN 'found' END`
