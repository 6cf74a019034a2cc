import { logCall } from "../actions/catalogue/calls.ts"
import { agentViews } from "../actions/catalogue/views.ts"
import type { Context } from "../actions/context.ts"
import { admitAddress, admitBuyerKey, findBuyerKey } from "../actions/keys.ts"
import { agentUrl, publicUrl } from "../actions/mail.ts"
import { contactSentences } from "../domain/adcp/adagents.ts"
import { ADCP_VERSION, AdcpError, type AdcpErrorBody, type Demand } from "../domain/adcp/tools/answer.ts"
import type { Admission, RateWindow } from "../domain/rate-limit.ts"
import { isObject } from "../domain/schema/explain.ts"
import { bearerOf, rateHeaders } from "../http/headers.ts"
import { keyMissing, keyRefused } from "../http/problem.ts"
import { countedAs, hasOwnHost, hasOwnOrigin, scopeOf } from "../http/request.ts"
import type { RequestHandler } from "../http/server.ts"
import { announcesModern, checkModern, isModern, MODERN_VERSION, modernAnswer, modernResult } from "./modern.ts"
import {
  type Asked,
  errorResponse,
  INVALID_PARAMS,
  REFUSED,
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
    if (!acceptsBoth(request.headers.get("accept") ?? "")) throw notAcceptable()
    const caller = await callerOf(context, request)
    if (caller === null) throw wrongKey()
    const message = await readMessage(request).catch(refusalOnly)
    if (typeof message === "object" && !(message instanceof RpcRefused)) {
      asked.id = message.id
      asked.isModern ||= isModern(message)
    }
    // Only now, because the method decides which window counts.
    const isCall = typeof message === "object" && "method" in message && message.method === CALL
    const gate = await gateOf(context, caller, isCall)
    if (!gate.admission.isAllowed) throw tooMany(gate, asked.isModern)
    try {
      return await answer(request, caller, gate, message, asked)
    } catch (cause) {
      throw cause instanceof RpcRefused ? withHeaders(cause, gate.headers) : cause
    }
  }

  async function answer(request: Request, caller: Caller, gate: Gate, message: Message, asked: Asked) {
    if (message instanceof RpcRefused) throw message
    if (!asked.isModern) checkOlderVersion(request)
    if (message === "notice") return new Response(null, { status: 202, headers: gate.headers })
    if (asked.isModern) checkModern(message, request)
    return message.method === CALL ? call(caller, gate, message, asked) : other(caller, gate, message, asked)
  }

  /** Answers tools/call. */
  async function call(caller: Caller, gate: Gate, message: RpcRequest, asked: Asked): Promise<Response> {
    const startedAt = performance.now()
    const done = (outcome: string, demand: Demand | null = null) => log(caller, message, startedAt, outcome, demand)
    const wrong = (text: string) => {
      done(String(INVALID_PARAMS))
      return new RpcRefused(200, { code: INVALID_PARAMS, message: text })
    }
    const { name, arguments: args = {} } = isObject(message.params) ? message.params : {}
    if (typeof name !== "string" || !isObject(args)) throw wrong("params must be an object with a name and arguments")
    const tool = await callTool(context, caller.buyerKeyId, name, args)
    if (tool === null) throw wrong(await unknownTool(context, name))
    done(tool.outcome, tool.demand)
    if (tool.outcome === "AUTH_MISSING") throw missingKey(tool.payload["adcp_error"] as AdcpErrorBody, gate.headers)
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
    if (isError) throw new RpcRefused(200, outcome.error)
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
      return errorResponse(asked, refused)
    }
  }

  function failure(cause: unknown): RpcRefused {
    context.log.error("agent failed", cause)
    return unavailable()
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
  if (!hasOwnHost(request, own) || !hasOwnOrigin(request, own)) throw foreignOrigin()
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

/** A valid key, or the address of a caller without one. */
interface Caller {
  readonly buyerKeyId: string | null
  readonly address: string
}

/** Identifies the caller. Null for a wrong key, because such a caller is never treated as one without a key. */
async function callerOf(context: Context, request: Request): Promise<Caller | null> {
  const { address } = scopeOf(request)
  if (!request.headers.has("authorization")) return { buyerKeyId: null, address }
  const buyerKeyId = await findBuyerKey(context, bearerOf(request, undefined) ?? "")
  return buyerKeyId === null ? null : { buyerKeyId, address }
}

interface Gate {
  readonly admission: Admission
  readonly window: RateWindow
  readonly headers: Readonly<Record<string, string>>
}

/** The methods besides tools/call share a window of their own, so that pings never use up a caller's calls. */
const OTHER_METHODS_FACTOR = 10

/** Counts a request of a caller. */
async function gateOf(context: Context, { buyerKeyId, address }: Caller, isCall: boolean): Promise<Gate> {
  const { limitAgentKeyed, limitAgentAnonymous } = context.config
  const limit = buyerKeyId === null ? limitAgentAnonymous : limitAgentKeyed
  const window = isCall ? { name: "calls", limit } : { name: "other", limit: limit * OTHER_METHODS_FACTOR }
  const admission =
    buyerKeyId === null
      ? await admitAddress(context, countedAs(address), window)
      : await admitBuyerKey(context, buyerKeyId, window)
  return { admission, window, headers: rateHeaders(window, admission) }
}

// Refusals with an HTTP error status. Each is a JSON-RPC error as well, so that every client can read it.

/** AdCP's clients look for its own error. */
const withAdcpError = (message: string, error: AdcpErrorBody, code: number = REFUSED) => ({
  code,
  message,
  data: { adcp_version: ADCP_VERSION, adcp_error: error },
})

const foreignOrigin = () =>
  new RpcRefused(403, {
    code: REFUSED,
    message:
      "Forbidden: this Host or Origin isn't allowed. The operator allows names with --public-url or --allow-origin",
  })

const notAcceptable = () =>
  new RpcRefused(406, {
    code: REFUSED,
    message: "Not Acceptable: send the header Accept: application/json, text/event-stream",
  })

/** Revisions of MCP before 2026-07-28 whose clients connect, newest first. */
const OLDER_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]

