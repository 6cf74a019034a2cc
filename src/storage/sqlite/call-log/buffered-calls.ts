import { type CallLogSize, callBuffer } from "../../../domain/operations/call-log.ts"
import type { AgentCallLog, NewCall } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { multiRowInsert } from "../engine/multi-row-insert.ts"
import { CALL_LOG_SQL, insertCalls } from "./call-log-sql.ts"
import type { Pruning } from "./pruning.ts"

/** Collects calls and writes them with the next commit, so that a call costs no commit of its own. */
export function bufferedCalls(
  { database, write }: Connection,
  { grown }: Pruning,
  bounds: () => CallLogSize,
): AgentCallLog["note"] {
  const keep = multiRowInsert(database, 9, insertCalls)
  const newest = database.query<{ id: number }, []>(CALL_LOG_SQL.newest)
  const buffer = callBuffer<NewCall>()
  write.alongside({
    waiting: () => buffer.waiting().length > 0,
    write() {
      if (buffer.waiting().length === 0) return
      const last = newest.get()?.id ?? 0
      const values = []
      for (const call of buffer.waiting()) {
        const { at, agentKeyId, address, method, tool, outcome, durationMicros, demand = null } = call
        values.push(at, agentKeyId, address, method, tool, call.arguments, outcome, durationMicros, demand)
      }
      keep(values)
      grown(last, bounds())
    },
    written: () => buffer.drop(buffer.waiting().length),
  })
  return buffer.add
}
