import { version } from "../../../package.json"
import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import { logAgentCall } from "../../actions/operations/call-log.ts"
import { prepareSome } from "../../domain/adcp/brief/words/prepare.ts"
import { AGENT_VALUES_ANONYMOUS_MAX, AGENT_VALUES_KEYED_MAX } from "../../domain/limits.ts"
import { memoize } from "../../domain/memoize.ts"
import { isObject } from "../../domain/schema/batch.ts"
import { originCheck } from "../http/own-host.ts"
import { metaOf, type RequestMeta } from "../http/request-meta.ts"
import type { WrongKeys } from "../http/wrong-keys.ts"
import type { Caller, CallerLimits, Gate, Visitor, WindowKind } from "./callers.ts"
import { callerGates, visitorOf } from "./callers.ts"
import { announcesModern, isModern, modernResult, refuseModern } from "./modern.ts"
import * as refusals from "./refusals.ts"
import type { ToolAnswer } from "./result.ts"
import type { RpcOutcome, RpcQuestion, RpcRequest } from "./rpc.ts"
import { invalidParams, LARGE_CHARACTERS, readMessageBody, rpcError, rpcFault, rpcResult, TOO_LONG } from "./rpc.ts"
import { isToolParams, noSuchTool, toolCaller, toolListings } from "./tools.ts"

export interface AgentSettings extends CallerLimits {
  readonly bodyBytesMax: number
  readonly wrongKeys: WrongKeys
  /** Addresses that Host and Origin may name, besides loopback. */
  readonly allowedOrigins: readonly string[]
  readonly corsOrigins: readonly string[]
}

const CALL = "tools/call"
const ACCEPTS_REMEMBERED_MAX = 100

const INSTRUCTIONS =
  "A sales agent for advertising (AdCP 3.1). Call get_adcp_capabilities first, then get_products with a brief; " +
  "list_creative_formats explains the formats that products take. All tools only read. "

/** Answers requests to the agent. Checks in this order: Host and Origin, headers, key, rate, body. */
export function agentHandler(context: ReportContext, views: AgentViews, settings: AgentSettings) {
  const { bodyBytesMax: bytesMax } = settings
  const isOurs = originCheck(settings.allowedOrigins)
  const acceptsBoth = memoize(ACCEPTS_REMEMBERED_MAX, namesBoth)
  const gates = callerGates(context, settings)
  const respond = responder(context, views)
  setTimeout(prepareWords, WORDS_PAUSE_MS).unref()

  /** Without an id, also where it is known: a wrong key must not be told from one that is refused before the body is read. */
  async function refuseKey(request: Request, { isModern }: RpcQuestion): Promise<Response> {
    const unread = { id: null, isModern }
    const window = await settings.wrongKeys(request)
    return refusals.tooMany(unread, window) ?? refusals.refusedKey(unread)
  }

  /** Checks key and rate. What the request holds, and its answer until it is read, counts for a valid key. */
  async function enter(
    request: Request,
    visitor: Visitor,
    asked: RpcQuestion,
    kind: WindowKind,
  ): Promise<Gate | Response> {
    const gate = await gates(visitor, kind)
    if (gate === null) return refuseKey(request, asked)
    const hasRoom = metaOf(request).countFor(gate.caller.agentKeyId)
    return refusals.tooMany(asked, gate) ?? (hasRoom ? gate : refusals.noRoom(asked, gate.rate()))
  }

  async function handle(request: Request, asked: Mutable<RpcQuestion>): Promise<Response> {
    const started = performance.now()
    if (!isOurs(request)) return refusals.foreignOrigin(asked)
    if (!acceptsBoth(request.headers.get("accept") ?? "")) return refusals.notAcceptable(asked)
    const visitor = visitorOf(request)
    if (visitor === null) return refuseKey(request, asked)
    const meta = metaOf(request)
    // For a long body, or while much is going on, key and rate are checked before it is read.
    const isSlow = meta.length > LARGE_CHARACTERS || (visitor.fingerprint !== null && meta.isBusy)
    const entered = isSlow ? await enter(request, visitor, asked, "long") : undefined
    if (entered instanceof Response) return entered
    const valuesMax = visitor.fingerprint === null ? AGENT_VALUES_ANONYMOUS_MAX : AGENT_VALUES_KEYED_MAX
    const message = await readMessageBody(request, {
      bytesMax,
      valuesMax,
      ...(isSlow && { before: () => meta.turn() }),
    })
    if ("id" in message) {
      asked.id = message.id
      asked.isModern ||= isModern(message)
    }
    const isCall = "method" in message && message.method === CALL
    // Only now, because the method decides which window counts.
    const passed = await enter(request, visitor, asked, isCall ? "calls" : "other")
    if (passed instanceof Response) return passed
    // A database answers many at once, and each of them is worked out in a turn of its own.
    if (isSlow && "id" in message) await meta.turn()
    const unknown = asked.isModern ? undefined : refusals.unknownProtocolVersion(request)
    if (unknown !== undefined) return unknown
    if (!("id" in message)) return refusals.refusedBody(asked, message, passed.rate())
    if (message.id === null) return new Response(null, { status: 202, headers: passed.rate() })
    const unfit = asked.isModern ? refuseModern(message, request) : undefined
    if (unfit !== undefined) return rpcError(asked, unfit.fault, unfit.status, passed.rate())
    return respond(message, asked, meta, passed, started)
  }

  return async (request: Request): Promise<Response> => {
    const asked = { id: null, isModern: announcesModern(request) }
    try {
      return await handle(request, asked)
    } catch (cause) {
      context.log.error("unexpected failure", cause, { request: metaOf(request).id })
      return refusals.serverFailed(asked)
    }
  }
}

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

