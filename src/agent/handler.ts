import { logCall } from "../actions/catalogue/calls.ts"
import { agentViews } from "../actions/catalogue/views.ts"
import type { Context } from "../actions/context.ts"
import { admitAddress, admitBuyerKey, findBuyerKey } from "../actions/keys.ts"
import { agentUrl, publicUrl } from "../actions/mail.ts"
import { contactSentences } from "../domain/adcp/adagents.ts"
import { ADCP_VERSION, AdcpError, type AdcpErrorBody, type Demand } from "../domain/adcp/tools/answer.ts"
import type { RateWindow } from "../domain/rate-limit.ts"
import { isObject } from "../domain/schema/explain.ts"
import { bearerOf, rateHeaders } from "../http/headers.ts"
import { keyMissing, keyRefused } from "../http/problem.ts"
import { countedAs, hasOwnHost, hasOwnOrigin, scopeOf } from "../http/request.ts"
import type { RequestHandler } from "../http/server.ts"
import { announcesModern, checkModern, isModern, MODERN_VERSION, modernAnswer, modernResult } from "./modern.ts"
import {
  type Asked,
  errorResponse,
  type Headers,
  INVALID_PARAMS,
  REFUSED,
  type RpcError,
  RpcRefused,
  type RpcRequest,
  readMessage,
  resultResponse,
} from "./rpc.ts"
import { openSdkServer } from "./sdk-server.ts"
import { callTool, toolListings, toolResult, unknownTool } from "./tools.ts"

const CALL = "tools/call"

const INSTRUCTIONS =
  "A sales agent for advertising (AdCP 3.1). Call get_adcp_capabilities first, then get_products with a brief; " +
  "list_creative_formats explains the formats that products take. All tools only read."

/** What the answer to a request needs. It's filled in while the request is read. */
interface Exchange extends Asked {
  id?: unknown
  isModern: boolean
  headers: Headers
}

/** What is logged and sent. */
type Answered = { readonly outcome: string; readonly demand?: Demand | null } & (
  | { readonly result: object }
  | { readonly refused: RpcRefused }
)

/** Answers requests in the published order of checks: Host and Origin, headers, key, body, rate, revision of MCP. */
export function agentHandler(context: Context): RequestHandler {
  const olderAnswer = openSdkServer(() => toolListings(context))

  async function handle(request: Request, asked: Exchange): Promise<Response> {
    checkOrigin(context, request)
    checkAccept(request)
    const caller = await callerOf(context, request)
    const message = await readMessage(request).catch(refusalOnly)
    const isRequest = typeof message === "object" && "method" in message
    if (isRequest) {
      asked.id = message.id
      asked.isModern ||= isModern(message)
    }
    // Only now, because the method decides which window counts.
    asked.headers = await admit(context, caller, isRequest && message.method === CALL, asked.isModern)
    if (message instanceof RpcRefused) throw message
    if (!asked.isModern) checkOlderVersion(request)
    if (message === "notice") return new Response(null, { status: 202, headers: asked.headers })
    if (asked.isModern) checkModern(message, request)
    return answer(caller, message, asked)
  }

  async function answer(caller: Caller, message: RpcRequest, asked: Exchange): Promise<Response> {
    const startedAt = performance.now()
    const { method, params } = message
    const answered = method === CALL ? await call(caller, params) : await other(message, asked)
    const { outcome, demand = null } = answered
    const durationMicros = Math.round((performance.now() - startedAt) * 1_000)
    logCall(context, { ...caller, method, params, outcome, durationMicros, demand })
    if ("refused" in answered) throw answered.refused
    return resultResponse(asked, asked.isModern ? modernResult(answered.result) : answered.result)
  }

  /** Answers tools/call. */
  async function call({ buyerKeyId }: Caller, params: unknown): Promise<Answered> {
    const { name, arguments: args = {} } = isObject(params) ? params : {}
    if (typeof name !== "string" || !isObject(args))
      return refusedAs({ code: INVALID_PARAMS, message: "params must be an object with a name and arguments" })
    const tool = await callTool(context, buyerKeyId, name, args)
    if (tool === null) return refusedAs({ code: INVALID_PARAMS, message: await unknownTool(context, name) })
    const { outcome, demand } = tool
    if (outcome === "AUTH_MISSING") return { outcome, refused: missingKey(tool.payload["adcp_error"] as AdcpErrorBody) }
    return { outcome, demand, result: toolResult(tool) }
  }

  /** Answers every other method. */
  async function other(message: RpcRequest, asked: Exchange): Promise<Answered> {
    if (asked.isModern) {
      const result = modernAnswer(message.method, await instructions(context), await toolListings(context))
      return { outcome: "completed", result }
    }
    const answered = await (await olderAnswer)(message)
    if ("error" in answered) return refusedAs(answered.error)
    const more = message.method === "initialize" ? { instructions: await instructions(context) } : {}
    return { outcome: "completed", result: { ...answered.result, ...more } }
  }

  return async (request) => {
    const asked: Exchange = { isModern: announcesModern(request), headers: {} }
    try {
      return await handle(request, asked)
    } catch (cause) {
      if (cause instanceof RpcRefused) return errorResponse(asked, cause)
      context.log.error("agent failed", cause)
      return errorResponse(asked, unavailable())
    }
  }
}

