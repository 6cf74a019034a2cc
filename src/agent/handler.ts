import { logCall } from "../actions/catalogue/calls.ts"
import { agentViews } from "../actions/catalogue/views.ts"
import type { Context } from "../actions/context.ts"
import { agentUrl, publicUrl } from "../actions/mail.ts"
import { contactSentences } from "../domain/adcp/adagents.ts"
import type { AdcpErrorBody, Demand } from "../domain/adcp/tools/answer.ts"
import { isObject } from "../domain/schema/explain.ts"
import { hasOwnHost, hasOwnOrigin } from "../http/request.ts"
import type { RequestHandler } from "../http/server.ts"
import * as refusals from "./callers.ts"
import { type Caller, callerOf, type Gate, gateOf } from "./callers.ts"
import { announcesModern, checkModern, isModern, modernAnswer, modernResult } from "./modern.ts"
import {
  type Asked,
  errorResponse,
  INVALID_PARAMS,
  type RpcNotice,
  RpcRefused,
  type RpcRequest,
  readMessage,
  resultResponse,
} from "./rpc.ts"
import { openSdkServer, type RpcOutcome } from "./sdk-server.ts"
import { callTool, toolListings, toolResult, unknownTool } from "./tools.ts"

const CALL = "tools/call"

const INSTRUCTIONS =
  "A sales agent for advertising (AdCP 3.1). Call get_adcp_capabilities first, then get_products with a brief; " +
  "list_creative_formats explains the formats that products take. All tools only read."

/** Answers requests in the published order of checks: Host and Origin, headers, key, body, rate, revision of MCP. */
export function agentHandler(context: Context): RequestHandler {
  const answerOlder = olderAnswers(context)

  async function handle(request: Request, asked: { id?: unknown; isModern: boolean }): Promise<Response> {
    checkOrigin(context, request)
    if (!acceptsBoth(request.headers.get("accept") ?? "")) throw refusals.notAcceptable()
    const caller = await callerOf(context, request)
    if (caller === null) throw refusals.wrongKey()
    const message = await readMessage(request).catch(refusalOnly)
    if (typeof message === "object" && !(message instanceof RpcRefused)) {
      asked.id = message.id
      asked.isModern ||= isModern(message)
    }
    // Only now, because the method decides which window counts.
    const isCall = typeof message === "object" && "method" in message && message.method === CALL
    const gate = await gateOf(context, caller, isCall)
    if (!gate.admission.isAllowed) throw refusals.tooMany(gate, asked.isModern)
    try {
      return await answer(request, caller, gate, message, asked)
    } catch (cause) {
      throw cause instanceof RpcRefused ? withHeaders(cause, gate.headers) : cause
    }
  }

  async function answer(request: Request, caller: Caller, gate: Gate, message: Message, asked: Asked) {
    if (message instanceof RpcRefused) throw message
    if (!asked.isModern) refusals.checkOlderVersion(request)
    if (message === "notice") return new Response(null, { status: 202, headers: gate.headers })
    if (asked.isModern) checkModern(message, request)
    return message.method === CALL ? call(caller, gate, message, asked) : other(caller, gate, message, asked)
  }

  /** Answers tools/call. */
  async function call(caller: Caller, gate: Gate, message: RpcRequest, asked: Asked): Promise<Response> {
    const startedAt = performance.now()
    const done = (outcome: string, demand: Demand | null = null) => log(caller, message, startedAt, outcome, demand)
    const { name, arguments: args = {} } = isObject(message.params) ? message.params : {}
    if (typeof name !== "string" || !isObject(args)) {
      done(String(INVALID_PARAMS))
      const error = { code: INVALID_PARAMS, message: "params must be an object with a name and arguments" }
      return errorResponse(asked, error, 200, gate.headers)
    }
    const tool = await callTool(context, caller.buyerKeyId, name, args)
    if (tool === null) {
      done(String(INVALID_PARAMS))
      const error = { code: INVALID_PARAMS, message: await unknownTool(context, name) }
      return errorResponse(asked, error, 200, gate.headers)
    }
    done(tool.outcome, tool.demand)
    if (tool.outcome === "AUTH_MISSING")
      throw refusals.missingKey(tool.payload["adcp_error"] as AdcpErrorBody, gate.headers)
    return resultResponse(asked, shaped(toolResult(tool), asked), gate.headers)
  }

  /** Answers every other method. */
  async function other(caller: Caller, gate: Gate, message: RpcRequest, asked: Asked): Promise<Response> {
    const startedAt = performance.now()
    const outcome: RpcOutcome = asked.isModern
      ? { result: modernAnswer(message.method, await instructions(context), await toolListings(context)) }
      : await answerOlder(message)
    const isError = "error" in outcome
    log(caller, message, startedAt, isError ? String(outcome.error.code) : "completed", null)
    if (isError) return errorResponse(asked, outcome.error, 200, gate.headers)
    return resultResponse(asked, shaped(outcome.result, asked), gate.headers)
  }

  function log(caller: Caller, message: RpcRequest, startedAt: number, outcome: string, demand: Demand | null): void {
    const durationMicros = Math.round((performance.now() - startedAt) * 1_000)
    logCall(context, { ...caller, method: message.method, params: message.params, outcome, durationMicros, demand })
  }

  return async (request) => {
    const asked = { isModern: announcesModern(request) }
    try {
      return await handle(request, asked)
    } catch (cause) {
      const refused = cause instanceof RpcRefused ? cause : failure(cause)
      return errorResponse(asked, refused.error, refused.status, refused.headers)
    }
  }

  function failure(cause: unknown): RpcRefused {
    context.log.error("agent failed", cause)
    return refusals.unavailable()
  }
}

