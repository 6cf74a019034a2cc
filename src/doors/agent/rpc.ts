import { keepJson } from "../../domain/adcp/json.ts"
import type { Failure } from "../../domain/failure.ts"
import { readyBodyOf } from "../http/large-body.ts"
import { readBody, wrongContentType } from "../http/read-body.ts"
import { cachedBytes, MODERN_RESULT, resultJson } from "./result.ts"
import { type JsonSkim, mayLoseDigits, skimJson } from "./skim-json.ts"

// JSON-RPC 2.0 without batches: one message per body.

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
/** For refusals that JSON-RPC has no code for. */
export const REFUSED = -32000
/** Reserved by AdCP; MCP 2026-07-28 forbids it, and wants codes of one's own outside of JSON-RPC's range. */
export const RATE_LIMITED = -32029
export const RATE_LIMITED_MODERN = 429

export interface RpcRequest {
  /** The id as JSON text, sent back unchanged. */
  readonly id: string
  readonly method: string
  readonly params: unknown
  /** Whether it is longer than what most callers send. Large messages are never cached. */
  readonly isLarge: boolean
  /** Whether its arguments were left out, because it has too many values. */
  readonly isCut: boolean
}

/** A message without a response: a notification, or a response to a request that we never sent. */
export type RpcNotice = Readonly<{ id: null }>

export type RpcMessage = RpcRequest | RpcNotice

export type RpcOutcome = { readonly result: object } | { readonly error: RpcFault }

export type RpcFault = Readonly<{ code: number; message: string; data?: unknown }>

/** What makes a request one of MCP 2026-07-28, in `params._meta`. */
export const META_KEYS = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
}

const UTF8 = new TextDecoder("utf-8", { fatal: true })

// Extracted as text before parsing, from large messages and from those with numbers that would lose digits.
const META_MEMBERS = Object.values(META_KEYS).map((key) => [key, `params._meta.${key}`] as const)
const MEMBERS = new Set(["jsonrpc", "id", "method", "params.name", "params.arguments.context"])
for (const [, path] of META_MEMBERS) MEMBERS.add(path)
/** Longer than what most callers send. */
export const LARGE_CHARACTERS = 16_384

/** The message in a body, or what is wrong with it. With more than `valuesMax` values, its arguments are left out. */
export function readMessage(bytes: Uint8Array, valuesMax: number): RpcMessage | RpcFault {
  try {
    const text = UTF8.decode(bytes)
    const isLarge = text.length > LARGE_CHARACTERS
    const sent = isLarge || mayLoseDigits(text) ? skimJson(text, MEMBERS, valuesMax) : undefined
    if (isLong(sent?.members.get("id"))) return ID_TOO_LONG
    // Without an id there is nothing to answer to.
    if (sent?.hasTooMany && !sent.members.has("id")) return TOO_MANY
    const value = JSON.parse(sent?.hasTooMany ? outlineOf(sent) : text)
    if (Array.isArray(value))
      return { code: INVALID_REQUEST, message: "Batches are not supported. Send one request per POST" }
    if (isLong(value?.id)) return ID_TOO_LONG
    return asMessage(value, isLarge, sent) ?? NOT_A_MESSAGE
  } catch {
    return { code: PARSE_ERROR, message: "Parse error: the body must be JSON in UTF-8" }
  }
}

const invalid = (what: string): RpcFault => ({ code: INVALID_REQUEST, message: `Invalid Request: ${what}` })

// Sent back with every answer; most have one to 36.
const ID_CHARACTERS_MAX = 1_000
const isLong = (id: unknown) => typeof id === "string" && id.length > ID_CHARACTERS_MAX
const ID_TOO_LONG = invalid(`the id has more than ${ID_CHARACTERS_MAX.toLocaleString("en")} characters`)
const NOT_A_MESSAGE = invalid("the body must be a JSON-RPC 2.0 message")
const TOO_MANY = invalid("the message has too many values")
export const TOO_LONG = invalid("only tools/call may be this long")

/** The message without its arguments: enough to refuse it. */
function outlineOf({ members }: JsonSkim): string {
  const part = (name: string, path = name) => {
    const text = members.get(path)
    return text === undefined ? [] : [`"${name}":${text}`]
  }
  const outer = ["jsonrpc", "id", "method"].flatMap((name) => part(name))
  const meta = META_MEMBERS.flatMap(([key, path]) => part(key, path))
  const params = [...part("name", "params.name"), `"_meta":{${meta.join(",")}}`]
  return `{${[...outer, `"params":{${params.join(",")}}`].join(",")}}`
}

