import { DecimalLiteral, mayLoseDigits, parseJson } from "../../domain/exact-json.ts"
import type { ReadyJson } from "./ready-json.ts"

// JSON-RPC 2.0 as far as the agent takes it: one message in a body.

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
/** For refusals by HTTP alone, which JSON-RPC has no code for. */
export const REFUSED = -32000
/** AdCP reserves these two. */
export const RATE_LIMITED = -32029
export const AUTH = -32028

export interface RpcRequest {
  /** The id as JSON text, to be sent back as it came. */
  readonly id: string
  readonly method: string
  readonly params: unknown
}

/** Something that wants no answer: a notification, or the answer to a question that we never asked. */
export interface RpcNotice {
  readonly id: null
}

export type RpcMessage = RpcRequest | RpcNotice

export interface RpcFault {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

const UTF8 = new TextDecoder("utf-8", { fatal: true })

/** The message in a body, or what is wrong with it. */
export function readMessage(bytes: Uint8Array): RpcMessage | RpcFault {
  let text: string
  let value: unknown
  try {
    text = UTF8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    return { code: PARSE_ERROR, message: "Parse error: the body must be JSON in UTF-8" }
  }
  if (Array.isArray(value))
    return { code: INVALID_REQUEST, message: "Batches are not taken. Send one request for each POST" }
  return (
    asMessage(value, text) ?? {
      code: INVALID_REQUEST,
      message: "Invalid Request: the body must be a JSON-RPC 2.0 message",
    }
  )
}

function asMessage(value: unknown, text: string): RpcMessage | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  if (jsonrpc !== "2.0") return undefined
  if (typeof method === "string" && isId(id))
    return { id: idText(id, text), method, params: withContextAsSent(params, text) }
  const isNotification = typeof method === "string" && id === undefined
  const isAnswer = method === undefined && isId(id) && ("result" in value || "error" in value)
  return isNotification || isAnswer ? { id: null } : undefined
}

const isId = (id: unknown) => typeof id === "string" || typeof id === "number"

/** A number too long for us still goes back digit by digit. */
function idText(id: unknown, text: string): string {
  if (typeof id !== "number" || Number.isSafeInteger(id)) return JSON.stringify(id)
  const exact = (parseJson(text) as { id?: unknown } | undefined)?.id
  return exact instanceof DecimalLiteral ? exact.text : JSON.stringify(id)
}

/** The params of a tool call. Its context goes back as it came, so the numbers in it keep every digit. */
function withContextAsSent(params: unknown, text: string): unknown {
  if (contextOf(params) === undefined || !mayLoseDigits(text)) return params
  const sent = params as ToolParams
  const exact = contextOf((parseJson(text) as { params?: unknown } | undefined)?.params)
  return exact === undefined ? params : { ...sent, arguments: { ...sent.arguments, context: exact } }
}

interface ToolParams {
  readonly arguments?: { readonly context?: object }
}

function contextOf(params: unknown): object | undefined {
  const context = (params as ToolParams | null | undefined)?.arguments?.context
  return typeof context === "object" && context !== null ? context : undefined
}

/** An answer with a result. The headers are complete. */
export function rpcResult(id: string, result: string | ReadyJson, headers: Headers): Response {
  const before = `{"jsonrpc":"2.0","id":${id},"result":`
  // A response takes a copy of bytes.
  return new Response(typeof result === "string" ? `${before}${result}}` : result.between(before, "}"), { headers })
}

/** An answer with an error that is none of HTTP. The headers are complete. */
export function rpcFault(id: string, fault: RpcFault, headers: Headers): Response {
  return new Response(faultJson(id, fault), { headers })
}

export function rpcError(
  id: string | null,
  fault: RpcFault,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(faultJson(id, fault), { status, headers: { "Content-Type": "application/json", ...headers } })
}

function faultJson(id: string | null, fault: RpcFault): string {
  return `{"jsonrpc":"2.0","id":${id ?? "null"},"error":${JSON.stringify(fault)}}`
}
