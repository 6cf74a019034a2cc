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
import { cutText } from "../../domain/text/short-text.ts"
import type { RequestMeta } from "../http/request-meta.ts"
import type { ToolResult } from "./result.ts"

// The only file that uses the MCP SDK. One server for the whole process: one per request would cost most of the throughput. Our own
// transport pairs each request with its answer.

export interface RpcRequest {
  readonly method: string
  readonly params?: unknown
}

export type Arguments = Record<string, unknown>

/** Calls a tool; undefined for an unknown name. */
export type ToolCall = (name: string, args: Arguments) => Promise<ToolResult | undefined>

export type RpcOutcome = { readonly result: object } | { readonly error: { code: number; message: string } }

export interface McpEngine {
  /** Answers one request. Nothing is kept of it, even while it runs, once it was given up. */
  answer(request: RpcRequest, call: ToolCall, caller: Pick<RequestMeta, "onGivenUp">): Promise<RpcOutcome>
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
  /** Those that there are now. */
  readonly tools: () => Promise<readonly ToolListing[]>
  /** What to do instead of calling a tool that there is not. */
  readonly instead: string
}

const NAME_CHARACTERS_MAX = 60

/** For answers to questions that a server asks, which this one never does. The one that comes with it takes a twentieth of the time to the first answer. */
const NEVER_USED = {
  getValidator(): never {
    throw new Error("nobody is asked anything")
  },
}

interface Pending {
  readonly call: ToolCall
  readonly resolve: (outcome: RpcOutcome) => void
}

type Listed = { tools: { name: string; inputSchema: { type: "object" } }[] }

export async function mcpEngine({ version, instructions, tools, instead }: EngineParts): Promise<McpEngine> {
  const pending = new Map<number, Pending>()
  const transport = pairingTransport(pending)
  const server = new Server(
    { name: "adbooth", version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: NEVER_USED },
  )

  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await tools() }) as unknown as Listed)
  // Not setRequestHandler, which validates again and copies the result, so that its cached bytes would be lost (docs/decisions/0009).
  server.fallbackRequestHandler = async ({ id, method, params }) => {
    if (method !== "tools/call") throw new McpError(ErrorCode.MethodNotFound, "Method not found")
    const { name, arguments: args } = params as { name: string; arguments: Arguments }
    const result = await pending.get(Number(id))?.call(name, args)
    if (result !== undefined) return result as unknown as CallToolResult
    const names = (await tools()).map((tool) => tool.name)
    throw new McpError(
      ErrorCode.InvalidParams,
      `there is no tool "${cutText(maskKeys(name), NAME_CHARACTERS_MAX)}"; there are ${names.join(", ")}. ${instead}`,
    )
  }
  const deliver = messageDelivery(server, transport)
  await server.connect(transport)

  // Our own ids, because two callers may choose the same one.
  let count = 0
  return {
    answer: (request, call, caller) =>
      new Promise((resolve) => {
        if (!hasValidParams(request))
          return resolve(invalidParams("params must be an object with a name and arguments"))
        const id = ++count
        pending.set(id, { call, resolve })
        caller.onGivenUp = () => pending.delete(id)
        if (deliver({ jsonrpc: "2.0", id, ...supported(request) } as JSONRPCMessage)) return
        pending.delete(id)
        resolve(invalidParams("params._meta is not valid"))
      }),
  }
}

/**
 * Hands a message to the engine; false if the engine rejects it. It never answers a message that does not fit its schemas: it only calls
 * its error handler, synchronously, or throws if even describing the message fails.
 */
function messageDelivery(server: Server, transport: Transport): (message: JSONRPCMessage) => boolean {
  let isAccepted = true
  server.onerror = () => {
    isAccepted = false
  }
  return (message) => {
    isAccepted = true
    try {
      transport.onmessage?.(message)
    } catch {
      isAccepted = false
    }
    return isAccepted
  }
}

/** Checked here because the engine's own messages about malformed params do not help the caller. */
function hasValidParams({ method, params }: RpcRequest): boolean {
  if (params !== undefined && !isObject(params)) return false
  if (method !== "tools/call") return true
  return typeof params?.["name"] === "string" && (params["arguments"] === undefined || isObject(params["arguments"]))
}

/** A tool call without fields that are not supported (progress, tasks), so that they cannot make it fail. */
function supported({ method, params }: RpcRequest): RpcRequest {
  if (method !== "tools/call") return params === undefined ? { method } : { method, params }
  const { name, arguments: args = {} } = params as Arguments
  return { method, params: { name, arguments: args } }
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
    // Tools answer their own errors, so this can only mean params that the engine could not parse.
    if (code === ErrorCode.InternalError) return invalidParams("the params do not fit the method")
    return { error: { code, message: text.replace(/^MCP error -?\d+: /, "") } }
  }
  return { result: "result" in message ? message.result : {} }
}
