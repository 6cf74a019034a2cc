import type { CallLogSize } from "../../../domain/operations/call-log.ts"
import type { AgentCallLog, NewCall } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { multiRowInsert } from "../engine/multi-row-insert.ts"
import { CALL_LOG_SQL, insertCalls } from "./call-log-sql.ts"
import type { Pruning } from "./pruning.ts"

// A batch of this many calls or bytes gets a commit of its own. Fewer wait for the next commit, a few seconds at most.
const BATCH_CALLS = 500
const BATCH_BYTES = 524_288
// Calls must not fill the memory while the disk is full. What does not fit is not logged.
const WAITING_BYTES_MAX = 8 * BATCH_BYTES
// The size of a call without its arguments.
const CALL_BYTES = 200

/** Collects calls and writes them with the next commit, so that a call costs no commit of its own. */
export function bufferedCalls(
  { database, write }: Connection,
  { grown }: Pruning,
  bounds: () => CallLogSize,
): AgentCallLog["note"] {
  const keep = multiRowInsert(database, 8, insertCalls)
  const newest = database.query<{ id: number }, []>(CALL_LOG_SQL.newest)
  let waiting: NewCall[] = []
  let waitingBytes = 0
  write.alongside({
    waiting: () => waiting.length > 0,
    write() {
      if (waiting.length === 0) return
      const last = newest.get()?.id ?? 0
      const values = []
      for (const call of waiting) {
        const { at, agentKeyId, address, method, tool, outcome, durationMicros } = call
        values.push(at, agentKeyId, address, method, tool, call.arguments, outcome, durationMicros)
      }
      keep(values)
      grown(last, bounds())
    },
    written() {
      waiting = []
      waitingBytes = 0
    },
  })
  return (call) => {
    const bytes = CALL_BYTES + (call.arguments === null ? 0 : Buffer.byteLength(call.arguments))
    if (waitingBytes + bytes > WAITING_BYTES_MAX) return false
    waiting.push(call)
    const batches = Math.floor(waitingBytes / BATCH_BYTES)
    waitingBytes += bytes
    return waiting.length % BATCH_CALLS === 0 || Math.floor(waitingBytes / BATCH_BYTES) > batches
  }
}
