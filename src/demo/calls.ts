import type { ReportContext } from "../actions/context.ts"
import { logAgentCall } from "../actions/operations/log-agent-call.ts"
import type { Days } from "./days.ts"

interface DemoCall {
  /** Days from today, hour and minute. */
  readonly when: readonly [number, number, number]
  readonly keyed: boolean
  readonly tool: string
  readonly arguments: object
  readonly outcome: string
  readonly micros: number
}

const call = (
  when: DemoCall["when"],
  keyed: boolean,
  tool: string,
  args: object,
  micros: number,
  outcome = "completed",
): DemoCall => ({ when, keyed, tool, arguments: args, micros, outcome })

const travellers = { buying_mode: "brief", brief: "podcast listeners who plan trips in autumn" }

const calls: readonly DemoCall[] = [
  call([-6, 8, 2], false, "get_adcp_capabilities", {}, 310),
  call([-6, 8, 2], true, "get_products", travellers, 1_240),
  call([-5, 14, 31], true, "get_products", { buying_mode: "wholesale", filters: { countries: ["AT"] } }, 880),
  call([-4, 9, 15], false, "list_creative_formats", { type: "audio" }, 690),
  call([-2, 16, 44], false, "get_products", { adcp_major_version: 2 }, 150, "VERSION_UNSUPPORTED"),
  call([-1, 7, 58], true, "get_products", { buying_mode: "brief", brief: "a wide banner on a news site" }, 1_010),
]

/** Calls of the last days, as the door would have logged them. */
export function logCalls(context: ReportContext, agentKeyId: string, days: Days): void {
  for (const { when, keyed, tool, arguments: args, outcome, micros } of calls) {
    logAgentCall(context, {
      at: days.moment(...when),
      agentKeyId: keyed ? agentKeyId : null,
      address: keyed ? null : "203.0.113.7",
      method: "tools/call",
      tool,
      arguments: args,
      outcome,
      demand: null,
      durationMicros: micros,
    })
  }
}