type Message = RpcRequest | RpcNotice | RpcRefused

/** A body that is refused still counts as a request of its caller. */
function refusalOnly(cause: unknown): RpcRefused {
  if (cause instanceof RpcRefused) return cause
  throw cause
}

const withHeaders = ({ status, error, headers }: RpcRefused, more: Gate["headers"]): RpcRefused =>
  new RpcRefused(status, error, { ...more, ...headers })

/** Against DNS rebinding: a web page must not reach, through its visitor's browser, an agent that only the visitor can reach. */
function checkOrigin(context: Context, request: Request): void {
  const own = [publicUrl(context), agentUrl(context), ...context.config.allowOrigin]
  if (!hasOwnHost(request, own) || !hasOwnOrigin(request, own)) throw refusals.foreignOrigin()
}

/** MCP wants clients to accept both types. */
const acceptsBoth = (accept: string): boolean =>
  /(^|,)\s*application\/json\s*(;|,|$)/i.test(accept) && /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept)

const shaped = (result: object, { isModern }: Asked): object => (isModern ? modernResult(result) : result)

/** A caller without a key learns whom to ask for one. */
async function instructions(context: Context): Promise<string> {
  const sentences = await agentViews(context)
    .catalogue()
    .then(
      (catalogue) => catalogue.sentences,
      () => contactSentences(null, agentUrl(context), false),
    )
  return `${INSTRUCTIONS} ${sentences.needsKey}`
}

/** The SDK's server is opened for the first caller of an older revision, and again if the contact changes. */
function olderAnswers(context: Context): (message: RpcRequest) => Promise<RpcOutcome> {
  let opened = { instructions: "", server: null as ReturnType<typeof openSdkServer> | null }
  return async (message) => {
    const current = await instructions(context)
    if (opened.server === null || opened.instructions !== current) {
      const tools = () => toolListings(context)
      opened = { instructions: current, server: openSdkServer({ instructions: current, tools }) }
    }
    return (await opened.server)?.(message) ?? { error: { code: INVALID_PARAMS, message: "Not available" } }
  }
}
