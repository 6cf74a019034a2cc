import { isObject } from "../domain/schema/explain.ts"
import { BODY_BYTES_MAX, checkJsonType, readBody, textBody } from "../http/body.ts"
import { excessOf } from "../http/json.ts"
import { Refused, statusOf } from "../http/problem.ts"

// No request of AdCP has this many.
const VALUES_MAX = 20_000
const KEPT_CHARACTERS_MAX = 65_536

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** Like `JSON.parse`, but a number that JavaScript would round keeps its digits. It takes ten times as long. */
const parseWithDigits = (text: string): unknown => JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])

const keepDigits: Reviver = (_, value, { source = "" }) =>
  typeof value !== "number" || String(value) === source ? value : rawJson(source)

/** Stands for a number in `JSON.stringify`. TypeScript doesn't know `JSON.rawJSON` yet. */
const rawJson = (source: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source)

// A number doesn't follow a quote, so the "2.0" of every message isn't one.
const LONG_NUMBER = /\d{16}|[:,[\s-]\d+[.eE]/

/**
 * Whether a number in the text is so long that it could lose digits, or has a fraction or an exponent. Very long texts
 * aren't checked.
 */
const shouldKeepDigits = (text: string): boolean => text.length <= KEPT_CHARACTERS_MAX && LONG_NUMBER.test(text)

// JSON-RPC 2.0 without batches: one message in each body.

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
/** For refusals that JSON-RPC has no code for. */
export const REFUSED = -32_000

export interface RpcRequest {
  /** As it was sent. A number keeps every digit. */
  readonly id: unknown
  readonly method: string
  readonly params: unknown
}

/** A notification, or an answer to a request that we never sent. It gets no response. */
export type RpcNotice = "notice"

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A request that isn't answered, with the HTTP status and headers of the refusal. */
export class RpcRefused extends Error {
  readonly status: number
  readonly error: RpcError
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, error: RpcError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message)
    this.status = status
    this.error = error
    this.headers = headers
  }
}

const invalid = (message: string) => new RpcRefused(400, { code: INVALID_REQUEST, message })

/** Reads the message of a request. Throws an `RpcRefused`. */
export async function readMessage(request: Request): Promise<RpcRequest | RpcNotice> {
  const body = await bodyOf(request)
  const text = readable(() => UTF8.decode(body))
  const excess = excessOf(text, VALUES_MAX)
  if (excess !== null) throw invalid(`Invalid Request: ${excess}`)
  const message: unknown = readable(() => JSON.parse(text))
  return messageIn(message, text)
}

async function bodyOf(request: Request): Promise<Uint8Array> {
  try {
    checkJsonType(request)
    return await readBody(request, BODY_BYTES_MAX)
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    throw new RpcRefused(statusOf(cause.code), { code: INVALID_REQUEST, message: cause.message }, cause.headers)
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true })

function readable<Value>(read: () => Value): Value {
  try {
    return read()
  } catch {
    throw new RpcRefused(400, { code: PARSE_ERROR, message: "Parse error: the body must be JSON in UTF-8" })
  }
}

const ID_CHARACTERS_MAX = 1_000

function messageIn(message: unknown, text: string): RpcRequest | RpcNotice {
  if (Array.isArray(message)) throw invalid("Batches aren't supported. Send one request per POST")
  if (!isObject(message) || message["jsonrpc"] !== "2.0") throw invalid("Invalid Request: not a JSON-RPC 2.0 message")
  const { id, method, params } = message
  if (typeof id === "string" && id.length > ID_CHARACTERS_MAX)
    throw invalid(`Invalid Request: the id has more than ${ID_CHARACTERS_MAX} characters`)
  const hasId = typeof id === "string" || (typeof id === "number" && Number.isFinite(id))
  if (typeof method === "string" && hasId)
    return shouldKeepDigits(text) ? withDigits(text, { id, method, params }) : { id, method, params }
  const isNotification = typeof method === "string" && id === undefined
  const isAnswer = method === undefined && hasId && ("result" in message || "error" in message)
  if (isNotification || isAnswer) return "notice"
  throw invalid("Invalid Request: not a JSON-RPC 2.0 message")
}

/** Takes the ID and the context from a second reading, because they come back as they were sent. */
function withDigits(text: string, { id, method, params }: RpcRequest): RpcRequest {
  const exact = parseWithDigits(text) as { id: unknown; params?: { arguments?: { context?: unknown } } }
  const args = isObject(params) ? params["arguments"] : undefined
  if (!isObject(params) || !isObject(args) || args["context"] === undefined)
    return { id: exact.id ?? id, method, params }
  const context = exact.params?.arguments?.context
  return { id: exact.id, method, params: { ...params, arguments: { ...args, context } } }
}

/** How the answer to a request is addressed and shaped. */
export interface Asked {
  /** Undefined while it isn't known. */
  readonly id?: unknown
  /** Whether the request is of MCP 2026-07-28. */
  readonly isModern: boolean
  /** How much of the rate limit is left, once the request was counted. */
  readonly headers: Headers
}

export type Headers = Readonly<Record<string, string>>

export const resultResponse = ({ id, headers }: Asked, result: object): Response =>
  jsonResponse({ jsonrpc: "2.0", id, result }, 200, headers)

/** An unknown ID is null in JSON-RPC, and left out in MCP 2026-07-28. */
export function errorResponse({ id, isModern, headers }: Asked, refused: RpcRefused): Response {
  const addressed = id === undefined && isModern ? {} : { id: id ?? null }
  const message = { jsonrpc: "2.0", ...addressed, error: refused.error }
  return jsonResponse(message, refused.status, { ...headers, ...refused.headers })
}

const jsonResponse = (body: object, status: number, headers: Headers): Response =>
  new Response(textBody(JSON.stringify(body)), { status, headers: { "Content-Type": "application/json", ...headers } })
