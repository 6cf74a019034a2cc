import { type CallLogSize, callBuffer } from "../../../domain/operations/call-log.ts"
import type { AgentCallLog, NewCall } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session, Value } from "../engine/session.ts"
import { CALL_LOG_SQL } from "./call-log-sql.ts"
import { makeRoom } from "./pruning.ts"

/** Collects calls and writes them in batches with whatever is committed next, so that a call costs no commit of its own. */
export function bufferedCalls({ alongside }: Connection["write"], bounds: () => CallLogSize): AgentCallLog["note"] {
  const buffer = callBuffer<NewCall>()
  // Calls go on coming in while a batch is written.
  let underWay = 0
  alongside({
    waiting: () => buffer.waiting().length > 0,
    async write(transaction) {
      const batch = [...buffer.waiting()]
      underWay = batch.length
      await add(transaction, batch, bounds())
    },
    written() {
      buffer.drop(underWay)
      underWay = 0
    },
  })
  return (call) =>
    buffer.add({
      ...call,
      address: storable(call.address),
      method: storable(call.method),
      tool: storable(call.tool),
      arguments: storable(call.arguments),
    })
}

async function add(session: Session, calls: readonly NewCall[], bounds: CallLogSize): Promise<void> {
  await session.rows(CALL_LOG_SQL.lockSize)
  const [size] = await session.rows<CallLogSize>(CALL_LOG_SQL.add, columnsOf(calls))
  if (size !== undefined) await makeRoom(session, size, bounds)
}

function columnsOf(calls: readonly NewCall[]): Value[] {
  return [
    calls.map(({ at }) => at),
    calls.map(({ agentKeyId }) => agentKeyId),
    calls.map(({ address }) => address),
    calls.map(({ method }) => method),
    calls.map(({ tool }) => tool),
    calls.map((call) => call.arguments),
    calls.map(({ outcome }) => outcome),
    calls.map(({ durationMicros }) => durationMicros),
    calls.map(({ demand = null }) => demand),
  ]
}

/**
 * A text as PostgreSQL can hold it. Callers choose these, and one that holds U+0000 or half of a surrogate pair would otherwise keep
 * its whole batch from being written.
 */
export function storable<Text extends string | null>(text: Text): Text {
  return (text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null) as Text
}