/** Refuses a version that no revision of MCP has. A missing header is fine. */
function checkOlderVersion({ headers }: Request): void {
  const version = headers.get("mcp-protocol-version")
  if (!version || OLDER_VERSIONS.includes(version)) return
  const supported = [MODERN_VERSION, ...OLDER_VERSIONS].join(", ")
  const message = `Bad Request: no revision of MCP has this MCP-Protocol-Version. Supported: ${supported}`
  throw new RpcRefused(400, { code: REFUSED, message })
}

/** Wrong, revoked and malformed keys get the same answer. */
function wrongKey(): RpcRefused {
  const { body } = new AdcpError("AUTH_INVALID", "The bearer key was not accepted.", {
    suggestion: "Check the key, or leave the Authorization header out to call without one.",
  })
  return new RpcRefused(401, withAdcpError("Invalid credentials", body), keyRefused().headers)
}

/** For a tool that needs a key. Programs that probe for it look at the status. */
const missingKey = (error: AdcpErrorBody, headers: Gate["headers"]): RpcRefused =>
  new RpcRefused(401, withAdcpError("A key is needed", error), { ...headers, ...keyMissing().headers })

/** AdCP reserves this code, but MCP 2026-07-28 forbids it and wants codes outside of JSON-RPC's range. */
const RATE_LIMITED = -32_029
const RATE_LIMITED_MODERN = 429

function tooMany({ admission, window, headers }: Gate, isModern: boolean): RpcRefused {
  const seconds = admission.retryAfterSeconds
  const { body } = new AdcpError("RATE_LIMITED", `Too many requests. Wait ${seconds} s, then send this one again.`, {
    retry_after: seconds,
    details: { limit: window.limit, remaining: 0, window_seconds: 60, scope: "global" },
  })
  const error = withAdcpError("Rate limit exceeded", body, isModern ? RATE_LIMITED_MODERN : RATE_LIMITED)
  return new RpcRefused(429, error, { ...headers, "Retry-After": String(seconds) })
}

const RETRY_SECONDS = 5

/** Our own failure before the call was read. Without the database, we can't check any key. */
function unavailable(): RpcRefused {
  const { body } = new AdcpError("SERVICE_UNAVAILABLE", "Something went wrong on our side.", {
    retry_after: RETRY_SECONDS,
  })
  return new RpcRefused(503, withAdcpError("Service unavailable", body), { "Retry-After": String(RETRY_SECONDS) })
}
