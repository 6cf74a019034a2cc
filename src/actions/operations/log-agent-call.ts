import { loggedArguments } from "../../domain/adcp/logged-arguments.ts"
import { type Demand, demandText } from "../../domain/demand/demand.ts"
import { maskKeys } from "../../domain/keys/api-key.ts"
import { keepsArguments } from "../../domain/operations/call-log.ts"
import type { NewCall } from "../../storage/port/store.ts"
import { type ReportContext, writesOf } from "../context.ts"

export interface AnsweredCall extends Omit<NewCall, "arguments" | "demand"> {
  /** As sent; context and secrets are not logged. */
  readonly arguments: unknown
  /** What was asked for and shown; null where the call failed, or was of another tool. */
  readonly demand: Demand | null
}

/** Logs who called what with which arguments, and the outcome. Never the key or the caller's context. */
export function logAgentCall(context: Pick<ReportContext, "store" | "log">, { demand, ...call }: AnsweredCall): void {
  const { method, tool } = call
  const args = keepsArguments(call.outcome, call.agentKeyId !== null) ? loggedArguments(call.arguments) : null
  const masked = { method: maskKeys(method), tool: tool && maskKeys(tool), arguments: args }
  const writes = writesOf(context)
  if (!writes.agentCallLog.note({ ...call, ...masked, demand: demand && demandText(demand) })) return
  writes.flushWriteBuffer().catch((cause) => context.log.error("calls not logged", cause))
}