/** A body that is refused still counts as a request of its caller. */
function refusalOnly(cause: unknown): RpcRefused {
  if (cause instanceof RpcRefused) return cause
  throw cause
}

const refusedAs = (error: RpcError): Answered => ({
  outcome: String(error.code),
  refused: new RpcRefused(200, error),
})

/** Against DNS rebinding: a web page must not reach, through its visitor's browser, an agent that only the visitor can reach. */
function checkOrigin(context: Context, request: Request): void {
  const own = [publicUrl(context), agentUrl(context), ...context.config.allowOrigin]
  if (hasOwnHost(request, own) && hasOwnOrigin(request, own)) return
  const cure = "The operator can allow it with --public-url or --allow-origin"
  throw new RpcRefused(403, { code: REFUSED, message: `Forbidden: this Host or Origin isn't allowed. ${cure}` })
}

/** MCP wants clients to accept both types. */
function checkAccept({ headers }: Request): void {
  const accept = headers.get("accept") ?? ""
  if (/(^|,)\s*application\/json\s*(;|,|$)/i.test(accept) && /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept))
    return
  const message = "Not Acceptable: send the header Accept: application/json, text/event-stream"
  throw new RpcRefused(406, { code: REFUSED, message })
}

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

/** A valid key, or the address of a caller without one. */
interface Caller {
  readonly buyerKeyId: string | null
  readonly address: string
}

/** Identifies the caller. A caller with a wrong key is never treated as one without a key. */
async function callerOf(context: Context, request: Request): Promise<Caller> {
  const { address } = scopeOf(request)
  if (!request.headers.has("authorization")) return { buyerKeyId: null, address }
  const buyerKeyId = await findBuyerKey(context, bearerOf(request, undefined) ?? "")
  if (buyerKeyId === null) throw wrongKey()
  return { buyerKeyId, address }
}

/** The methods besides tools/call share a window of their own, so that pings never use up a caller's calls. */
const OTHER_METHODS_FACTOR = 10

/** Counts a request of a caller. Returns the headers that say how many are left. */
async function admit(
  context: Context,
  { buyerKeyId, address }: Caller,
  isCall: boolean,
  isModern: boolean,
): Promise<Headers> {
  const { limitAgentKeyed, limitAgentAnonymous } = context.config
  const limit = buyerKeyId === null ? limitAgentAnonymous : limitAgentKeyed
  const window = isCall ? { name: "calls", limit } : { name: "other", limit: limit * OTHER_METHODS_FACTOR }
  const admission =
    buyerKeyId === null
      ? await admitAddress(context, countedAs(address), window)
      : await admitBuyerKey(context, buyerKeyId, window)
  const headers = rateHeaders(window, admission)
  if (admission.isAllowed) return headers
  throw tooMany(window, admission.retryAfterSeconds, isModern, headers)
}

// Refusals with an HTTP error status. Each is a JSON-RPC error as well, so that every client can read it.

/** AdCP's clients look for its own error. */
const withAdcpError = (message: string, error: AdcpErrorBody, code: number = REFUSED) => ({
  code,
  message,
  data: { adcp_version: ADCP_VERSION, adcp_error: error },
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
const missingKey = (error: AdcpErrorBody): RpcRefused =>
  new RpcRefused(401, withAdcpError("A key is needed", error), keyMissing().headers)

/** AdCP reserves this code, but MCP 2026-07-28 forbids it and wants codes outside of JSON-RPC's range. */
const RATE_LIMITED = -32_029
const RATE_LIMITED_MODERN = 429

function tooMany({ limit }: RateWindow, seconds: number, isModern: boolean, headers: Headers): RpcRefused {
  const { body } = new AdcpError("RATE_LIMITED", `Too many requests. Wait ${seconds} s, then send this one again.`, {
    retry_after: seconds,
    details: { limit, remaining: 0, window_seconds: 60, scope: "global" },
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