function asMessage(value: unknown, isLarge: boolean, sent: JsonSkim | undefined): RpcMessage | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  if (jsonrpc !== "2.0") return undefined
  if (typeof method === "string" && isId(id)) {
    keepContext(params, sent)
    return { id: idText(id, sent), method, params, isLarge, isCut: sent?.hasTooMany ?? false }
  }
  const isNotification = typeof method === "string" && id === undefined
  const isAnswer = method === undefined && isId(id) && ("result" in value || "error" in value)
  return isNotification || isAnswer ? { id: null } : undefined
}

const isId = (id: unknown) => typeof id === "string" || typeof id === "number"

/** A number that JavaScript would round is sent back with all its digits. */
function idText(id: unknown, sent: JsonSkim | undefined): string {
  const text = sent?.members.get("id")
  return text !== undefined && typeof id === "number" && Number(text) === id ? text : JSON.stringify(id)
}

/** The context of a tool call is sent back as its original text, so that numbers in it keep every digit. */
function keepContext(params: unknown, sent: JsonSkim | undefined): void {
  const context = (params as ToolParams | null | undefined)?.arguments?.context
  const text = sent?.members.get("params.arguments.context")
  if (typeof context === "object" && context !== null && text !== undefined) keepJson(context, text)
}

type ToolParams = Readonly<{ arguments?: { readonly context?: object } }>

export const invalidParams = (message: string): { readonly error: RpcFault } => ({
  error: { code: INVALID_PARAMS, message },
})

/** What has to be known of a request to answer it: how its answer is addressed, and shaped. */
export interface RpcQuestion {
  /** Null while it is not known. */
  readonly id: string | null
  readonly isModern: boolean
}

/** `headers` must be complete. */
export function rpcResult({ id, isModern }: RpcQuestion, result: object, headers: Headers, request: Request): Response {
  const { first, last } = isModern ? MODERN_RESULT : { first: "", last: "" }
  const before = `{"jsonrpc":"2.0","id":${id},"result":{${first}`
  const after = `${last}}}`
  const content = cachedBytes(result, before, after) ?? before + resultJson(result) + after
  return new Response(readyBodyOf(content, request), { headers })
}

/** A JSON-RPC error with HTTP status 200. `headers` must be complete. */
export const rpcFault = (asked: RpcQuestion, fault: RpcFault, headers: Headers): Response =>
  new Response(faultJson(asked, fault), { headers })

export const rpcError = (asked: RpcQuestion, fault: RpcFault, status: number, headers: HeaderFields = {}): Response =>
  new Response(faultJson(asked, fault), { status, headers: { "Content-Type": "application/json", ...headers } })

/** An unknown id is null by JSON-RPC, and left out by MCP 2026-07-28. */
function faultJson({ id, isModern }: RpcQuestion, fault: RpcFault): string {
  const addressed = id === null && isModern ? "" : `,"id":${id ?? "null"}`
  return `{"jsonrpc":"2.0"${addressed},"error":${JSON.stringify(fault)}}`
}

export type HeaderFields = Readonly<Record<string, string>>

export type RefusedBody = RpcFault & Readonly<{ status: number; headers: HeaderFields }>

export interface MessageLimits {
  readonly bytesMax: number
  readonly valuesMax: number
  /** Awaited before a long body is parsed. */
  readonly before?: () => Promise<void>
}

export async function readMessageBody(
  request: Request,
  { bytesMax, valuesMax, before }: MessageLimits,
): Promise<RpcMessage | RefusedBody> {
  const unsupported = wrongContentType(request)
  if (unsupported !== undefined) return refusedBy(unsupported)
  const bytes = await readBody(request, bytesMax)
  if (!(bytes instanceof Uint8Array)) return refusedBy(bytes)
  await before?.()
  const message = readMessage(bytes, valuesMax)
  return "code" in message ? { ...message, status: 400, headers: {} } : message
}

export const refusedBy = ({ status, detail: message, headers }: Failure): RefusedBody => ({
  status,
  code: INVALID_REQUEST,
  message,
  headers,
})
