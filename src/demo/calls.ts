import type { ReportContext } from "../actions/context.ts"
import { logAgentCall } from "../actions/operations/call-log.ts"
import type { Moment } from "../domain/time/moment.ts"
import { briefs, calls, type DemoBrief, type DemoCall } from "./data.ts"
import type { Days } from "./days.ts"

const callsOf = ({ days, ...demand }: DemoBrief): DemoCall[] =>
  days.map((day) => ({
    when: [day, 10, 20],
    keyed: true,
    tool: "get_products",
    arguments: { buying_mode: "brief", brief: demand.brief },
    durationMicros: 1_100,
    demand: { ...demand, isNextPage: false },
  }))

/** Calls of the last weeks, as the door would have logged them. Returns when the key was used last. */
export function logCalls(context: ReportContext, agentKeyId: string, days: Days): Moment {
  // The log is in the order in which calls came in.
  const inOrder = [...briefs.flatMap(callsOf), ...calls]
    .map(({ when, ...call }) => ({ ...call, at: days.moment(...when) }))
    .sort((a, b) => a.at - b.at)
  for (const { keyed, outcome = "completed", demand = null, ...call } of inOrder) {
    const caller = keyed ? { agentKeyId, address: null } : { agentKeyId: null, address: "203.0.113.7" }
    logAgentCall(context, { ...call, ...caller, method: "tools/call", outcome, demand })
  }
  return inOrder.findLast(({ keyed }) => keyed)?.at ?? context.clock()
}
