import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  type CallToolResult,
  ErrorCode,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js"
import { maskKeys } from "../../domain/keys/api-key.ts"
import { isObject } from "../../domain/schema/batch.ts"
import type { GivenUp } from "../http/request-meta.ts"
import type { ToolResult } from "./result.ts"

// The protocol engine, and the only file that knows it. One server lives as long as the process: building one for each request
// would cost most of the throughput. It is reached through a transport of our own that pairs each request with its answer.

export interface RpcRequest {
  readonly method: string
  readonly params?: unknown
}

export type Arguments = Record<string, unknown>

/** Calls a tool, or gives undefined when there is none of this name. */
export type ToolCall = (name: string, args: Arguments) => Promise<ToolResult | undefined>

/** The result or the error of a JSON-RPC answer. */
export type RpcOutcome = { readonly result: object } | { readonly error: { code: number; message: string } }

export interface McpEngine {
  /** Answers one request. It stands alone: nothing of it is remembered, not even while it is worked on once its caller was given up. */
  answer(request: RpcRequest, call: ToolCall, caller: GivenUp): Promise<RpcOutcome>
}

export interface ToolListing {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: object
}

export interface EngineParts {
  readonly version: string
  readonly instructions: string
  readonly tools: readonly ToolListing[]
}

interface Pending {
  readonly call: ToolCall
  readonly resolve: (outcome: RpcOutcome) => void
}

type Listed = { tools: { name: string; inputSchema: { type: "object" } }[] }

export async function mcpEngine({ version, instructions, tools }: EngineParts): Promise<McpEngine> {
  const pending = new Map<number, Pending>()
  const transport = pairingTransport(pending)
  const server = new Server({ name: "adbooth", version }, { capabilities: { tools: {} }, instructions })

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }) as unknown as Listed)
  // Not by setRequestHandler, which checks once more and hands on a copy: the bytes that are kept of a result would be lost with it
  // (docs/decisions/0009).
  server.fallbackRequestHandler = async ({ id, method, params }) => {
    if (method !== "tools/call") throw new McpError(ErrorCode.MethodNotFound, "Method not found")
    const { name, arguments: args } = params as { name: string; arguments: Arguments }
    const result = await pending.get(Number(id))?.call(name, args)
    if (result !== undefined) return result as unknown as CallToolResult
    throw new McpError(ErrorCode.InvalidParams, `there is no tool "${maskKeys(name).slice(0, 60)}"`)
  }
  const take = messageTaker(server, transport)
  await server.connect(transport)

  // Ids of our own, because two callers may choose the same one.
  let count = 0
  return {
    answer: (request, call, caller) =>
      new Promise((resolve) => {
        if (!isReadable(request)) return resolve(invalidParams("params must be an object with a name and arguments"))
        const id = ++count
        pending.set(id, { call, resolve })
        caller.onGivenUp = () => pending.delete(id)
        if (take({ jsonrpc: "2.0", id, ...supported(request) } as JSONRPCMessage)) return
        pending.delete(id)
        resolve(invalidParams("params._meta is not as MCP wants it"))
      }),
  }
}

/**
 * Hands a message to the engine, and says whether the engine took it. One that does not fit its schemas is never answered by the
 * engine: it only tells its error handler, before it returns, or throws when even describing the message fails.
 */
function messageTaker(server: Server, transport: Transport): (message: JSONRPCMessage) => boolean {
  let isTaken = true
  server.onerror = () => {
    isTaken = false
  }
  return (message) => {
    isTaken = true
    try {
      transport.onmessage?.(message)
    } catch {
      isTaken = false
    }
    return isTaken
  }
}

/** The engine's own words for params of another shape are no help to whoever sent them. */
function isReadable({ method, params }: RpcRequest): boolean {
  if (params !== undefined && !isObject(params)) return false
  if (method !== "tools/call") return true
  return typeof params?.["name"] === "string" && isObject(params["arguments"] ?? {})
}

/** A tool call without what it has no use for here (progress, tasks), so that it cannot fail by that. */
function supported({ method, params }: RpcRequest): RpcRequest {
  if (method !== "tools/call") return params === undefined ? { method } : { method, params }
  const { name, arguments: args } = params as Arguments
  return { method, params: { name, arguments: args ?? {} } }
}

function invalidParams(message: string): RpcOutcome {
  return { error: { code: ErrorCode.InvalidParams, message } }
}

function pairingTransport(pending: Map<number, Pending>): Transport {
  return {
    start: async () => {},
    close: async () => {},
    async send(message) {
      const id = "id" in message ? Number(message.id) : Number.NaN
      const request = pending.get(id)
      pending.delete(id)
      request?.resolve(outcomeOf(message))
    },
  }
}

function outcomeOf(message: JSONRPCMessage): RpcOutcome {
  if ("error" in message) {
    const { code, message: text } = message.error
    // Tools answer their own faults themselves, so what is left are params that the engine could not read.
    if (code === ErrorCode.InternalError) return invalidParams("the params do not fit the method")
    return { error: { code, message: text.replace(/^MCP error -?\d+: /, "") } }
  }
  return { result: "result" in message ? message.result : {} }
}
