import type { ReportContext } from "../../actions/context.ts"
import { logAgentCall } from "../../actions/operations/call-log.ts"
import type { Demand } from "../../domain/demand/demand.ts"
import type { Caller } from "./callers.ts"
import type { RpcRequest } from "./rpc.ts"

interface Outcome {
  readonly outcome: string
  readonly demand: Demand | null
}

const NAME_CHARACTERS_MAX = 100

/** Logs answered requests. Refused requests and notifications are not logged. */
export function callLogger(context: ReportContext) {
  return (caller: Caller, message: RpcRequest, { outcome, demand }: Outcome, started: number): void => {
    const { method, params } = message
    const { name, arguments: args } = method === "tools/call" ? toolOf(params) : {}
    logAgentCall(context, {
      at: context.clock(),
      agentKeyId: caller.agentKeyId,
      address: caller.address,
      method: method.slice(0, NAME_CHARACTERS_MAX),
      tool: typeof name === "string" ? name.slice(0, NAME_CHARACTERS_MAX) : null,
      arguments: args,
      outcome,
      demand,
      durationMicros: Math.round((performance.now() - started) * 1_000),
    })
  }
}

function toolOf(params: unknown): { name?: unknown; arguments?: unknown } {
  return typeof params === "object" && params !== null ? params : {}
}
