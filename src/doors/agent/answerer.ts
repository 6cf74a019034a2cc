import { version } from "../../../package.json"
import type { AgentViews } from "../../actions/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import type { Cidr } from "../../domain/client-address.ts"
import { closeUnlessShort } from "../http/read-body.ts"
import { callNoter } from "./call-noter.ts"
import { type Caller, callerGates, callerOf } from "./callers.ts"
import type { McpEngine } from "./mcp.ts"
import { originCheck } from "./origin.ts"
import { idOf, readOne } from "./read-one.ts"
import { foreignOrigin, notAcceptable, refusedBody, refusedKey, tooMany } from "./refusals.ts"
import { type RpcRequest, rpcError, rpcResponse } from "./rpc.ts"
import { toolCaller, toolListings } from "./tools.ts"

export interface AgentSettings {
  readonly anonymousPerMinute: number
  readonly keyedPerMinute: number
  readonly bodyBytesMax: number
  readonly trustProxy: readonly Cidr[]
  /** Addresses whose names a request may call us by, beside loopback. */
  readonly allowedOrigins: readonly string[]
}

const INSTRUCTIONS =
  "A sales agent for advertising (AdCP 3.1). Call get_adcp_capabilities first, then get_products with a brief; " +
  "list_creative_formats explains the formats that products take. All tools only read."

type Headers = Readonly<Record<string, string>>

/** Answers the requests to the one address. Checks come from the outside in: names, headers, key, body, rate. */
export function answerer(context: ReportContext, views: AgentViews, settings: AgentSettings) {
  const { clock, log } = context
  const { bodyBytesMax: bytesMax, trustProxy } = settings
  const isOurs = originCheck(settings.allowedOrigins)
  const gate = callerGates({ ...settings, random: context.random })
  const note = callNoter(context)
  const callTool = toolCaller(views, log)
  const engine = engineOnDemand()

  async function respond(caller: Caller, message: RpcRequest, headers: Headers, started: number): Promise<Response> {
    const { id, method, params } = message
    let outcome = "completed"
    const answered = await (await engine()).answer({ method, params }, async (name, args) => {
      const answer = await callTool(name, caller.agentKeyId, args)
      outcome = answer?.outcome ?? outcome
      return answer?.json
    })
    if ("result" in answered) {
      note(caller, message, outcome, started)
      return rpcResponse(id, `"result":${answered.result}`, 200, headers)
    }
    note(caller, message, String(answered.error.code), started)
    return rpcError(id, answered.error, 200, headers)
  }

  return async (request: Request): Promise<Response> => {
    const started = performance.now()
    if (!isOurs(request)) return foreignOrigin()
    if (!acceptsBoth(request.headers.get("accept"))) return notAcceptable()
    const caller = await callerOf(request, context, trustProxy)
    const message = await readOne(request, bytesMax)
    if (caller.isRefused) {
      note(caller, message, "AUTH_INVALID", started)
      return refusedKey(idOf(message), closeUnlessShort(request, bytesMax))
    }
    const isCall = "method" in message && message.method === "tools/call"
    const { admission, limit, headers } = gate(caller, isCall, clock())
    if (!admission.allowed) {
      note(caller, message, "RATE_LIMITED", started)
      return tooMany(idOf(message), limit, admission.retryAfterSeconds, headers)
    }
    if (!("id" in message)) return refusedBody(message, headers)
    if (message.id === null) return new Response(null, { status: 202, headers })
    return respond(caller, message, headers, started)
  }
}

/** The protocol engine takes longer to load than all the rest together, so it is loaded for its first caller, not at the start. */
function engineOnDemand(): () => Promise<McpEngine> {
  let engine: Promise<McpEngine> | undefined
  return () => {
    engine ??= import("./mcp.ts").then(({ mcpEngine }) =>
      mcpEngine({ version, instructions: INSTRUCTIONS, tools: toolListings }),
    )
    return engine
  }
}

/** Both types by name: a client that can read only one of them is not an MCP client. */
function acceptsBoth(accept: string | null): boolean {
  const types = (accept ?? "").split(",").map((type) => (type.split(";")[0] ?? "").trim().toLowerCase())
  return types.includes("application/json") && types.includes("text/event-stream")
}
