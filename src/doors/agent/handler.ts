import { version } from "../../../package.json"
import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import type { Cidr } from "../../domain/client-address.ts"
import { AGENT_VALUES_ANONYMOUS_MAX, AGENT_VALUES_KEYED_MAX } from "../../domain/limits.ts"
import { memoize } from "../../domain/memoize.ts"
import { StoreUnavailable } from "../../storage/port/unavailable.ts"
import { closeUnlessShort } from "../http/read-body.ts"
import { metaOf, type RequestMeta } from "../http/request-meta.ts"
import { turns } from "../http/turns.ts"
import type { WrongKeys } from "../http/wrong-keys.ts"
import { callerGates, type Gate, type Visitor, visitorOf } from "./callers.ts"
import { callLogger } from "./log-call.ts"
import type { McpEngine, ToolCall } from "./mcp.ts"
import { originCheck } from "./origin.ts"
import { idOf, readMessageBody } from "./read-message.ts"
import { foreignOrigin, notAcceptable, refusedBody, refusedKey, tooMany, unavailable } from "./refusals.ts"
import { LARGE_CHARACTERS, type RpcRequest, rpcFault, rpcResult, TOO_LONG } from "./rpc.ts"
import { toolCaller, toolListings } from "./tools.ts"

export interface AgentSettings {
  readonly anonymousPerMinute: number
  readonly keyedPerMinute: number
  readonly bodyBytesMax: number
  readonly trustProxy: readonly Cidr[]
  readonly wrongKeys: WrongKeys
  /** What every response carries. */
  readonly headers: Readonly<Record<string, string>>
  /** Addresses whose names a request may call us by, beside loopback. */
  readonly allowedOrigins: readonly string[]
}

const CALL = "tools/call"
const ACCEPTS_REMEMBERED_MAX = 100

const INSTRUCTIONS =
  "A sales agent for advertising (AdCP 3.1). Call get_adcp_capabilities first, then get_products with a brief; " +
  "list_creative_formats explains the formats that products take. All tools only read."

/** Answers the requests to the one address. Refusals come from the outside in: names, headers, key, rate, body. */
export function agentHandler(context: ReportContext, views: AgentViews, settings: AgentSettings) {
  const { bodyBytesMax: bytesMax, trustProxy } = settings
  const isOurs = originCheck(settings.allowedOrigins)
  const acceptsBoth = memoize(ACCEPTS_REMEMBERED_MAX, namesBoth)
  const gates = callerGates(context, settings)
  const respond = responder(context, views)
  const eventLoopTurn = turns()

  /** Whatever the body says. */
  async function refuseKey(request: Request): Promise<Response> {
    const window = await settings.wrongKeys(request)
    const closing = closeUnlessShort(request, bytesMax)
    return tooMany(null, window, closing) ?? refusedKey(closing)
  }

  /** A body that takes long to read is not even looked at before the key and a window of such bodies. */
  async function refuseLong(request: Request, visitor: Visitor): Promise<Response | undefined> {
    const gate = await gates(visitor, "long")
    return gate === null ? refuseKey(request) : tooMany(null, gate, closeUnlessShort(request, bytesMax))
  }

  return async (request: Request): Promise<Response> => {
    const started = performance.now()
    let id: string | null = null
    if (!isOurs(request)) return foreignOrigin()
    if (!acceptsBoth(request.headers.get("accept") ?? "")) return notAcceptable()
    try {
      const visitor = visitorOf(request, trustProxy)
      if (visitor === null) return await refuseKey(request)
      const isSlow = isLong(request)
      const tooLong = isSlow ? await refuseLong(request, visitor) : undefined
      if (tooLong !== undefined) return tooLong
      const valuesMax = visitor.fingerprint === null ? AGENT_VALUES_ANONYMOUS_MAX : AGENT_VALUES_KEYED_MAX
      const message = await readMessageBody(request, { bytesMax, valuesMax, ...(isSlow && { before: eventLoopTurn }) })
      id = idOf(message)
      const isCall = "method" in message && message.method === CALL
      // Key and window in one step: what sort of request it is had to be known first.
      const passed = await gates(visitor, isCall ? "calls" : "other")
      if (passed === null) return await refuseKey(request)
      const refused = tooMany(id, passed)
      if (refused !== undefined) return refused
      if (!("id" in message)) return refusedBody(message, passed.rate())
      if (message.id === null) return new Response(null, { status: 202, headers: passed.rate() })
      return respond(message, metaOf(request), passed, started)
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause
      context.log.error("caller not admitted", cause, { request: metaOf(request).id })
      return unavailable(id, closeUnlessShort(request, bytesMax))
    }
  }
}

/** Answers a message of a caller who may send it, and notes the call. */
function responder(context: ReportContext, views: AgentViews) {
  const note = callLogger(context)
  const callTool = toolCaller(views, context.log)
  const engine = engineOnDemand()
  return async (message: RpcRequest, meta: RequestMeta, gate: Gate, started: number): Promise<Response> => {
    const { caller } = gate
    const { id, method, params, isLarge, isCut } = message
    if (isLarge && method !== CALL) return rpcFault(id, TOO_LONG, gate.ready(meta.id))
    let outcome = "completed"
    const { answer } = await engine()
    const call: ToolCall = async (name, args) => {
      const given = await callTool(name, args, { agentKeyId: caller.agentKeyId, isLarge, isCut })
      outcome = given?.outcome ?? outcome
      return given?.result
    }
    const answered = await answer({ method, params }, call, meta)
    if ("result" in answered) {
      note(caller, message, outcome, started)
      return rpcResult(id, answered.result, gate.ready(meta.id))
    }
    note(caller, message, String(answered.error.code), started)
    return rpcFault(id, answered.error, gate.ready(meta.id))
  }
}

/** The protocol engine takes longer to load than all the rest together, so it is loaded for its first caller, not at the start. */
function engineOnDemand(): () => Promise<McpEngine> {
  let engine: Promise<McpEngine> | undefined
  async function load(): Promise<McpEngine> {
    const { mcpEngine } = await import("./mcp.ts")
    return mcpEngine({ version, instructions: INSTRUCTIONS, tools: toolListings })
  }
  return () => {
    engine ??= load()
    return engine
  }
}

/** Whether reading a body takes so long that it pays to ask first how many the caller has sent. */
function isLong({ headers }: Request): boolean {
  const announced = headers.get("content-length")
  return announced === null || Number(announced) > LARGE_CHARACTERS
}

/** Both types by name: a client that can read only one of them is not an MCP client. */
function namesBoth(accept: string): boolean {
  const types = accept.split(",").map((type) => (type.split(";")[0] ?? "").trim().toLowerCase())
  return types.includes("application/json") && types.includes("text/event-stream")
}