function responder(context: ReportContext, views: AgentViews) {
  const note = callLogger(context)
  const callTool = toolCaller(views, context.log)
  // Loaded for the first caller of an older version: that takes longer than to load everything else together.
  const engineFor = memoize(1, async (instructions: string) => {
    const { mcpEngine } = await import("./mcp.ts")
    return mcpEngine({ version, instructions, tools: () => toolListings(views) })
  })

  async function answerCall({ params, isLarge, isCut }: RpcRequest, agentKeyId: string | null): Promise<Answered> {
    if (!isToolParams(params)) return invalidParams("params must be an object with a name and arguments")
    const { name, arguments: args = {} } = params
    return (await callTool(name, args, { agentKeyId, isLarge, isCut })) ?? invalidParams(await noSuchTool(name, views))
  }

  async function answer(message: RpcRequest, asked: RpcQuestion, meta: RequestMeta, caller: Caller): Promise<Answered> {
    const { method } = message
    if (method === CALL) return answerCall(message, caller.agentKeyId)
    const instructions = INSTRUCTIONS + (await views.words()).needsKey
    if (asked.isModern) return { result: modernResult(method, instructions, await toolListings(views)) }
    return (await engineFor(instructions)).answer(message, meta)
  }

  return async (message: RpcRequest, asked: RpcQuestion, meta: RequestMeta, gate: Gate, started: number) => {
    const { caller } = gate
    if (message.isLarge && message.method !== CALL) return rpcFault(asked, TOO_LONG, gate.ready(meta.id))
    const answered = await answer(message, asked, meta, caller)
    if ("error" in answered) {
      note(caller, message, { outcome: String(answered.error.code), demand: null }, started)
      return rpcFault(asked, answered.error, gate.ready(meta.id))
    }
    const { outcome = "completed", demand = null } = answered
    note(caller, message, { outcome, demand }, started)
    if (outcome === "AUTH_MISSING") return refusals.missingKey(asked, answered.result, gate.rate())
    return rpcResult(asked, answered.result, gate.ready(meta.id), meta.request)
  }
}

type Outcome = Pick<ToolAnswer, "outcome" | "demand">
type Answered = RpcOutcome & Partial<Outcome>

/** Logs answered requests. Refused requests and notifications are not logged. */
const callLogger =
  (context: ReportContext) =>
  (caller: Caller, message: RpcRequest, { outcome, demand }: Outcome, started: number): void => {
    const { method, params } = message
    const { name, arguments: args } = method === CALL && isObject(params) ? params : {}
    logAgentCall(context, {
      at: context.clock(),
      ...caller,
      method,
      tool: typeof name === "string" ? name : null,
      arguments: args,
      outcome,
      demand,
      durationMicros: Math.round((performance.now() - started) * 1_000),
    })
  }

const WORDS_PAUSE_MS = 10

/**
 * Makes the words that briefs are read by in small steps, so that a brief that comes later does not wait for all of it. The
 * agent is made when somebody calls it: where nobody does, they would only take memory.
 */
function prepareWords(): void {
  if (prepareSome()) setTimeout(prepareWords, WORDS_PAUSE_MS).unref()
}

/** MCP requires clients to accept both types. */
function namesBoth(accept: string): boolean {
  const types = accept.split(",").map((type) => (type.split(";")[0] ?? "").trim().toLowerCase())
  return types.includes("application/json") && types.includes("text/event-stream")
}
